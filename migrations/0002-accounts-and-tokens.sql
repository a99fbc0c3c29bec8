-- Accounts, their tokens, the audit trail and the usage. The service verifies tokens at the edge without
-- these tables. Commands and the portal issue and revoke tokens here, and every write checks the standing of
-- its token in the statement that writes.

CREATE TABLE account (
  -- As in the claim `acc`.
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  plan text NOT NULL CHECK (plan IN ('standard', 'enterprise')),
  -- Rights that its tokens may have.
  pilot boolean NOT NULL DEFAULT false,
  admin boolean NOT NULL DEFAULT false,
  -- Tokens of an earlier generation have ended.
  generation integer NOT NULL DEFAULT 0 CHECK (generation >= 0),
  note text CHECK (length(note) <= 256),
  created_at bigint NOT NULL DEFAULT (extract(epoch FROM now()) * 1000)::bigint,
  suspended_at bigint,
  erased_at bigint,
  -- Consent of uploads without `share`. `private`: no use. `aggregate`: in bins with the soundings of other
  -- boats. `open data`: also passed on as tracks.
  share text NOT NULL DEFAULT 'private' CHECK (share IN ('private', 'aggregate', 'open data'))
);

GRANT SELECT (id, share) ON account TO leadline_runtime;

CREATE TABLE api_token (
  -- As in the claim `jti`. The token itself is not stored.
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  account_id text NOT NULL REFERENCES account,
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 128),
  kind text NOT NULL CHECK (kind IN ('pk', 'sk')),
  plan text NOT NULL CHECK (plan IN ('standard', 'enterprise')),
  pilot boolean NOT NULL,
  scopes text[] NOT NULL,
  origins text[] NOT NULL,
  votes_for_users boolean NOT NULL,
  generation integer NOT NULL,
  -- The signing key's id; absent for a token signed with the shared secret.
  key_id text,
  note text CHECK (length(note) <= 256),
  issued_at bigint NOT NULL,
  -- NULL: a public token that is restricted to origins. It is built into apps, and ends only when it is revoked.
  expires_at bigint,
  -- May be in the future: a replaced token has a grace period.
  revoked_at bigint,
  replaced_by text REFERENCES api_token,
  -- SHA-256 of an opaque token's text, in hexadecimal. NULL: a signed token.
  token_hash text UNIQUE CHECK (token_hash ~ '^[0-9a-f]{64}$')
);

CREATE INDEX api_token_by_page ON api_token (account_id, issued_at DESC, id DESC);
CREATE INDEX api_token_by_time ON api_token (issued_at DESC, id DESC);
CREATE INDEX api_token_by_beginning ON api_token (lower(note) COLLATE "C");

-- What an administrator did: ids and settings, never a subject or an external user, because the erasure of a
-- person must not change these rows. A row is written in the transaction of the act. The service cannot read
-- or write the table: the functions that act do.
CREATE TABLE admin_act (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL DEFAULT (extract(epoch FROM now()) * 1000)::bigint,
  -- A person at a terminal, or `token:` and the id of an administrator's token.
  actor text NOT NULL CHECK (length(actor) BETWEEN 1 AND 128),
  act text NOT NULL CHECK (act ~ '^[a-z-]{1,32}( [a-z-]{1,32})?$'),
  account_id text,
  token_id text,
  detail jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(detail) = 'object')
);

CREATE INDEX admin_act_of_account ON admin_act (account_id, id DESC);
CREATE INDEX admin_act_by_actor ON admin_act (actor, id DESC);
CREATE INDEX admin_act_by_act ON admin_act (act, id DESC);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a row of the audit trail cannot be changed: % on % is refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = '42501';
END
$$;

CREATE TRIGGER admin_act_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON admin_act
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The standing of a token: good, revoked, suspended or outdated. A token that was never recorded is good: its
-- signature proves it, and revoking records it.
CREATE FUNCTION token_standing(of_token text, of_account text, of_generation integer) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE
    WHEN EXISTS (
      SELECT 1 FROM api_token
      WHERE id = of_token AND revoked_at <= extract(epoch FROM clock_timestamp()) * 1000
    ) THEN 'revoked'
    ELSE coalesce((
      SELECT CASE
        WHEN suspended_at IS NOT NULL THEN 'suspended'
        WHEN of_generation < generation THEN 'outdated'
      END
      FROM account WHERE id = of_account
    ), 'good')
  END
$$;

-- The first line of every function that writes for the bearer of a token. It raises LL401, to which the
-- service responds with 401. Until the end of the transaction, revocations of tokens of the account wait:
-- after one has returned, no write with that token is committed.
CREATE FUNCTION require_standing(of_token text, of_account text, of_generation integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  standing text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(401, hashtext(of_account));
  standing := token_standing(of_token, of_account, of_generation);
  IF standing <> 'good' THEN
    RAISE EXCEPTION 'the token is %', standing USING ERRCODE = 'LL401';
  END IF;
END
$$;

-- Waits for these writes. Functions that revoke, suspend or erase call it.
CREATE FUNCTION hold_writes(of_account text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(401, hashtext(of_account))
$$;

CREATE TABLE token_usage (
  -- In UTC.
  day date NOT NULL,
  token_id text NOT NULL,
  account_id text NOT NULL,
  requests bigint NOT NULL,
  kind text NOT NULL DEFAULT 'Other',
  refused bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (day, token_id, kind)
);

CREATE INDEX token_usage_of_token ON token_usage (token_id, day);
CREATE INDEX token_usage_of_account ON token_usage (account_id, day);

-- Received count reports: one that is sent again after a lost response counts once.
CREATE TABLE usage_report (
  id uuid PRIMARY KEY,
  received_at bigint NOT NULL
);
CREATE INDEX usage_report_by_age ON usage_report (received_at);

-- Adds counts. Counts with the same report id are added only once within an hour.
CREATE FUNCTION add_usage(
  report uuid, days date[], tokens text[], accounts text[], kinds text[], requests bigint[],
  refusals bigint[], failures bigint[]
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  now_ms constant bigint := extract(epoch FROM now()) * 1000;
BEGIN
  INSERT INTO usage_report VALUES (report, now_ms) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- In one order, so that two reports never wait for each other.
  INSERT INTO token_usage AS known (day, token_id, account_id, kind, requests, refused, failed)
    SELECT * FROM unnest(days, tokens, accounts, kinds, requests, refusals, failures)
      AS counted (day, token, account, kind, n, refused, failed)
    ORDER BY day, token, kind
  ON CONFLICT (day, token_id, kind) DO UPDATE SET requests = known.requests + excluded.requests,
    refused = known.refused + excluded.refused, failed = known.failed + excluded.failed;
  DELETE FROM usage_report WHERE id IN (
    SELECT id FROM usage_report WHERE received_at < now_ms - 3600000
    ORDER BY received_at LIMIT 100 FOR UPDATE SKIP LOCKED
  );
  RETURN true;
END
$$;

-- Accounts. The commands on the operator's machine and the portal call the same functions.
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

-- Record a token if its account may have it. The caller makes the id and the text of the token. Users of an
-- account create or replace at most 200 tokens within a day.
CREATE FUNCTION issue_token(by_actor text, this_act text, token api_token, more jsonb) RETURNS api_token
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  owning account;
BEGIN
  SELECT * INTO owning FROM account WHERE id = token.account_id FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('account_unknown'); END IF;
  IF owning.erased_at IS NOT NULL THEN PERFORM refuse('account_erased'); END IF;
  IF owning.suspended_at IS NOT NULL THEN PERFORM refuse('account_suspended'); END IF;
  -- A revoked token without expiry stays in the published list, which every isolate reads.
  IF by_actor LIKE 'user:%' AND (SELECT count(*) FROM (SELECT FROM api_token
    WHERE account_id = token.account_id AND issued_at > now_ms() - 86400000 LIMIT 200) AS recent) >= 200
  THEN PERFORM refuse('tokens_frequent'); END IF;
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

GRANT EXECUTE ON FUNCTION require_standing, token_standing, add_usage TO leadline_runtime;
