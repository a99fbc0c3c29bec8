-- A single user can be suspended. The sessions end, and no new one starts until the user is resumed.

-- Time of the suspension, epoch milliseconds.
ALTER TABLE portal_user ADD COLUMN suspended_at bigint;

-- All ways to sign in insert a session. The lock makes a suspension wait for it, and then end it.
CREATE FUNCTION refuse_suspended_user() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  suspended bigint;
BEGIN
  SELECT suspended_at INTO suspended FROM portal_user WHERE id = NEW.user_id FOR SHARE;
  IF suspended IS NOT NULL THEN PERFORM refuse('user_suspended'); END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER refuse_suspended_user BEFORE INSERT ON portal_session
  FOR EACH ROW EXECUTE FUNCTION refuse_suspended_user();

-- A suspended owner cannot manage the account.
CREATE OR REPLACE FUNCTION require_other_owner(leaving portal_user) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF leaving.role IN ('owner', 'administrator') AND NOT EXISTS (
    SELECT 1 FROM portal_user
    WHERE account_id = leaving.account_id AND role IN (leaving.role, 'administrator')
      AND id <> leaving.id AND suspended_at IS NULL
  ) THEN PERFORM refuse('last_owner'); END IF;
END
$$;

-- Returns whether that changed the user.
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
DROP FUNCTION portal_change_member;
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
GRANT EXECUTE ON FUNCTION portal_change_member TO leadline_runtime;

CREATE OR REPLACE FUNCTION portal_reset_member(of_session text, of_user text) RETURNS SETOF portal_user
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  IF known.suspended_at IS NOT NULL THEN PERFORM refuse('member_suspended'); END IF;
  DELETE FROM portal_session WHERE user_id = of_user AND id <> of_session;
  DELETE FROM portal_credential WHERE user_id = of_user;
  DELETE FROM portal_verification WHERE value::jsonb ->> 'email' = known.email;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user reset',
    known.account_id, jsonb_build_object('userId', of_user));
  RETURN NEXT known;
END
$$;
