-- The portal: users who sign in, their sessions, and the functions by which they manage the tokens of
-- their account. `npm run tokens` calls the same functions, so both follow the same rules.

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
  updated_at bigint NOT NULL DEFAULT (extract(epoch FROM now()) * 1000)::bigint
);
CREATE INDEX portal_user_of_account ON portal_user (account_id);

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

-- The service signs users in and out and sets passwords. It cannot create users or change their role,
-- account or address.
GRANT SELECT ON portal_user TO leadline_runtime;
GRANT SELECT, INSERT, DELETE, UPDATE (expires_at, updated_at) ON portal_session TO leadline_runtime;
GRANT SELECT, INSERT, UPDATE (password, updated_at) ON portal_credential TO leadline_runtime;
GRANT SELECT, DELETE ON portal_verification TO leadline_runtime;

CREATE INDEX token_usage_of_token ON token_usage (token_id, day);
CREATE INDEX token_usage_of_account ON token_usage (account_id, day);

-- Raises a refusal of the rules below. The message is its code.
CREATE FUNCTION refuse(reason text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', reason USING ERRCODE = 'LL409';
END
$$;

-- Record a token if its account may have it. The caller makes the id and the text of the token.
CREATE FUNCTION issue_token(
  by_actor text, this_act text, token api_token, more jsonb
) RETURNS api_token LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  owning account;
BEGIN
  SELECT * INTO owning FROM account WHERE id = token.account_id FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('account_unknown'); END IF;
  IF owning.erased_at IS NOT NULL THEN PERFORM refuse('account_erased'); END IF;
  IF owning.suspended_at IS NOT NULL THEN PERFORM refuse('account_suspended'); END IF;
  token.plan := coalesce(token.plan, owning.plan);
  token.pilot := coalesce(token.pilot, owning.pilot);
  token.generation := owning.generation;
  IF token.plan = 'enterprise' AND owning.plan <> 'enterprise' THEN PERFORM refuse('plan_exceeded'); END IF;
  IF token.pilot AND NOT owning.pilot THEN PERFORM refuse('pilot_exceeded'); END IF;
  IF 'reports:admin' = ANY (token.scopes) AND NOT owning.admin THEN PERFORM refuse('admin_exceeded'); END IF;
  INSERT INTO api_token SELECT token.*;
  INSERT INTO admin_act (actor, act, account_id, token_id, detail) VALUES (
    by_actor, this_act, token.account_id, token.id, more || jsonb_build_object(
      'kind', token.kind, 'plan', token.plan, 'pilot', token.pilot, 'scopes', token.scopes,
      'votesForUsers', token.votes_for_users, 'generation', token.generation, 'keyId', token.key_id,
      'expiresAt', token.expires_at, 'isOpaque', token.token_hash IS NOT NULL));
  RETURN token;
END
$$;

-- Select a token for a change, after the writes that use it have ended.
CREATE FUNCTION token_to_change(token_id text) RETURNS api_token
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  found_token api_token;
BEGIN
  SELECT * INTO found_token FROM api_token WHERE id = token_id;
  IF NOT FOUND THEN PERFORM refuse('token_unknown'); END IF;
  PERFORM hold_writes(found_token.account_id);
  SELECT * INTO found_token FROM api_token WHERE id = token_id FOR UPDATE;
  RETURN found_token;
END
$$;

-- Record a token with the rights and the lifetime of an old one, which ends after the grace period.
CREATE FUNCTION replace_token(
  by_actor text, old_id text, grace_ms bigint, new_id text, new_hash text, new_key text, issued bigint
) RETURNS api_token LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  old api_token := token_to_change(old_id);
  made api_token;
BEGIN
  IF old.replaced_by IS NOT NULL THEN PERFORM refuse('token_replaced'); END IF;
  IF old.revoked_at IS NOT NULL THEN PERFORM refuse('token_revoked'); END IF;
  IF (old.token_hash IS NULL) <> (new_hash IS NULL) THEN PERFORM refuse('token_signed'); END IF;
  made := old;
  made.id := new_id;
  made.token_hash := new_hash;
  made.key_id := new_key;
  made.issued_at := issued;
  made.expires_at := issued + (old.expires_at - old.issued_at);
  made := issue_token(by_actor, 'token rotate', made, jsonb_build_object('replaces', old_id));
  UPDATE api_token SET replaced_by = new_id,
    revoked_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + grace_ms WHERE id = old_id;
  RETURN made;
END
$$;

-- Revoke a token. A replaced token in its grace period ends now.
CREATE FUNCTION revoke_token(by_actor text, token_id text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  known api_token := token_to_change(token_id);
BEGIN
  UPDATE api_token
    SET revoked_at = least(revoked_at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    WHERE id = known.id;
  INSERT INTO admin_act (actor, act, account_id, token_id)
    VALUES (by_actor, 'token revoke', known.account_id, known.id);
END
$$;

-- Change the name or the origins of a token. NULL keeps the value. The claims of a signed token cannot
-- change.
CREATE FUNCTION change_token(
  by_actor text, token_id text, new_note text, new_origins text[]
) RETURNS api_token LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  known api_token := token_to_change(token_id);
BEGIN
  IF known.revoked_at IS NOT NULL THEN PERFORM refuse('token_revoked'); END IF;
  IF new_origins IS NOT NULL AND known.token_hash IS NULL THEN PERFORM refuse('token_signed'); END IF;
  UPDATE api_token SET note = coalesce(new_note, note), origins = coalesce(new_origins, origins)
    WHERE id = known.id RETURNING * INTO known;
  INSERT INTO admin_act (actor, act, account_id, token_id, detail) VALUES (
    by_actor, 'token change', known.account_id, known.id,
    jsonb_build_object('changed', array_remove(ARRAY[
      CASE WHEN new_note IS NOT NULL THEN 'name' END,
      CASE WHEN new_origins IS NOT NULL THEN 'origins' END], NULL)));
  RETURN known;
END
$$;

-- The list that the edge checks reads with. Expired tokens are omitted, because the edge rejects them by
-- their claims.
CREATE FUNCTION revocation_list(tolerance_ms bigint) RETURNS json
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms),
  revoked AS (
    SELECT id, revoked_at, revoked_at <= now_ms AS has_ended FROM api_token, clock
    WHERE revoked_at IS NOT NULL AND (expires_at IS NULL OR expires_at > now_ms - tolerance_ms)
  )
  SELECT json_build_object(
    'tokens', (SELECT coalesce(json_agg(id ORDER BY id), '[]') FROM revoked WHERE has_ended),
    'ending', (SELECT coalesce(json_object_agg(id, revoked_at), '{}') FROM revoked WHERE NOT has_ended),
    'suspended', (SELECT coalesce(json_agg(id ORDER BY id), '[]') FROM account WHERE suspended_at IS NOT NULL),
    'generations', (SELECT coalesce(json_object_agg(id, generation), '{}') FROM account WHERE generation > 0))
$$;

-- The user of a valid session, who has at least this role. The row locks keep the end of the session and
-- changes of the role waiting until the transaction ends.
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
  RETURN who;
END
$$;

-- The role that a user needs to hold or change a token with these rights.
CREATE FUNCTION role_for_token(scopes text[], votes_for_users boolean) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN votes_for_users THEN 'owner' WHEN 'reports:admin' = ANY (scopes) THEN 'moderator'
    ELSE 'member' END
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

-- A page of the tokens of the user's account, newest first: those issued before `before_id`. With
-- `only_id`, this token.
CREATE FUNCTION portal_list_tokens(
  of_session text, only_id text, with_ended boolean, before_id text, most integer
) RETURNS TABLE (
  token api_token, user_id text, user_email text, standing text, last_used_on date, requests bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'member');
  before_time bigint := 9007199254740991;
BEGIN
  SELECT issued_at INTO before_time FROM api_token
    WHERE id = before_id AND account_id = who.account_id;
  RETURN QUERY
  SELECT one, creator.id, creator.email,
    CASE WHEN one.revoked_at <= clock.now_ms THEN 'revoked' WHEN one.expires_at <= clock.now_ms THEN 'expired'
      ELSE token_standing(one.id, one.account_id, one.generation) END,
    (SELECT max(day) FROM token_usage WHERE token_usage.token_id = one.id),
    (SELECT coalesce(sum(used.requests), 0)::bigint FROM token_usage AS used
      WHERE used.token_id = one.id AND day > (now() AT TIME ZONE 'UTC')::date - 30)
  FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS clock (now_ms), api_token AS one
  LEFT JOIN portal_user AS creator
    ON creator.account_id = one.account_id AND one.subject = 'member:' || creator.id
  WHERE (one.account_id = who.account_id OR (only_id IS NOT NULL AND who.role = 'administrator'))
    AND (only_id IS NULL OR one.id = only_id)
    AND (before_id IS NULL OR (one.issued_at, one.id) < (before_time, before_id))
    AND (with_ended OR (coalesce(one.revoked_at > clock.now_ms, true)
      AND coalesce(one.expires_at > clock.now_ms, true)))
  ORDER BY one.issued_at DESC, one.id DESC LIMIT most;
END
$$;

-- Requests of the user's account by day, since a day.
CREATE FUNCTION portal_usage(of_session text, since date) RETURNS TABLE (day date, requests bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'member');
BEGIN
  RETURN QUERY SELECT used.day, sum(used.requests)::bigint FROM token_usage AS used
    WHERE account_id = who.account_id AND used.day >= since GROUP BY used.day ORDER BY used.day;
END
$$;

GRANT EXECUTE ON FUNCTION revocation_list, portal_issue_token, portal_replace_token, portal_change_token,
  portal_revoke_token, portal_list_tokens, portal_usage TO leadline_runtime;
