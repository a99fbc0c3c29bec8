-- The role of the service and the rights that are revoked from PUBLIC, helper functions, and idempotency keys.

-- The login of the service is a member of this role. The role owns nothing and cannot change tables. Each
-- file grants it only the rights that the service needs.
DO $$
BEGIN
  -- Roles belong to the whole server, which may have other databases of ours. To create a role that exists is
  -- refused to owners that may not create roles.
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'leadline_runtime') THEN
    CREATE ROLE leadline_runtime NOLOGIN;
  END IF;
EXCEPTION
  -- Another database's owner created it at the same time.
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO leadline_runtime;

-- Functions are granted one by one, as tables are.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

-- Milliseconds since 1970, also within a transaction that has run for some time.
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- Raises a refusal of a rule. The message is its code.
CREATE FUNCTION refuse(reason text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', reason USING ERRCODE = 'LL409';
END
$$;

-- Whether a text begins with another. The comparison in the order of bytes uses an index.
CREATE FUNCTION begins_with(whole text, beginning text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT whole COLLATE "C" >= beginning AND whole COLLATE "C" < beginning || chr(1114111)
$$;

-- Requests with an `Idempotency-Key` that created something: one object, for any number of repeated or
-- concurrent requests. The keys of soundings are in `ingest_key`, with the stored responses.
CREATE TABLE create_key (
  account_id text NOT NULL,
  subject text NOT NULL,
  -- A key that is used for a report is free for a style.
  kind text NOT NULL CHECK (kind IN ('report', 'style')),
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  body_sha256 text NOT NULL CHECK (length(body_sha256) = 64),
  -- The created object and its time. The body of the repeated request has the rest.
  object_id uuid NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, subject, kind, key)
);

CREATE INDEX create_key_by_age ON create_key (created_at);

-- `outcome` is done, taken, taken_by_caller, name_taken, too_many, repeated or other_body. done and repeated
-- have the id and the time of the object.
CREATE TYPE creation AS (outcome text, object_id uuid, created_at bigint);

-- Insert a key for an object that will be created. Other requests with it wait until the end of the
-- transaction. Returns NULL if the key was free, otherwise the response. A key is kept for 24 hours.
CREATE FUNCTION enter_create_key(
  of_account text, of_subject text, of_kind text, with_key text, body text, new_id uuid, now_ms bigint
) RETURNS creation
LANGUAGE plpgsql AS $$
DECLARE
  day_ms CONSTANT bigint := 86400000;
  known create_key;
BEGIN
  IF with_key IS NULL THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock(
    hashtextextended(concat_ws(chr(31), of_account, of_subject, of_kind, with_key), 5));
  SELECT * INTO known FROM create_key
    WHERE account_id = of_account AND subject = of_subject AND kind = of_kind AND key = with_key;
  IF FOUND AND known.created_at > now_ms - day_ms THEN
    IF known.body_sha256 = body THEN
      RETURN ('repeated', known.object_id, known.created_at)::creation;
    END IF;
    RETURN ('other_body', NULL, NULL)::creation;
  END IF;
  INSERT INTO create_key VALUES (of_account, of_subject, of_kind, with_key, body, new_id, now_ms)
    ON CONFLICT (account_id, subject, kind, key) DO UPDATE SET body_sha256 = excluded.body_sha256,
      object_id = excluded.object_id, created_at = excluded.created_at;
  -- Each request deletes some expired rows.
  DELETE FROM create_key k USING (
    SELECT old.account_id, old.subject, old.kind, old.key FROM create_key old
    WHERE old.created_at <= now_ms - day_ms
    ORDER BY old.created_at LIMIT 20 FOR UPDATE SKIP LOCKED
  ) AS gone
  WHERE k.account_id = gone.account_id AND k.subject = gone.subject AND k.kind = gone.kind
    AND k.key = gone.key;
  RETURN NULL;
END
$$;

-- Nothing was created, so the key is free for another request.
CREATE FUNCTION free_create_key(of_account text, of_subject text, of_kind text, with_key text)
RETURNS void LANGUAGE sql AS $$
  DELETE FROM create_key
  WHERE account_id = of_account AND subject = of_subject AND kind = of_kind AND key = with_key
$$;
