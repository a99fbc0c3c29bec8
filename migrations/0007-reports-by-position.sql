-- Lists of reports told by the index alone what lies on a stretch and not in the box: where a box lies
-- beside a crowded one, rows had been looked at only to be left out.

DROP FUNCTION list_reports, active_on_stretch, past_on_stretch;
DROP INDEX user_report_active, user_report_past;

-- As before, with the position beside place and time.
CREATE INDEX user_report_active ON user_report
  USING gist (point(place, created_at / 1000), point(longitude, latitude))
  WHERE deleted_at IS NULL AND expired_at IS NULL;
CREATE INDEX user_report_past ON user_report
  USING gist (point(place, created_at / 1000), point(longitude, latitude))
  WHERE deleted_at IS NOT NULL OR expired_at IS NOT NULL;

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
    AND point(longitude, latitude) <@ box(point(west, south), point(east, north))
    AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
    AND longitude BETWEEN west AND east
    AND one.created_at >= since AND (one.created_at, one.id) < (before_time, before_id)
  ORDER BY 1, 2 DESC, 3 DESC
$$;

-- Newest first, after (before_time, before_id), from at most 8 stretches: four kinds, and two boxes
-- where one crosses 180 degrees. One written branch for each makes PostgreSQL merge them as they go, and take no more from any than the page needs. It knows
-- nothing of how points are spread: the settings leave it that one way, planned once a session.
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

GRANT EXECUTE ON FUNCTION list_reports TO leadline_runtime;
