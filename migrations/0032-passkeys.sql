-- Passkeys of portal users (WebAuthn): a way to sign in without a password.

CREATE TABLE portal_passkey (
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  user_id text NOT NULL REFERENCES portal_user ON DELETE CASCADE,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  -- Base64url, as the browser sends it. At most 1023 bytes (WebAuthn, 4).
  credential_id text NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 1 AND 1364),
  -- COSE, base64url.
  public_key text NOT NULL CHECK (length(public_key) BETWEEN 1 AND 4096),
  -- Number of signatures. Passkeys that are synchronised between devices keep 0.
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  created_at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
  last_used_at bigint
);
CREATE INDEX portal_passkey_of_user ON portal_passkey (user_id);
GRANT SELECT ON portal_passkey TO leadline_runtime;

CREATE FUNCTION portal_add_passkey(
  of_session text, new_id text, new_name text, new_credential text, new_key text, new_counter bigint,
  new_transports text[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'member');
BEGIN
  -- A retry after a lost response.
  PERFORM 1 FROM portal_passkey WHERE id = new_id AND user_id = who.id;
  IF FOUND THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('passkeys ' || who.id, 0));
  IF (SELECT count(*) FROM portal_passkey WHERE user_id = who.id) >= 20 THEN
    PERFORM refuse('passkeys_full');
  END IF;
  INSERT INTO portal_passkey (id, user_id, name, credential_id, public_key, counter, transports)
    VALUES (new_id, who.id, new_name, new_credential, new_key, new_counter, new_transports)
    ON CONFLICT (credential_id) DO NOTHING;
  IF NOT FOUND THEN PERFORM refuse('passkey_exists'); END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'passkey add',
    who.account_id, jsonb_build_object('userId', who.id, 'passkeyId', new_id));
END
$$;

CREATE FUNCTION portal_remove_passkey(of_session text, of_passkey text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'member');
BEGIN
  DELETE FROM portal_passkey WHERE id = of_passkey AND user_id = who.id;
  IF NOT FOUND THEN PERFORM refuse('passkey_unknown'); END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'passkey remove',
    who.account_id, jsonb_build_object('userId', who.id, 'passkeyId', of_passkey));
END
$$;

-- Record a verified sign-in. Returns the id of the user, or nothing if the passkey was removed or the
-- counter did not grow, which means that there is a copy of the passkey.
CREATE FUNCTION use_passkey(of_passkey text, new_counter bigint) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM refuse('account_suspended') FROM portal_passkey AS one
    JOIN portal_user ON portal_user.id = one.user_id JOIN account ON account.id = portal_user.account_id
    WHERE one.id = of_passkey AND account.suspended_at IS NOT NULL;
  RETURN QUERY UPDATE portal_passkey SET counter = new_counter,
    last_used_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
    WHERE id = of_passkey AND (counter < new_counter OR counter = 0 AND new_counter = 0)
    RETURNING user_id;
END
$$;
GRANT EXECUTE ON FUNCTION portal_add_passkey, portal_remove_passkey, use_passkey TO leadline_runtime;

-- A user who gets a new link starts again, also without passkeys: the device may be in other hands.
CREATE OR REPLACE FUNCTION portal_reset_member(of_session text, of_user text) RETURNS SETOF portal_user
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  IF known.suspended_at IS NOT NULL THEN PERFORM refuse('member_suspended'); END IF;
  DELETE FROM portal_session WHERE user_id = of_user AND id <> of_session;
  DELETE FROM portal_credential WHERE user_id = of_user;
  DELETE FROM portal_passkey WHERE user_id = of_user;
  DELETE FROM portal_verification WHERE value::jsonb ->> 'email' = known.email;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user reset',
    known.account_id, jsonb_build_object('userId', of_user));
  RETURN NEXT known;
END
$$;
