-- What sailors report, how they vote on it, and the functions by which alone the service touches
-- either: one call for a request, exact under any concurrency, and the same when asked twice.
--
-- Times are the caller's: epoch milliseconds by the Worker's clock. A report is active until it is
-- deleted or its time is over; `expired_at` is written by the sweep, later: whoever
-- reads or votes looks at `expires_at` as well.

CREATE TABLE user_report (
  -- Once used, used for ever: rows stay.
  id uuid PRIMARY KEY,
  -- As it was sent, where that differs from `id` in the case of its letters.
  sent_id text CHECK (lower(sent_id) = id::text),
  account_id text NOT NULL CHECK (length(account_id) BETWEEN 1 AND 64),
  owner_subject text NOT NULL CHECK (length(owner_subject) BETWEEN 1 AND 128),
  external_user_id text CHECK (length(external_user_id) <= 256),
  namespace text NOT NULL DEFAULT 'public',
  report_type text NOT NULL CHECK (report_type IN ('hazard', 'accident', 'weather', 'wildlife')),
  -- WGS 84; a NaN is greater than every number.
  latitude double precision NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  longitude double precision NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  -- Where kind and position lie on a curve through all places, by the Worker's reckoning.
  place double precision NOT NULL CHECK (place BETWEEN 0 AND 4000000),
  -- Not jsonb: it comes back exactly as it was written.
  properties json NOT NULL CHECK (json_typeof(properties) = 'object'),
  upvotes integer NOT NULL DEFAULT 0 CHECK (upvotes >= 0),
  downvotes integer NOT NULL DEFAULT 0 CHECK (downvotes >= 0),
  -- A vote that confirms the report gives it this time anew.
  lifetime_ms bigint NOT NULL CHECK (lifetime_ms > 0),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  -- When the sweep looks again. Votes move expires_at and leave this alone, so that no index changes.
  sweep_at bigint NOT NULL,
  expired_at bigint,
  deleted_at bigint,
  erased_at bigint,
  -- The request that changed the row last: asked again, as its answer was lost, it finds its outcome.
  last_request uuid NOT NULL
) WITH (fillfactor = 85);

CREATE TABLE report_vote (
  report_id uuid NOT NULL REFERENCES user_report,
  account_id text NOT NULL,
  subject text NOT NULL,
  -- The end user of a server's token; empty for everybody else.
  external_user_id text NOT NULL DEFAULT '',
  value smallint NOT NULL CHECK (value IN (1, -1)),
  updated_at bigint NOT NULL,
  PRIMARY KEY (report_id, account_id, subject, external_user_id)
);

-- A tree over place and time together, which gives what lies on a stretch of the curve newest first:
-- a page of any box, of any kinds, from any time on costs little more than the rows it returns. Time
-- counts in seconds, so that the tree's pages are about as many along the one as along the other. All
-- places are far nearer to one another than to the point whose distance orders them by time. The
-- position beside them tells, without a look at the row, what lies on a stretch and not in the box.
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

-- What the functions answer. `outcome` is done, missing, gone or forbidden.
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
  -- JSON, as text: what lies on the way hands it on unread.
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

-- done, taken or taken_by_caller: whoever asks knows everything else about a new report.
CREATE FUNCTION create_report(
  request uuid, now_ms bigint, caller_token text, caller_account text, caller_generation integer,
  caller_subject text,
  id_as_sent text, external_user text, kind text, at_latitude double precision,
  at_longitude double precision, at_place double precision, with_properties json, for_ms bigint
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  new_id CONSTANT uuid := id_as_sent::uuid;
  known user_report;
BEGIN
  PERFORM require_standing(caller_token, caller_account, caller_generation);
  INSERT INTO user_report (
    id, sent_id, account_id, owner_subject, external_user_id, report_type, latitude, longitude,
    place, properties, lifetime_ms, created_at, updated_at, expires_at, sweep_at, last_request
  ) VALUES (
    new_id, nullif(id_as_sent, new_id::text), caller_account, caller_subject, external_user, kind,
    at_latitude, at_longitude, at_place, with_properties, for_ms, now_ms, now_ms, now_ms + for_ms,
    now_ms + for_ms, request
  ) ON CONFLICT (id) DO NOTHING;
  IF FOUND THEN
    RETURN 'done';
  END IF;
  SELECT * INTO known FROM user_report WHERE id = new_id;
  RETURN CASE
    WHEN known.last_request = request THEN 'done'
    WHEN known.account_id = caller_account AND known.owner_subject = caller_subject
      THEN 'taken_by_caller'
    ELSE 'taken'
  END;
END
$$;

-- The report's row is locked by a statement of its own, so that what follows sees every vote before
-- it: a statement that locks and counts at once loses votes.
CREATE FUNCTION cast_vote(
  request uuid, now_ms bigint, caller_token text, caller_account text, caller_generation integer,
  caller_subject text,
  -- The end user of a server's token, who has a vote of their own; else empty.
  caller_user text, of_report uuid, vote smallint, own_too boolean,
  -- So many more downvotes than upvotes end a report; 0 for never.
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

-- The order of refusals is the contract's: missing, gone, forbidden.
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

-- Reports of one stretch of the curve, newest first, from the tree as they are asked for. The stretch
-- reaches beyond the box, and operators of points forgive 0.000001: each condition is said again
-- exactly. A box across 180 degrees has stretches of two boxes.
CREATE FUNCTION active_on_stretch(
  now_ms bigint, low double precision, high double precision, kinds text[], west double precision,
  south double precision, east double precision, north double precision, since bigint,
  before_time bigint, before_id uuid
) RETURNS TABLE (ahead double precision, created_at bigint, id uuid, report user_report)
LANGUAGE sql STABLE AS $$
  SELECT point(place, one.created_at / 1000) <-> point(0, 8e15), one.created_at, one.id, one
  FROM user_report AS one
  WHERE deleted_at IS NULL AND expired_at IS NULL AND expires_at > now_ms
    AND point(place, one.created_at / 1000)
      <@ box(point(low, since / 1000), point(high, before_time / 1000))
    AND point(longitude, latitude) <@ box(point(west, south), point(east, north))
    AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
    AND longitude BETWEEN west AND east
    AND one.created_at >= since AND (one.created_at, one.id) < (before_time, before_id)
  ORDER BY 1, 2 DESC, 3 DESC
$$;

-- The same of those that were deleted or swept. A function of its own, as each is written for the
-- condition of its partial index, and is inlined into the page below.
CREATE FUNCTION past_on_stretch(
  low double precision, high double precision, kinds text[], west double precision,
  south double precision, east double precision, north double precision, since bigint,
  before_time bigint, before_id uuid
) RETURNS TABLE (ahead double precision, created_at bigint, id uuid, report user_report)
LANGUAGE sql STABLE AS $$
  SELECT point(place, one.created_at / 1000) <-> point(0, 8e15), one.created_at, one.id, one
  FROM user_report AS one
  WHERE (deleted_at IS NOT NULL OR expired_at IS NOT NULL)
    AND point(place, one.created_at / 1000)
      <@ box(point(low, since / 1000), point(high, before_time / 1000))
    AND point(longitude, latitude) <@ box(point(west, south), point(east, north))
    AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
    AND longitude BETWEEN west AND east
    AND one.created_at >= since AND (one.created_at, one.id) < (before_time, before_id)
  ORDER BY 1, 2 DESC, 3 DESC
$$;

-- Newest first, after (before_time, before_id), from at most 8 stretches: four kinds, and two boxes
-- where one crosses 180 degrees. One written branch for each makes PostgreSQL merge them as they go,
-- and take no more from any than the page needs. It knows nothing of how points are spread: the
-- settings leave it that one way, planned once a session.
DO $$
DECLARE
  branches CONSTANT text := (
    SELECT string_agg(format(
      'SELECT * FROM %%1$s lows[%s], highs[%s], kinds, wests[%s], south, easts[%s], north, since,
        before_time, before_id)', i, i, i, i
    ), ' UNION ALL ') FROM generate_series(1, 8) AS i
  );
  page CONSTANT text := 'RETURN QUERY
    SELECT (answer_with(''done'', found.report)).*
    FROM (%s) AS found ORDER BY ahead, found.created_at DESC, found.id DESC LIMIT most';
BEGIN
  EXECUTE format('
    CREATE FUNCTION list_reports(
      now_ms bigint, lows double precision[], highs double precision[],
      wests double precision[], easts double precision[], kinds text[], south double precision,
      north double precision, since bigint, before_time bigint, before_id uuid, most integer,
      with_past boolean
    ) RETURNS SETOF report_answer
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
    SET enable_sort = off AS %L',
    format('#variable_conflict use_column
      BEGIN IF with_past THEN %s; ELSE %s; END IF; END',
      format(page, format(branches, 'active_on_stretch(0,') || ' UNION ALL '
        || format(branches, 'past_on_stretch(')),
      format(page, format(branches, 'active_on_stretch(now_ms,'))
    )
  );
END
$$;

-- Write down what has expired, at most so many rows. Returns how many rows it looked at. A report
-- that votes renewed is due again later; one that is being voted on is left for the next time.
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

GRANT EXECUTE ON FUNCTION create_report, cast_vote, delete_report, find_report, list_reports,
  sweep_reports TO leadline_runtime;
