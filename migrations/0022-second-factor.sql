-- The second factor of portal users: time-based codes of an authenticator app (RFC 6238), and recovery codes.

ALTER TABLE portal_user ADD COLUMN two_factor_enabled boolean NOT NULL DEFAULT false;

-- The secret and the recovery codes are encrypted with the secret of sessions.
CREATE TABLE portal_second_factor (
  id text PRIMARY KEY,
  user_id text NOT NULL UNIQUE REFERENCES portal_user ON DELETE CASCADE,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  -- Whether the user has entered a code of the app.
  verified boolean NOT NULL DEFAULT false,
  -- Wrong codes in succession. Too many lock the second factor for some minutes.
  failed_verification_count integer NOT NULL DEFAULT 0,
  locked_until bigint
);

GRANT SELECT, INSERT, UPDATE, DELETE ON portal_second_factor TO leadline_runtime;
GRANT UPDATE (two_factor_enabled, updated_at) ON portal_user TO leadline_runtime;

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
GRANT SELECT, INSERT, DELETE ON portal_challenge TO leadline_runtime;

-- A user whose password is taken away starts again with a link, also without the second factor.
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
