-- The team of an account: its users, their roles, and invitations. Every change is in the audit trail.

CREATE INDEX portal_user_by_address ON portal_user (account_id, email);

-- The service makes the sign-in links of invited users with its sign-in library. It can insert sessions
-- already, so this permits nothing new.
GRANT INSERT ON portal_verification TO leadline_runtime;

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

-- Select a user of the caller's account for a change.
CREATE FUNCTION member_to_change(who portal_user, of_user text) RETURNS portal_user
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  found_user portal_user;
BEGIN
  SELECT * INTO found_user FROM portal_user
    WHERE id = of_user AND account_id = who.account_id FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('user_unknown'); END IF;
  IF found_user.role = 'administrator' AND who.role <> 'administrator' THEN
    PERFORM refuse('team_role_missing');
  END IF;
  RETURN found_user;
END
$$;

-- An account keeps an owner or an administrator, and the account of the operator an administrator.
CREATE FUNCTION require_other_owner(leaving portal_user) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF leaving.role IN ('owner', 'administrator') AND NOT EXISTS (
    SELECT 1 FROM portal_user
    WHERE account_id = leaving.account_id AND role IN (leaving.role, 'administrator')
      AND id <> leaving.id
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

CREATE FUNCTION portal_change_member(of_session text, of_user text, new_role text)
RETURNS SETOF portal_user
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  IF new_role NOT IN ('member', 'moderator', 'owner') THEN PERFORM refuse('team_role_missing'); END IF;
  IF known.role <> new_role THEN
    PERFORM require_other_owner(known);
    UPDATE portal_user SET role = new_role,
      updated_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
      WHERE id = of_user RETURNING * INTO known;
    INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user change',
      who.account_id, jsonb_build_object('userId', of_user, 'role', new_role));
  END IF;
  RETURN NEXT known;
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
    who.account_id, jsonb_build_object('userId', of_user));
END
$$;

-- End the sessions, the password and the sign-in links of a user, who then needs a new link.
CREATE FUNCTION portal_reset_member(of_session text, of_user text) RETURNS SETOF portal_user
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  DELETE FROM portal_session WHERE user_id = of_user AND id <> of_session;
  DELETE FROM portal_credential WHERE user_id = of_user;
  DELETE FROM portal_verification WHERE value::jsonb ->> 'email' = known.email;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user reset',
    who.account_id, jsonb_build_object('userId', of_user));
  RETURN NEXT known;
END
$$;

-- A page of the users of the owner's account, by address.
CREATE FUNCTION portal_list_members(of_session text, only_id text, after_address text, most integer)
RETURNS TABLE (member portal_user, has_password boolean, last_seen bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'owner');
BEGIN
  RETURN QUERY
  SELECT one,
    EXISTS (SELECT 1 FROM portal_credential AS key WHERE key.user_id = one.id AND password IS NOT NULL),
    (SELECT max(seen.updated_at) FROM portal_session AS seen WHERE seen.user_id = one.id)
  FROM portal_user AS one
  WHERE one.account_id = who.account_id AND (only_id IS NULL OR one.id = only_id)
    AND (after_address IS NULL OR one.email > after_address)
  ORDER BY one.email LIMIT most;
END
$$;

GRANT EXECUTE ON FUNCTION portal_invite, portal_change_member, portal_remove_member, portal_reset_member,
  portal_list_members TO leadline_runtime;
