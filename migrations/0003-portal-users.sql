-- Users of the portal, their sessions, and the ways to sign in: password, link, second factor and passkey.

CREATE TABLE portal_user (
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  account_id text NOT NULL REFERENCES account,
  -- An administrator manages every account; the others manage their own.
  role text NOT NULL CHECK (role IN ('member', 'moderator', 'owner', 'administrator')),
  email text NOT NULL UNIQUE CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  name text NOT NULL DEFAULT '' CHECK (length(name) <= 128),
  email_verified boolean NOT NULL DEFAULT true,
  image text,
  created_at bigint NOT NULL DEFAULT (extract(epoch FROM now()) * 1000)::bigint,
  updated_at bigint NOT NULL DEFAULT (extract(epoch FROM now()) * 1000)::bigint,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  suspended_at bigint
);
CREATE INDEX portal_user_of_account ON portal_user (account_id);
CREATE INDEX portal_user_by_beginning ON portal_user (email COLLATE "C");
CREATE INDEX portal_user_by_address ON portal_user (account_id, email COLLATE "C");

-- Passwords, as salted scrypt hashes.
CREATE TABLE portal_credential (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES portal_user ON DELETE CASCADE,
  provider_id text NOT NULL,
  account_id text NOT NULL,
  password text,
  -- Of other identity providers, which the sign-in library requires and this service does not use.
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at bigint,
  refresh_token_expires_at bigint,
  scope text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  UNIQUE (user_id, provider_id)
);

CREATE TABLE portal_session (
  id text PRIMARY KEY,
  token text NOT NULL UNIQUE,
  user_id text NOT NULL REFERENCES portal_user ON DELETE CASCADE,
  user_agent text,
  ip_address text,
  expires_at bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE INDEX portal_session_of_user ON portal_session (user_id);
CREATE INDEX portal_session_by_expiry ON portal_session (expires_at);

-- One-time sign-in links. `identifier` contains the hash of the link's token.
CREATE TABLE portal_verification (
  id text PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE INDEX portal_verification_by_identifier ON portal_verification (identifier);

-- Second factors: time-based codes of an authenticator app (RFC 6238), and recovery codes. The secret and the
-- recovery codes are encrypted with the secret of sessions.
CREATE TABLE portal_second_factor (
  id text PRIMARY KEY,
  user_id text NOT NULL UNIQUE REFERENCES portal_user ON DELETE CASCADE,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  -- Whether the user has entered a code of the app.
  verified boolean NOT NULL DEFAULT false,
  -- Consecutive wrong codes. Too many lock the second factor for some minutes.
  failed_verification_count integer NOT NULL DEFAULT 0,
  locked_until bigint
);

-- Sign-ins whose password was right and whose code is missing. `value` is the id of the user or a count.
CREATE TABLE portal_challenge (
  id text PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE INDEX portal_challenge_by_identifier ON portal_challenge (identifier);
CREATE INDEX portal_challenge_by_expiry ON portal_challenge (expires_at);

-- Passkeys (WebAuthn): a way to sign in without a password.
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

-- The service signs users in and out, sets passwords and makes sign-in links. It cannot create users or
-- change their role, account or address.
GRANT SELECT, UPDATE (two_factor_enabled, updated_at) ON portal_user TO leadline_runtime;
GRANT SELECT, INSERT, DELETE, UPDATE (expires_at, updated_at) ON portal_session TO leadline_runtime;
GRANT SELECT, INSERT, UPDATE (password, updated_at) ON portal_credential TO leadline_runtime;
GRANT SELECT, INSERT, DELETE ON portal_verification, portal_challenge TO leadline_runtime;
GRANT SELECT, INSERT, UPDATE, DELETE ON portal_second_factor TO leadline_runtime;
GRANT SELECT ON portal_passkey TO leadline_runtime;

-- The newest sign-in link of a user is the only one. The lock makes links that are inserted at once wait for
-- each other.
CREATE FUNCTION replace_links() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  address constant text := NEW.value::jsonb ->> 'email';
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('link ' || address, 0));
  DELETE FROM portal_verification WHERE value::jsonb ->> 'email' = address;
  RETURN NEW;
END
$$;

CREATE TRIGGER newest_link_only BEFORE INSERT ON portal_verification
  FOR EACH ROW EXECUTE FUNCTION replace_links();

-- A user whose password is removed signs in with a link again, also without the second factor.
CREATE FUNCTION end_second_factor() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM portal_second_factor WHERE user_id = OLD.user_id;
  UPDATE portal_user SET two_factor_enabled = false WHERE id = OLD.user_id;
  RETURN NULL;
END
$$;

CREATE TRIGGER end_second_factor AFTER DELETE ON portal_credential
  FOR EACH ROW EXECUTE FUNCTION end_second_factor();

-- No session of a suspended user starts. All ways to sign in insert a session. The lock makes a suspension
-- wait for it, and then end it.
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

-- The first line of every function of the portal: the user of a valid session, who has at least this role.
-- The row locks keep the end of the session and changes of the role waiting until the transaction ends. Users
-- of a suspended account have the rights of members only: an administrator could resume the account.
CREATE FUNCTION require_member(of_session text, at_least text) RETURNS portal_user
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user;
  ranks constant text[] := ARRAY['member', 'moderator', 'owner', 'administrator'];
BEGIN
  PERFORM 1 FROM portal_session WHERE id = of_session
    AND expires_at > extract(epoch FROM clock_timestamp()) * 1000 FOR SHARE;
  IF NOT FOUND THEN PERFORM refuse('session_ended'); END IF;
  SELECT one.* INTO who FROM portal_user AS one
    WHERE id = (SELECT user_id FROM portal_session WHERE id = of_session) FOR SHARE;
  IF NOT FOUND THEN PERFORM refuse('session_ended'); END IF;
  IF array_position(ranks, who.role) < array_position(ranks, at_least) THEN
    PERFORM refuse('role_missing');
  END IF;
  IF EXISTS (SELECT 1 FROM account WHERE id = who.account_id AND suspended_at IS NOT NULL) THEN
    IF at_least <> 'member' THEN PERFORM refuse('account_suspended'); END IF;
    -- Lists show administrators the tokens of other accounts.
    who.role := 'member';
  END IF;
  RETURN who;
END
$$;

CREATE FUNCTION portal_require_administrator(of_session text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_member(of_session, 'administrator');
END
$$;

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

-- The last passkey of a user without a password stays.
CREATE FUNCTION portal_remove_passkey(of_session text, of_passkey text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'member');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('passkeys ' || who.id, 0));
  DELETE FROM portal_passkey WHERE id = of_passkey AND user_id = who.id;
  IF NOT FOUND THEN PERFORM refuse('passkey_unknown'); END IF;
  IF NOT EXISTS (SELECT FROM portal_passkey WHERE user_id = who.id)
    AND NOT EXISTS (SELECT FROM portal_credential WHERE user_id = who.id AND password IS NOT NULL)
  THEN PERFORM refuse('passkey_last'); END IF;
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

GRANT EXECUTE ON FUNCTION portal_require_administrator, portal_add_passkey, portal_remove_passkey, use_passkey
  TO leadline_runtime;
