-- Requests that create something, known again by their Idempotency-Key: one object however often and
-- however simultaneously a request is put. Keys of soundings are in ingest_key, with what became of them.

CREATE TABLE create_key (
  account_id text NOT NULL,
  subject text NOT NULL,
  -- A key that is used for a report is free for a style.
  kind text NOT NULL CHECK (kind IN ('report', 'style')),
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  body_sha256 text NOT NULL CHECK (length(body_sha256) = 64),
  -- What was created, and when; the body of the repeated request tells the rest.
  object_id uuid NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, subject, kind, key)
);

CREATE INDEX create_key_by_age ON create_key (created_at);

-- done, taken, taken_by_caller, name_taken, too_many, repeated or other_body; for done and repeated
-- with the object's id and time.
CREATE TYPE creation AS (outcome text, object_id uuid, created_at bigint);

-- Enter a key for what is about to be created, and keep others who use it waiting until the end of the
-- transaction. Null where it was free; else what is to be answered. A key is kept for 24 hours.
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
  -- Each takes away some that are past their time.
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

-- Nothing was created, so the key is free for another try.
CREATE FUNCTION free_create_key(of_account text, of_subject text, of_kind text, with_key text)
RETURNS void LANGUAGE sql AS $$
  DELETE FROM create_key
  WHERE account_id = of_account AND subject = of_subject AND kind = of_kind AND key = with_key
$$;

DROP FUNCTION create_report(
  uuid, bigint, text, text, integer, text, text, text, text, double precision, double precision,
  double precision, json, bigint
);

-- The same with a key, which may be null.
CREATE FUNCTION create_report(
  request uuid, now_ms bigint, caller_token text, caller_account text, caller_generation integer,
  caller_subject text,
  with_key text, body_sha256 text,
  id_as_sent text, external_user text, report_kind text, at_latitude double precision,
  at_longitude double precision, at_place double precision, with_properties json, for_ms bigint
) RETURNS creation
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  new_id CONSTANT uuid := id_as_sent::uuid;
  answer creation;
  known user_report;
BEGIN
  PERFORM require_standing(caller_token, caller_account, caller_generation);
  answer := enter_create_key(
    caller_account, caller_subject, 'report', with_key, body_sha256, new_id, now_ms);
  IF answer.outcome IS NOT NULL THEN
    RETURN answer;
  END IF;
  INSERT INTO user_report (
    id, sent_id, account_id, owner_subject, external_user_id, report_type, latitude, longitude,
    place, properties, lifetime_ms, created_at, updated_at, expires_at, sweep_at, last_request
  ) VALUES (
    new_id, nullif(id_as_sent, new_id::text), caller_account, caller_subject, external_user,
    report_kind, at_latitude, at_longitude, at_place, with_properties, for_ms, now_ms, now_ms,
    now_ms + for_ms, now_ms + for_ms, request
  ) ON CONFLICT (id) DO NOTHING;
  IF FOUND THEN
    RETURN ('done', new_id, now_ms)::creation;
  END IF;
  SELECT * INTO known FROM user_report WHERE id = new_id;
  IF known.last_request = request THEN
    RETURN ('done', new_id, known.created_at)::creation;
  END IF;
  PERFORM free_create_key(caller_account, caller_subject, 'report', with_key);
  RETURN (CASE
    WHEN known.account_id = caller_account AND known.owner_subject = caller_subject
      THEN 'taken_by_caller'
    ELSE 'taken'
  END, NULL, NULL)::creation;
END
$$;

-- A saved style, if its name is free and the account has fewer than so many. Requests of one account
-- take turns, so that no two of them count the same.
CREATE FUNCTION create_style(
  now_ms bigint, caller_token text, caller_account text, caller_generation integer,
  caller_subject text,
  with_key text, body_sha256 text,
  new_id uuid, style_name text, from_theme text, with_parameters jsonb, most integer
) RETURNS creation
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  answer creation;
  made_at bigint;
BEGIN
  PERFORM require_standing(caller_token, caller_account, caller_generation);
  answer := enter_create_key(
    caller_account, caller_subject, 'style', with_key, body_sha256, new_id, now_ms);
  IF answer.outcome IS NOT NULL THEN
    RETURN answer;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(caller_account, 4));
  -- An earlier attempt of this request, whose answer was lost.
  SELECT created_at INTO made_at FROM saved_style
    WHERE account_id = caller_account AND id = new_id;
  IF FOUND THEN
    RETURN ('done', new_id, made_at)::creation;
  END IF;
  IF (SELECT count(*) FROM saved_style WHERE account_id = caller_account) >= most THEN
    PERFORM free_create_key(caller_account, caller_subject, 'style', with_key);
    RETURN ('too_many', NULL, NULL)::creation;
  END IF;
  INSERT INTO saved_style
    VALUES (new_id, caller_account, style_name, from_theme, with_parameters, now_ms, now_ms)
    ON CONFLICT (account_id, name) DO NOTHING;
  IF NOT FOUND THEN
    PERFORM free_create_key(caller_account, caller_subject, 'style', with_key);
    RETURN ('name_taken', NULL, NULL)::creation;
  END IF;
  RETURN ('done', new_id, now_ms)::creation;
END
$$;

GRANT EXECUTE ON FUNCTION create_report, create_style TO leadline_runtime;
-- Styles are created by the function alone.
REVOKE INSERT ON saved_style FROM leadline_runtime;
