-- The team of an account: its users, their roles, and invitations. Every change is in the audit trail.

-- The owner of a session, before a change of the team. Changes of one team wait for each other, so that an
-- owner remains.
CREATE FUNCTION require_team_owner(of_session text) RETURNS portal_user
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('team ' || one.account_id, 0)) FROM portal_user AS one
    WHERE id = (SELECT user_id FROM portal_session WHERE id = of_session);
  RETURN require_member(of_session, 'owner');
END
$$;

-- Select a user for a change: of the caller's account, or of any account for an administrator. Changes of
-- one team wait for each other.
CREATE FUNCTION member_to_change(who portal_user, of_user text) RETURNS portal_user
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  found_user portal_user;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('team ' || one.account_id, 0)) FROM portal_user AS one
    WHERE id = of_user AND (account_id = who.account_id OR who.role = 'administrator');
  SELECT * INTO found_user FROM portal_user
    WHERE id = of_user AND (account_id = who.account_id OR who.role = 'administrator') FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('user_unknown'); END IF;
  IF found_user.role = 'administrator' AND who.role <> 'administrator' THEN
    PERFORM refuse('team_role_missing');
  END IF;
  RETURN found_user;
END
$$;

-- An account keeps an owner or an administrator, and the account of the operator an administrator. A
-- suspended owner cannot manage the account.
CREATE FUNCTION require_other_owner(leaving portal_user) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF leaving.role IN ('owner', 'administrator') AND NOT EXISTS (
    SELECT 1 FROM portal_user
    WHERE account_id = leaving.account_id AND role IN (leaving.role, 'administrator')
      AND id <> leaving.id AND suspended_at IS NULL
  ) THEN PERFORM refuse('last_owner'); END IF;
END
$$;

CREATE FUNCTION portal_invite(of_session text, new_id text, new_email text, new_role text)
RETURNS SETOF portal_user
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_team_owner(of_session);
  made portal_user;
BEGIN
  -- A retry after a lost response.
  SELECT * INTO made FROM portal_user WHERE id = new_id AND account_id = who.account_id;
  IF FOUND THEN RETURN NEXT made; RETURN; END IF;
  IF new_role NOT IN ('member', 'moderator', 'owner') THEN PERFORM refuse('team_role_missing'); END IF;
  IF (SELECT count(*) FROM portal_user WHERE account_id = who.account_id) >= 1000 THEN
    PERFORM refuse('team_full');
  END IF;
  INSERT INTO portal_user (id, account_id, role, email)
    VALUES (new_id, who.account_id, new_role, new_email) ON CONFLICT (email) DO NOTHING
    RETURNING * INTO made;
  IF NOT FOUND THEN PERFORM refuse('user_exists'); END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user create',
    who.account_id, jsonb_build_object('userId', new_id, 'role', new_role));
  RETURN NEXT made;
END
$$;

-- Administrators invite the first owner of an account.
CREATE FUNCTION portal_invite_owner(of_session text, of_account text, new_id text, new_email text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'administrator');
  known account := account_to_change(of_account);
BEGIN
  -- A retry after a lost response.
  PERFORM 1 FROM portal_user WHERE id = new_id AND account_id = of_account;
  IF FOUND THEN RETURN; END IF;
  IF known.erased_at IS NOT NULL THEN PERFORM refuse('account_gone'); END IF;
  PERFORM 1 FROM portal_user WHERE account_id = of_account AND role IN ('owner', 'administrator');
  IF FOUND THEN PERFORM refuse('owner_exists'); END IF;
  INSERT INTO portal_user (id, account_id, role, email)
    VALUES (new_id, of_account, 'owner', new_email) ON CONFLICT (email) DO NOTHING;
  IF NOT FOUND THEN PERFORM refuse('user_exists'); END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user create',
    of_account, jsonb_build_object('userId', new_id, 'role', 'owner'));
END
$$;

-- End the sessions of a user and refuse new ones, or let the user sign in again. Returns whether that was a
-- change.
CREATE FUNCTION suspend_user(by_actor text, of_user text, suspends boolean) RETURNS boolean
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  known portal_user;
  now_ms constant bigint := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('team ' || one.account_id, 0)) FROM portal_user AS one
    WHERE id = of_user;
  SELECT * INTO known FROM portal_user WHERE id = of_user FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('user_unknown'); END IF;
  IF (known.suspended_at IS NOT NULL) = suspends THEN RETURN false; END IF;
  IF suspends THEN PERFORM require_other_owner(known); END IF;
  UPDATE portal_user SET suspended_at = CASE WHEN suspends THEN now_ms END, updated_at = now_ms
    WHERE id = of_user;
  IF suspends THEN DELETE FROM portal_session WHERE user_id = of_user; END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (by_actor,
    CASE WHEN suspends THEN 'user suspend' ELSE 'user resume' END,
    known.account_id, jsonb_build_object('userId', of_user));
  RETURN true;
END
$$;

-- NULL keeps the role or the suspension.
CREATE FUNCTION portal_change_member(
  of_session text, of_user text, new_role text, new_suspended boolean DEFAULT NULL
) RETURNS SETOF portal_user
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  IF new_role NOT IN ('member', 'moderator', 'owner') THEN PERFORM refuse('team_role_missing'); END IF;
  IF new_suspended AND known.id = who.id THEN PERFORM refuse('own_user'); END IF;
  IF known.role <> new_role THEN
    PERFORM require_other_owner(known);
    UPDATE portal_user SET role = new_role,
      updated_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint WHERE id = of_user;
    INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user change',
      known.account_id, jsonb_build_object('userId', of_user, 'role', new_role));
  END IF;
  IF new_suspended IS NOT NULL THEN
    PERFORM suspend_user('user:' || who.id, of_user, new_suspended);
  END IF;
  RETURN QUERY SELECT * FROM portal_user WHERE id = of_user;
END
$$;

-- Removing a user ends the sessions. The tokens belong to the account and stay.
CREATE FUNCTION portal_remove_member(of_session text, of_user text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  PERFORM require_other_owner(known);
  DELETE FROM portal_verification WHERE value::jsonb ->> 'email' = known.email;
  DELETE FROM portal_user WHERE id = of_user;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user remove',
    known.account_id, jsonb_build_object('userId', of_user));
END
$$;

-- End the sessions, the password, the passkeys and the sign-in links of another user, who then needs a new
-- link. The passkeys end too, because the device may belong to another person now.
CREATE FUNCTION portal_reset_member(of_session text, of_user text) RETURNS SETOF portal_user
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  IF known.suspended_at IS NOT NULL THEN PERFORM refuse('member_suspended'); END IF;
  -- An old session could replace the password and the second factor of its user without either.
  IF known.id = who.id THEN PERFORM refuse('own_link'); END IF;
  DELETE FROM portal_session WHERE user_id = of_user AND id <> of_session;
  DELETE FROM portal_credential WHERE user_id = of_user;
  DELETE FROM portal_passkey WHERE user_id = of_user;
  DELETE FROM portal_verification WHERE value::jsonb ->> 'email' = known.email;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user reset',
    known.account_id, jsonb_build_object('userId', of_user));
  RETURN NEXT known;
END
$$;

-- End the sessions of a user, who can sign in again.
CREATE FUNCTION portal_sign_out_member(of_session text, of_user text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  DELETE FROM portal_session WHERE user_id = of_user AND id <> of_session;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user sign-out',
    known.account_id, jsonb_build_object('userId', of_user));
END
$$;

-- A page of users by address: those of the owner's account, or of all accounts for an administrator. With
-- `only_id`, this user, of any account for an administrator.
CREATE FUNCTION portal_list_members(
  of_session text, only_id text, after_address text, most integer,
  of_all boolean DEFAULT false, of_account text DEFAULT NULL, beginning text DEFAULT NULL
) RETURNS TABLE (member portal_user, has_password boolean, last_seen bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  who portal_user := require_member(of_session, CASE WHEN of_all THEN 'administrator' ELSE 'owner' END);
  only_account constant text := CASE WHEN of_all OR (only_id IS NOT NULL AND who.role = 'administrator')
    THEN of_account ELSE who.account_id END;
BEGIN
  RETURN QUERY
  WITH page AS MATERIALIZED (
    SELECT one FROM portal_user AS one
    WHERE (only_account IS NULL OR one.account_id = only_account) AND (only_id IS NULL OR one.id = only_id)
      AND (beginning IS NULL OR begins_with(one.email, beginning))
      AND (after_address IS NULL OR one.email COLLATE "C" > after_address)
    ORDER BY one.email COLLATE "C" LIMIT most
  )
  SELECT page.one,
    EXISTS (SELECT 1 FROM portal_credential AS key
      WHERE key.user_id = (page.one).id AND password IS NOT NULL),
    (SELECT max(seen.updated_at) FROM portal_session AS seen WHERE seen.user_id = (page.one).id)
  FROM page ORDER BY (page.one).email COLLATE "C";
END
$$;

GRANT EXECUTE ON FUNCTION portal_invite, portal_invite_owner, portal_change_member, portal_remove_member,
  portal_reset_member, portal_sign_out_member, portal_list_members TO leadline_runtime;
