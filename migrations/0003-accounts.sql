-- Accounts, the tokens minted for them, how much these are used, and who did what about them.
--
-- Tokens are verified at the edge without any of this. What is here serves those who mint and revoke,
-- and every write, which asks for the standing of its token in the statement that writes.

CREATE TABLE account (
  -- As in the claim `acc`.
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  plan text NOT NULL CHECK (plan IN ('standard', 'enterprise')),
  -- What its tokens may be given.
  pilot boolean NOT NULL DEFAULT false,
  admin boolean NOT NULL DEFAULT false,
  -- Tokens of an earlier generation have ended.
  generation integer NOT NULL DEFAULT 0 CHECK (generation >= 0),
  note text CHECK (length(note) <= 256),
  created_at bigint NOT NULL DEFAULT (extract(epoch FROM now()) * 1000)::bigint,
  suspended_at bigint,
  erased_at bigint
);

CREATE TABLE api_token (
  -- As in the claim `jti`. The token itself is kept nowhere.
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
  expires_at bigint NOT NULL,
  -- May lie ahead: a token that was replaced goes on for a while.
  revoked_at bigint,
  replaced_by text REFERENCES api_token
);

CREATE INDEX api_token_of_account ON api_token (account_id, issued_at DESC);

-- What an administrator did: ids and settings, never a subject or an external user, as erasing a
-- person must not touch it. It is written with the act, in one transaction.
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

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what was done stays written: % on % is refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = '42501';
END
$$;

CREATE TRIGGER admin_act_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON admin_act
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The service's login neither writes nor reads here: what an administrator does by way of the service
-- is written by the function that does it, with its owner's rights.

-- What the database knows of a token: good, revoked, suspended or outdated. A token that was never
-- entered is good: its signature vouches for it, and revoking enters it.
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

-- The first line of every function that writes for a bearer. It raises LL401, which the service
-- answers with 401, and until the end of the transaction it keeps revocations of the account's
-- tokens waiting: once one has returned, no write of that token is committed any more.
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

-- The other side of that wait, for whoever revokes, suspends or erases.
CREATE FUNCTION hold_writes(of_account text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(401, hashtext(of_account))
$$;

GRANT EXECUTE ON FUNCTION require_standing, token_standing TO leadline_runtime;

CREATE TABLE token_usage (
  -- In UTC.
  day date NOT NULL,
  token_id text NOT NULL,
  account_id text NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (day, token_id)
);

-- Counts that came in, so that one sent twice, after a lost answer, counts once.
CREATE TABLE usage_report (
  id uuid PRIMARY KEY,
  received_at bigint NOT NULL
);
CREATE INDEX usage_report_by_age ON usage_report (received_at);

-- Add what one isolate counted since its last report. Returns false for a report that was added before.
CREATE FUNCTION add_usage(
  report uuid, days date[], tokens text[], accounts text[], requests bigint[]
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
  INSERT INTO token_usage AS known (day, token_id, account_id, requests)
    SELECT * FROM unnest(days, tokens, accounts, requests) AS counted (day, token, account, n)
    ORDER BY day, token
  ON CONFLICT (day, token_id) DO UPDATE SET requests = known.requests + excluded.requests;
  DELETE FROM usage_report WHERE id IN (
    SELECT id FROM usage_report WHERE received_at < now_ms - 3600000
    ORDER BY received_at LIMIT 100 FOR UPDATE SKIP LOCKED
  );
  RETURN true;
END
$$;

GRANT EXECUTE ON FUNCTION add_usage TO leadline_runtime;
