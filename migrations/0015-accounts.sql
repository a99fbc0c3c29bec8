-- Accounts in the portal. The commands on the operator's machine call the same
-- functions.

CREATE FUNCTION account_to_change(of_account text) RETURNS account
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  known account;
BEGIN
  SELECT * INTO known FROM account WHERE id = of_account FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('account_missing'); END IF;
  RETURN known;
END
$$;

CREATE FUNCTION create_account(
  by_actor text, new_id text, new_plan text, new_pilot boolean, new_admin boolean, new_note text
) RETURNS account LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  made account;
BEGIN
  INSERT INTO account (id, plan, pilot, admin, note)
    VALUES (new_id, new_plan, new_pilot, new_admin, new_note)
    ON CONFLICT (id) DO NOTHING RETURNING * INTO made;
  IF NOT FOUND THEN PERFORM refuse('account_exists'); END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (by_actor, 'account create', new_id,
    jsonb_build_object('plan', new_plan, 'pilot', new_pilot, 'admin', new_admin));
  RETURN made;
END
$$;

-- NULL keeps a right.
CREATE FUNCTION change_account(
  by_actor text, of_account text, new_plan text, new_pilot boolean, new_admin boolean, new_note text
) RETURNS account LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  known account := account_to_change(of_account);
BEGIN
  IF known.erased_at IS NOT NULL THEN PERFORM refuse('account_gone'); END IF;
  UPDATE account SET plan = coalesce(new_plan, plan), pilot = coalesce(new_pilot, pilot),
    admin = coalesce(new_admin, admin), note = coalesce(new_note, note) WHERE id = of_account RETURNING * INTO known;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (by_actor, 'account set', of_account,
    jsonb_strip_nulls(jsonb_build_object('plan', new_plan, 'pilot', new_pilot, 'admin', new_admin)));
  RETURN known;
END
$$;

-- Stop the tokens of an account after its running writes have ended, or let them work again.
-- Returns whether that was a change.
CREATE FUNCTION suspend_account(by_actor text, of_account text, suspends boolean) RETURNS boolean
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  known account;
BEGIN
  IF suspends THEN PERFORM hold_writes(of_account); END IF;
  known := account_to_change(of_account);
  IF NOT suspends AND known.erased_at IS NOT NULL THEN PERFORM refuse('account_gone'); END IF;
  IF (known.suspended_at IS NOT NULL) = suspends THEN RETURN false; END IF;
  UPDATE account SET suspended_at =
    CASE WHEN suspends THEN (extract(epoch FROM clock_timestamp()) * 1000)::bigint END
    WHERE id = of_account;
  INSERT INTO admin_act (actor, act, account_id) VALUES (by_actor,
    CASE WHEN suspends THEN 'account suspend' ELSE 'account resume' END, of_account);
  RETURN true;
END
$$;

CREATE FUNCTION portal_create_account(
  of_session text, new_id text, new_plan text, new_pilot boolean, new_admin boolean
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'administrator');
BEGIN
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

GRANT EXECUTE ON FUNCTION portal_create_account, portal_change_account, portal_list_accounts TO leadline_runtime;
