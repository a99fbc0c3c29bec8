-- Tokens, usage, accounts and the audit trail in the portal. `npm run tokens` calls the same functions of
-- accounts and tokens, so both follow the same rules.

-- The role that a user needs to hold or change a token with these rights. `charts:write` permits what owners
-- may do.
CREATE FUNCTION role_for_token(scopes text[], votes_for_users boolean) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN votes_for_users OR 'charts:write' = ANY (scopes) THEN 'owner'
    WHEN 'reports:admin' = ANY (scopes) THEN 'moderator' ELSE 'member' END
$$;

-- Tokens of other accounts are unknown to everyone but administrators.
CREATE FUNCTION require_token_member(of_session text, token_id text) RETURNS portal_user
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'member');
  token api_token;
BEGIN
  SELECT * INTO token FROM api_token
    WHERE id = token_id AND (account_id = who.account_id OR who.role = 'administrator');
  IF NOT FOUND THEN PERFORM refuse('token_unknown'); END IF;
  RETURN require_member(of_session, role_for_token(token.scopes, token.votes_for_users));
END
$$;

CREATE FUNCTION portal_issue_token(
  of_session text, new_id text, new_hash text, new_kind text, new_scopes text[], new_origins text[],
  new_note text, issued bigint, expires bigint
) RETURNS SETOF api_token
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, role_for_token(new_scopes, false));
  token api_token;
BEGIN
  -- A retry after a lost response.
  SELECT * INTO token FROM api_token WHERE id = new_id AND account_id = who.account_id;
  IF FOUND THEN RETURN NEXT token; RETURN; END IF;
  token.id := new_id;
  token.account_id := who.account_id;
  token.subject := 'member:' || who.id;
  token.kind := new_kind;
  token.scopes := new_scopes;
  token.origins := new_origins;
  token.votes_for_users := false;
  token.note := new_note;
  token.issued_at := issued;
  token.expires_at := expires;
  token.token_hash := new_hash;
  RETURN NEXT issue_token('user:' || who.id, 'token mint', token, '{}');
END
$$;

CREATE FUNCTION portal_replace_token(
  of_session text, old_id text, grace_ms bigint, new_id text, new_hash text, issued bigint
) RETURNS SETOF api_token
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_token_member(of_session, old_id);
  token api_token;
BEGIN
  SELECT * INTO token FROM api_token WHERE id = new_id AND token_hash = new_hash;
  IF FOUND THEN RETURN NEXT token; RETURN; END IF;
  RETURN NEXT replace_token('user:' || who.id, old_id, grace_ms, new_id, new_hash, NULL, issued);
END
$$;

CREATE FUNCTION portal_change_token(
  of_session text, token_id text, new_note text, new_origins text[]
) RETURNS SETOF api_token
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_token_member(of_session, token_id);
BEGIN
  RETURN NEXT change_token('user:' || who.id, token_id, new_note, new_origins);
END
$$;

CREATE FUNCTION portal_revoke_token(of_session text, token_id text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_token_member(of_session, token_id);
BEGIN
  PERFORM revoke_token('user:' || who.id, token_id);
END
$$;

-- A page of tokens, newest first: those of the user's account, or of all accounts for an administrator.
-- `searched` is an id or the beginning of a name. With `only_id`, this token, of any account for an
-- administrator. The page is selected first, then completed.
CREATE FUNCTION portal_list_tokens(
  of_session text, only_id text, with_ended boolean, before_id text, most integer,
  of_all boolean DEFAULT false, of_account text DEFAULT NULL, searched text DEFAULT NULL
) RETURNS TABLE (
  token api_token, user_id text, user_email text, standing text, last_used_on date, requests bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  who portal_user := require_member(of_session, CASE WHEN of_all THEN 'administrator' ELSE 'member' END);
  only_account constant text := CASE WHEN of_all OR (only_id IS NOT NULL AND who.role = 'administrator')
    THEN of_account ELSE who.account_id END;
  before_time bigint := 9007199254740991;
  now_ms constant bigint := extract(epoch FROM clock_timestamp()) * 1000;
  month_ago constant date := (now() AT TIME ZONE 'UTC')::date - 30;
BEGIN
  SELECT issued_at INTO before_time FROM api_token
    WHERE id = before_id AND (only_account IS NULL OR account_id = only_account);
  RETURN QUERY
  WITH page AS MATERIALIZED (
    SELECT one FROM api_token AS one
    WHERE (only_account IS NULL OR one.account_id = only_account) AND (only_id IS NULL OR one.id = only_id)
      AND (searched IS NULL OR one.id = searched OR begins_with(lower(one.note), lower(searched)))
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

-- Requests by day since a day: of the user's account, or of one or all accounts for an administrator.
CREATE FUNCTION portal_usage(
  of_session text, since date, of_all boolean DEFAULT false, of_account text DEFAULT NULL
) RETURNS TABLE (day date, requests bigint, refused bigint, failed bigint, kinds jsonb)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  who portal_user := require_member(of_session, CASE WHEN of_all THEN 'administrator' ELSE 'member' END);
  only_account constant text := CASE WHEN of_all THEN of_account ELSE who.account_id END;
BEGIN
  RETURN QUERY
    SELECT of_kind.day, sum(of_kind.requests)::bigint, sum(of_kind.refused)::bigint,
      sum(of_kind.failed)::bigint, jsonb_object_agg(of_kind.kind, of_kind.requests)
    FROM (
      SELECT used.day, used.kind, sum(used.requests) AS requests, sum(used.refused) AS refused,
        sum(used.failed) AS failed
      FROM token_usage AS used
      WHERE (only_account IS NULL OR used.account_id = only_account) AND used.day >= since
      GROUP BY used.day, used.kind
    ) AS of_kind
    GROUP BY of_kind.day ORDER BY of_kind.day;
END
$$;

-- A page of the audit trail for an administrator, newest first. NULL selects every value. A plan for the
-- given values uses their index; a generic plan does not.
CREATE FUNCTION portal_list_acts(
  of_session text, of_account text, by_actor text, of_act text, before_id bigint, most integer
) RETURNS SETOF admin_act
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  PERFORM require_member(of_session, 'administrator');
  RETURN QUERY SELECT one.* FROM admin_act AS one
    WHERE (of_account IS NULL OR one.account_id = of_account)
      AND (by_actor IS NULL OR one.actor = by_actor)
      AND (of_act IS NULL OR one.act = of_act)
      AND (before_id IS NULL OR one.id < before_id)
    ORDER BY one.id DESC LIMIT most;
END
$$;

CREATE FUNCTION portal_create_account(
  of_session text, new_id text, new_plan text, new_pilot boolean, new_admin boolean
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'administrator');
BEGIN
  -- A retry after a lost response: the user has created this account with these rights.
  PERFORM 1 FROM account WHERE id = new_id AND erased_at IS NULL AND plan = new_plan
    AND pilot = new_pilot AND admin = new_admin AND EXISTS (
      SELECT 1 FROM admin_act WHERE account_id = new_id AND act = 'account create'
        AND actor = 'user:' || who.id);
  IF FOUND THEN RETURN; END IF;
  PERFORM create_account('user:' || who.id, new_id, new_plan, new_pilot, new_admin, NULL);
END
$$;

CREATE FUNCTION portal_change_account(
  of_session text, of_account text, new_plan text, new_pilot boolean, new_admin boolean,
  suspends boolean
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'administrator');
BEGIN
  IF suspends AND of_account = who.account_id THEN PERFORM refuse('own_account'); END IF;
  IF suspends IS NOT NULL THEN
    PERFORM suspend_account('user:' || who.id, of_account, suspends);
  END IF;
  IF coalesce(new_plan, new_pilot::text, new_admin::text) IS NOT NULL THEN
    PERFORM change_account('user:' || who.id, of_account, new_plan, new_pilot, new_admin, NULL);
  END IF;
END
$$;

-- A page of the accounts by id, with what they use. Users and tokens are counted up to 10,000. Without
-- sequential scans: the planner assumes that every account has as much as the average one.
CREATE FUNCTION portal_list_accounts(of_session text, only_id text, after_id text, most integer)
RETURNS TABLE (listed account, users bigint, tokens bigint, requests bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan SET enable_seqscan = off AS $$
BEGIN
  PERFORM require_member(of_session, 'administrator');
  RETURN QUERY
  -- First the page, so that only its accounts are counted.
  WITH page AS MATERIALIZED (
    SELECT one.id FROM account AS one
    WHERE (only_id IS NULL OR one.id = only_id) AND (after_id IS NULL OR one.id > after_id)
    ORDER BY one.id LIMIT most
  )
  SELECT one,
    (SELECT count(*) FROM (
      SELECT 1 FROM portal_user WHERE account_id = one.id LIMIT 10000) AS counted),
    (SELECT count(*) FROM (
      SELECT 1 FROM api_token WHERE account_id = one.id AND revoked_at IS NULL
        AND coalesce(expires_at > extract(epoch FROM now()) * 1000, true) LIMIT 10000) AS counted),
    (SELECT coalesce(sum(used.requests), 0)::bigint FROM token_usage AS used
      WHERE used.account_id = one.id AND day > (now() AT TIME ZONE 'UTC')::date - 30)
  FROM page JOIN account AS one ON one.id = page.id ORDER BY one.id;
END
$$;

GRANT EXECUTE ON FUNCTION portal_issue_token, portal_replace_token, portal_change_token, portal_revoke_token,
  portal_list_tokens, portal_usage, portal_list_acts, portal_create_account, portal_change_account,
  portal_list_accounts TO leadline_runtime;
