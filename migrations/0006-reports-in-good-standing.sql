-- Reports written by tokens in good standing alone, administrators' deletions written down, and lists
-- that take from the index no more than a page needs.

DROP FUNCTION create_report, cast_vote, delete_report, list_reports;
DROP INDEX user_report_active, user_report_past;

-- A kind has four times as long a stretch of the curve as before, and time counts in seconds, so that
-- the pages of the index below are about as many along the one as along the other.
ALTER TABLE user_report DROP CONSTRAINT user_report_place_check;
UPDATE user_report SET place = place * 4;
ALTER TABLE user_report ADD CONSTRAINT user_report_place_check CHECK (place BETWEEN 0 AND 4000000);

-- A tree over place and time together, which gives what lies on a stretch newest first. All places are
-- far nearer to one another than to the point whose distance orders them by time.
CREATE INDEX user_report_active ON user_report USING gist (point(place, created_at / 1000))
  WHERE deleted_at IS NULL AND expired_at IS NULL;
CREATE INDEX user_report_past ON user_report USING gist (point(place, created_at / 1000))
  WHERE deleted_at IS NOT NULL OR expired_at IS NOT NULL;

-- done, taken or taken_by_caller: whoever asks knows everything else about a new report.
CREATE FUNCTION create_report(
  request uuid, now_ms bigint, caller_token text, caller_account text, caller_generation integer,
  caller_subject text,
  new_id uuid, external_user text, kind text, at_latitude double precision,
  at_longitude double precision, at_place double precision, with_properties json, for_ms bigint
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  known user_report;
BEGIN
  PERFORM require_standing(caller_token, caller_account, caller_generation);
  INSERT INTO user_report (
    id, account_id, owner_subject, external_user_id, report_type, latitude, longitude, place,
    properties, lifetime_ms, created_at, updated_at, expires_at, sweep_at, last_request
  ) VALUES (
    new_id, caller_account, caller_subject, external_user, kind, at_latitude, at_longitude,
    at_place, with_properties, for_ms, now_ms, now_ms, now_ms + for_ms, now_ms + for_ms, request
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

-- Reports of one stretch of the curve, newest first, from the tree as they are asked for. The stretch
-- is wider than the box, and operators of points forgive 0.000001: each condition is said again
-- exactly. Where west is greater than east the box crosses 180 degrees.
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
    AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
    AND (longitude >= west AND (longitude <= east OR west > east)
      OR longitude <= east AND west > east)
    AND one.created_at >= since AND (one.created_at, one.id) < (before_time, before_id)
  ORDER BY 1, 2 DESC, 3 DESC
$$;
-- The same of those that were deleted or swept.
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
    AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
    AND (longitude >= west AND (longitude <= east OR west > east)
      OR longitude <= east AND west > east)
    AND one.created_at >= since AND (one.created_at, one.id) < (before_time, before_id)
  ORDER BY 1, 2 DESC, 3 DESC
$$;

-- Newest first, after (before_time, before_id), from at most 32 stretches. One written branch for each
-- makes PostgreSQL merge them as they go, and take no more from any than the page needs. It knows
-- nothing of how points are spread: the settings leave it that one way, planned once a session.
DO $$
DECLARE
  branches CONSTANT text := (
    SELECT string_agg(format(
      'SELECT * FROM %%1$s lows[%s], highs[%s], kinds, west, south, east, north, since,
        before_time, before_id)', i, i
    ), ' UNION ALL ') FROM generate_series(1, 32) AS i
  );
  page CONSTANT text := 'RETURN QUERY
    SELECT (answer_with(''done'', found.report)).*
    FROM (%s) AS found ORDER BY ahead, found.created_at DESC, found.id DESC LIMIT most';
BEGIN
  EXECUTE format('
    CREATE FUNCTION list_reports(
      now_ms bigint, lows double precision[], highs double precision[], kinds text[],
      west double precision, south double precision, east double precision,
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

GRANT EXECUTE ON FUNCTION create_report, cast_vote, delete_report, list_reports TO leadline_runtime;
