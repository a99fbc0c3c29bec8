-- Reports of sailors and votes on them. The service accesses both tables only through functions: one call
-- for a request, exact under any concurrency, and with the same outcome if it is repeated.
--
-- Times are the caller's: epoch milliseconds by the Worker's clock. A report is active until it is deleted or
-- has expired. The sweep writes `expired_at` later, so that readers and voters also check `expires_at`.

CREATE TABLE user_report (
  -- Ids are never reused: rows stay.
  id uuid PRIMARY KEY,
  -- As it was sent, if that differs from `id` in the case of its letters.
  sent_id text CHECK (lower(sent_id) = id::text),
  account_id text NOT NULL CHECK (length(account_id) BETWEEN 1 AND 64),
  owner_subject text NOT NULL CHECK (length(owner_subject) BETWEEN 1 AND 128),
  external_user_id text CHECK (length(external_user_id) <= 256),
  namespace text NOT NULL DEFAULT 'public',
  report_type text NOT NULL CHECK (report_type IN ('hazard', 'accident', 'weather', 'wildlife')),
  -- WGS 84; a NaN is greater than every number.
  latitude double precision NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  longitude double precision NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  -- Place of kind and position on a curve through all places, as the Worker calculates it.
  place double precision NOT NULL CHECK (place BETWEEN 0 AND 4000000),
  -- Not jsonb: the text is returned exactly as it was sent.
  properties json NOT NULL CHECK (json_typeof(properties) = 'object'),
  upvotes integer NOT NULL DEFAULT 0 CHECK (upvotes >= 0),
  downvotes integer NOT NULL DEFAULT 0 CHECK (downvotes >= 0),
  -- A vote that confirms the report renews it for this time.
  lifetime_ms bigint NOT NULL CHECK (lifetime_ms > 0),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  -- When the sweep reads the row next. Votes change `expires_at` and not this, so that no index changes.
  sweep_at bigint NOT NULL,
  expired_at bigint,
  deleted_at bigint,
  erased_at bigint,
  -- The request that changed the row last: repeated after a lost response, it finds its outcome.
  last_request uuid NOT NULL,
  -- Whether the report was sent with a public token and without a user token of its end user.
  user_is_stated boolean NOT NULL DEFAULT false
) WITH (fillfactor = 85);

CREATE TABLE report_vote (
  report_id uuid NOT NULL REFERENCES user_report,
  account_id text NOT NULL,
  subject text NOT NULL,
  -- The end user of a server's token; empty for other tokens.
  external_user_id text NOT NULL DEFAULT '',
  value smallint NOT NULL CHECK (value IN (1, -1)),
  updated_at bigint NOT NULL,
  PRIMARY KEY (report_id, account_id, subject, external_user_id)
);

-- A tree over place and time together, which returns the reports on a stretch of the curve newest first: a
-- page of any box, kinds and time costs little more than the rows it returns. Time counts in seconds, so that
-- the pages of the tree are about as many along both. All places are far nearer to one another than to the
-- point whose distance orders them by time. With the position, rows on the stretch and outside the box are
-- skipped without reading the table.
CREATE INDEX user_report_active ON user_report
  USING gist (point(place, created_at / 1000), point(longitude, latitude))
  WHERE deleted_at IS NULL AND expired_at IS NULL;
CREATE INDEX user_report_past ON user_report
  USING gist (point(place, created_at / 1000), point(longitude, latitude))
  WHERE deleted_at IS NOT NULL OR expired_at IS NOT NULL;
CREATE INDEX user_report_to_sweep ON user_report (sweep_at)
  WHERE deleted_at IS NULL AND expired_at IS NULL;
-- For the erasure of a person.
CREATE INDEX user_report_of_owner ON user_report (account_id, owner_subject);
CREATE INDEX report_vote_of_voter ON report_vote (account_id, subject);
-- For the lists of moderators.
CREATE INDEX user_report_by_page ON user_report (account_id, created_at DESC, id DESC);
CREATE INDEX user_report_by_time ON user_report (created_at DESC, id DESC);

-- Result of the functions. `outcome` is done, missing, gone or forbidden.
CREATE TYPE report_answer AS (
  outcome text,
  -- As it was sent.
  id text,
  account_id text,
  owner_subject text,
  external_user_id text,
  namespace text,
  report_type text,
  latitude double precision,
  longitude double precision,
  -- JSON, as text, which the service returns without parsing it.
  properties text,
  upvotes integer,
  downvotes integer,
  created_at bigint,
  updated_at bigint,
  expires_at bigint,
  expired_at bigint,
  deleted_at bigint
);

CREATE FUNCTION answer_with(outcome text, report user_report) RETURNS report_answer
LANGUAGE sql STABLE AS $$
  SELECT (
    outcome, coalesce(report.sent_id, report.id::text), report.account_id, report.owner_subject,
    report.external_user_id, report.namespace, report.report_type, report.latitude,
    report.longitude, report.properties::text, report.upvotes, report.downvotes, report.created_at,
    report.updated_at, report.expires_at, report.expired_at, report.deleted_at
  )::report_answer
$$;

-- The outcome is done, taken or taken_by_caller, or that of the idempotency key. `with_key` may be NULL.
CREATE FUNCTION create_report(
  request uuid, now_ms bigint, caller_token text, caller_account text, caller_generation integer,
  caller_subject text,
  with_key text, body_sha256 text,
  id_as_sent text, external_user text, report_kind text, at_latitude double precision,
  at_longitude double precision, at_place double precision, with_properties json, for_ms bigint,
  is_stated boolean DEFAULT false
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
    place, properties, lifetime_ms, created_at, updated_at, expires_at, sweep_at, last_request, user_is_stated
  ) VALUES (
    new_id, nullif(id_as_sent, new_id::text), caller_account, caller_subject, external_user,
    report_kind, at_latitude, at_longitude, at_place, with_properties, for_ms, now_ms, now_ms,
    now_ms + for_ms, now_ms + for_ms, request, is_stated
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

-- A separate statement locks the row of the report, so that the next one sees every vote before it: a
-- statement that locks and counts at once loses votes.
CREATE FUNCTION cast_vote(
  request uuid, now_ms bigint, caller_token text, caller_account text, caller_generation integer,
  caller_subject text,
  -- The end user of a server's token, who has a vote of their own; else empty.
  caller_user text, of_report uuid, vote smallint, own_too boolean,
  -- Number of downvotes in excess of upvotes that ends a report; 0 to never end it.
  net_to_expire integer
) RETURNS report_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  report user_report;
  former smallint;
BEGIN
  PERFORM require_standing(caller_token, caller_account, caller_generation);
  SELECT * INTO report FROM user_report WHERE id = of_report FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN answer_with('missing', NULL);
  END IF;
  IF report.last_request = request THEN
    RETURN answer_with('done', report);
  END IF;
  IF report.deleted_at IS NOT NULL OR report.expired_at IS NOT NULL OR report.expires_at <= now_ms
  THEN
    RETURN answer_with('gone', report);
  END IF;
  IF NOT own_too
    AND report.account_id = caller_account AND report.owner_subject = caller_subject
    AND (caller_user = '' OR report.external_user_id IS NOT DISTINCT FROM caller_user)
  THEN
    RETURN answer_with('forbidden', report);
  END IF;

  SELECT value INTO former FROM report_vote
    WHERE report_id = of_report AND account_id = caller_account AND subject = caller_subject
      AND external_user_id = caller_user;
  former := coalesce(former, 0);
  INSERT INTO report_vote VALUES (
    of_report, caller_account, caller_subject, caller_user, vote, now_ms
  )
  ON CONFLICT (report_id, account_id, subject, external_user_id)
    DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at;
  report.upvotes := report.upvotes + (vote = 1)::int - (former = 1)::int;
  report.downvotes := report.downvotes + (vote = -1)::int - (former = -1)::int;
  report.updated_at := greatest(now_ms, report.updated_at + 1);
  IF vote = 1 THEN
    report.expires_at := greatest(report.expires_at, now_ms + report.lifetime_ms);
  END IF;
  IF net_to_expire > 0 AND report.downvotes - report.upvotes >= net_to_expire THEN
    report.expires_at := now_ms;
    report.expired_at := now_ms;
  END IF;
  UPDATE user_report SET
    upvotes = report.upvotes, downvotes = report.downvotes, updated_at = report.updated_at,
    expires_at = report.expires_at, expired_at = report.expired_at, last_request = request
    WHERE id = of_report;
  RETURN answer_with('done', report);
END
$$;

-- The contract determines the order of refusals: missing, gone, forbidden.
CREATE FUNCTION delete_report(
  request uuid, now_ms bigint, caller_token text, caller_account text, caller_generation integer,
  caller_subject text, is_admin boolean,
  of_report uuid
) RETURNS report_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  report user_report;
BEGIN
  PERFORM require_standing(caller_token, caller_account, caller_generation);
  SELECT * INTO report FROM user_report WHERE id = of_report FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN answer_with('missing', NULL);
  END IF;
  IF report.deleted_at IS NOT NULL THEN
    RETURN answer_with(CASE WHEN report.last_request = request THEN 'done' ELSE 'gone' END, report);
  END IF;
  IF NOT is_admin
    AND NOT (report.account_id = caller_account AND report.owner_subject = caller_subject)
  THEN
    RETURN answer_with('forbidden', report);
  END IF;
  report.deleted_at := greatest(now_ms, report.created_at);
  UPDATE user_report SET deleted_at = report.deleted_at, last_request = request
    WHERE id = of_report;
  IF NOT (report.account_id = caller_account AND report.owner_subject = caller_subject) THEN
    INSERT INTO admin_act (actor, act, account_id, token_id, detail) VALUES (
      'token:' || caller_token, 'report delete', report.account_id, caller_token,
      jsonb_build_object('report', of_report)
    );
  END IF;
  RETURN answer_with('done', report);
END
$$;

CREATE FUNCTION find_report(of_report uuid) RETURNS SETOF report_answer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT (answer_with('done', report)).* FROM user_report AS report WHERE id = of_report
$$;

-- Record the expiry of at most `most` reports. Returns the number of rows read. A report that votes renewed
-- is due again later; one that is locked by a vote is left for the next sweep.
CREATE FUNCTION sweep_reports(now_ms bigint, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  looked_at integer;
BEGIN
  UPDATE user_report AS report SET
    expired_at = CASE WHEN due.expires_at <= now_ms THEN due.expires_at END,
    sweep_at = due.expires_at
  FROM (
    SELECT id, expires_at FROM user_report
    WHERE sweep_at <= now_ms AND deleted_at IS NULL AND expired_at IS NULL
    ORDER BY sweep_at LIMIT most FOR NO KEY UPDATE SKIP LOCKED
  ) AS due
  WHERE report.id = due.id;
  GET DIAGNOSTICS looked_at = ROW_COUNT;
  RETURN looked_at;
END
$$;

GRANT EXECUTE ON FUNCTION create_report, cast_vote, delete_report, find_report, sweep_reports
  TO leadline_runtime;
