-- Search of accounts by the beginning of the id.

CREATE INDEX account_by_beginning ON account (id COLLATE "C");

DROP FUNCTION portal_list_accounts;
-- A page of the accounts in the order of the bytes of their ids, with what they use. Users and tokens are counted up
-- to 10,000. Without sequential scans: the planner assumes that every account has as much as the average one.
CREATE FUNCTION portal_list_accounts(of_session text, only_id text, after_id text, most integer,
  beginning text DEFAULT NULL)
RETURNS TABLE (listed account, users bigint, tokens bigint, requests bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan SET enable_seqscan = off AS $$
BEGIN
  PERFORM require_member(of_session, 'administrator');
  RETURN QUERY
  -- First the page, so that only its accounts are counted.
  WITH page AS MATERIALIZED (
    SELECT one.id FROM account AS one
    WHERE (only_id IS NULL OR one.id = only_id) AND (after_id IS NULL OR one.id COLLATE "C" > after_id)
      AND (beginning IS NULL OR begins_with(one.id, lower(beginning)))
    ORDER BY one.id COLLATE "C" LIMIT most
  )
  SELECT one,
    (SELECT count(*) FROM (
      SELECT 1 FROM portal_user WHERE account_id = one.id LIMIT 10000) AS counted),
    (SELECT count(*) FROM (
      SELECT 1 FROM api_token WHERE account_id = one.id AND revoked_at IS NULL
        AND coalesce(expires_at > extract(epoch FROM now()) * 1000, true) LIMIT 10000) AS counted),
    (SELECT coalesce(sum(used.requests), 0)::bigint FROM token_usage AS used
      WHERE used.account_id = one.id AND day > (now() AT TIME ZONE 'UTC')::date - 30)
  FROM page JOIN account AS one ON one.id = page.id ORDER BY one.id COLLATE "C";
END
$$;
GRANT EXECUTE ON FUNCTION portal_list_accounts TO leadline_runtime;
