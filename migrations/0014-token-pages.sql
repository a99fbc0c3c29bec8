-- Lists of tokens read one page, also for accounts with many tokens and users. Before, each page read all
-- tokens and users of the account.

CREATE INDEX api_token_by_page ON api_token (account_id, issued_at DESC, id DESC);
DROP INDEX api_token_of_account;

-- As before; only the plan is different. The page is selected first, then completed.
CREATE OR REPLACE FUNCTION portal_list_tokens(
  of_session text, only_id text, with_ended boolean, before_id text, most integer
) RETURNS TABLE (
  token api_token, user_id text, user_email text, standing text, last_used_on date, requests bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  who portal_user := require_member(of_session, 'member');
  before_time bigint := 9007199254740991;
  now_ms constant bigint := extract(epoch FROM clock_timestamp()) * 1000;
  month_ago constant date := (now() AT TIME ZONE 'UTC')::date - 30;
BEGIN
  SELECT issued_at INTO before_time FROM api_token
    WHERE id = before_id AND account_id = who.account_id;
  RETURN QUERY
  WITH page AS MATERIALIZED (
    SELECT one FROM api_token AS one
    WHERE (one.account_id = who.account_id OR (only_id IS NOT NULL AND who.role = 'administrator'))
      AND (only_id IS NULL OR one.id = only_id)
      AND (before_id IS NULL OR (one.issued_at, one.id) < (before_time, before_id))
      AND (with_ended OR (coalesce(one.revoked_at > now_ms, true) AND coalesce(one.expires_at > now_ms, true)))
    ORDER BY one.issued_at DESC, one.id DESC LIMIT most
  )
  SELECT (page.one), creator.id, creator.email,
    CASE WHEN (page.one).revoked_at <= now_ms THEN 'revoked'
      WHEN (page.one).expires_at <= now_ms THEN 'expired'
      ELSE token_standing((page.one).id, (page.one).account_id, (page.one).generation) END,
    (SELECT max(day) FROM token_usage WHERE token_usage.token_id = (page.one).id),
    (SELECT coalesce(sum(used.requests), 0)::bigint FROM token_usage AS used
      WHERE used.token_id = (page.one).id AND day > month_ago)
  FROM page LEFT JOIN LATERAL (
    SELECT known.id, known.email FROM portal_user AS known
    WHERE (page.one).subject LIKE 'member:%' AND known.id = substr((page.one).subject, 8)
      AND known.account_id = (page.one).account_id
  ) AS creator ON true
  ORDER BY (page.one).issued_at DESC, (page.one).id DESC;
END
$$;
