-- Lists of reports in a box: those of a map, pages with their total, and clusters for tiles.

-- Reports of one stretch of the curve, newest first, as the tree returns them. The stretch reaches beyond the
-- box, and operators of points tolerate 0.000001, so each condition is repeated exactly. A box across 180
-- degrees has stretches of two boxes.
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

-- The same of reports that were deleted or swept. It is a separate function because each is written for the
-- condition of its partial index, and is inlined into the pages below.
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

-- Newest first, after (before_time, before_id), from at most 8 stretches: four kinds, and two boxes if one
-- crosses 180 degrees. With one written branch for each stretch, PostgreSQL merges them as it reads, and
-- reads no more of each than the page needs. PostgreSQL cannot estimate how points are spread: the settings
-- leave it this plan only, made once in a session.
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

-- Pages of reports by offset, and the number of reports in all pages. The service calls both functions in
-- one statement, so that they read the same reports.
--
-- `deleted_of` selects the deleted reports: 'none', 'own' (those of the caller) or 'all'.

-- The deleted reports of one caller in a box, found by owner. The SET clause prevents inlining, so
-- that the planner does not search all deleted reports for them.
CREATE FUNCTION own_deleted(
  deleted_of text, caller_account text, caller_subject text, kinds text[],
  wests double precision[], south double precision, easts double precision[],
  north double precision, since bigint
) RETURNS TABLE (ahead double precision, created_at bigint, id uuid, report user_report)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT point(place, one.created_at / 1000) <-> point(0, 8e15), one.created_at, one.id, one
  FROM user_report AS one
  WHERE deleted_of = 'own' AND account_id = caller_account AND owner_subject = caller_subject
    AND deleted_at IS NOT NULL AND report_type = ANY (kinds)
    AND latitude BETWEEN south AND north AND one.created_at >= since
    -- A box across 180 degrees becomes two boxes: the first stretches belong to one, the last to the other.
    AND (longitude BETWEEN wests[1] AND easts[1]
      OR longitude BETWEEN wests[cardinality(wests)] AND easts[cardinality(easts)])
$$;

-- The active reports in stretches and box. Without an order, the index is read faster. A large box is
-- counted faster by reading all active reports, and all the world without reading a row: an active
-- report never expires before `sweep_at`.
CREATE FUNCTION count_active(
  now_ms bigint, lows double precision[], highs double precision[], kinds text[],
  wests double precision[], south double precision, easts double precision[],
  north double precision, since bigint
) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  first_west CONSTANT double precision := wests[1];
  first_east CONSTANT double precision := easts[1];
  last_west CONSTANT double precision := wests[cardinality(wests)];
  last_east CONSTANT double precision := easts[cardinality(easts)];
  width CONSTANT double precision := first_east - first_west
    + CASE WHEN first_west = last_west THEN 0 ELSE last_east - last_west END;
BEGIN
  IF width >= 360 AND north - south >= 180 AND cardinality(kinds) = 4 AND since <= 0 THEN
    RETURN (
      SELECT count(*) FROM user_report
      WHERE deleted_at IS NULL AND expired_at IS NULL AND sweep_at > now_ms
    ) + (
      SELECT count(*) FROM user_report
      WHERE deleted_at IS NULL AND expired_at IS NULL AND sweep_at <= now_ms AND expires_at > now_ms
    );
  ELSIF width * (north - south) > 10000 THEN
    RETURN (
      SELECT count(*) FROM user_report AS one
      WHERE deleted_at IS NULL AND expired_at IS NULL AND expires_at > now_ms AND sweep_at > 0
        AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
        AND one.created_at >= since
        AND (longitude BETWEEN first_west AND first_east
          OR longitude BETWEEN last_west AND last_east)
    );
  END IF;
  RETURN (
    SELECT count(*)
    FROM unnest(lows, highs, wests, easts) AS stretch (low, high, west, east)
    JOIN user_report AS one
      ON point(place, one.created_at / 1000)
        <@ box(point(stretch.low, since / 1000), point(stretch.high, 8e15))
      AND point(longitude, latitude)
        <@ box(point(stretch.west, south), point(stretch.east, north))
      AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
      AND longitude BETWEEN stretch.west AND stretch.east AND one.created_at >= since
    WHERE deleted_at IS NULL AND expired_at IS NULL AND expires_at > now_ms
  );
END
$$;

-- The reports in stretches and box that were deleted or have expired.
CREATE FUNCTION count_past(
  with_expired boolean, with_deleted boolean, lows double precision[], highs double precision[],
  kinds text[], wests double precision[], south double precision, easts double precision[],
  north double precision, since bigint
) RETURNS bigint
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT count(*)
  FROM unnest(lows, highs, wests, easts) AS stretch (low, high, west, east)
  JOIN user_report AS one
    ON point(place, one.created_at / 1000)
      <@ box(point(stretch.low, since / 1000), point(stretch.high, 8e15))
    AND point(longitude, latitude) <@ box(point(stretch.west, south), point(stretch.east, north))
    AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
    AND longitude BETWEEN stretch.west AND stretch.east AND one.created_at >= since
  WHERE (deleted_at IS NOT NULL OR expired_at IS NOT NULL)
    AND CASE WHEN deleted_at IS NULL THEN with_expired ELSE with_deleted END
$$;

CREATE FUNCTION count_reports(
  now_ms bigint, lows double precision[], highs double precision[], wests double precision[],
  easts double precision[], kinds text[], south double precision, north double precision,
  since bigint, with_expired boolean, deleted_of text, caller_account text, caller_subject text
) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT
    -- A report that has expired stays among the active ones until the sweep.
    count_active(
      CASE WHEN with_expired THEN 0 ELSE now_ms END,
      lows, highs, kinds, wests, south, easts, north, since
    )
    + CASE WHEN with_expired OR deleted_of = 'all' THEN count_past(
        with_expired, deleted_of = 'all', lows, highs, kinds, wests, south, easts, north, since
      ) ELSE 0 END
    + (SELECT count(*) FROM own_deleted(
        deleted_of, caller_account, caller_subject, kinds, wests, south, easts, north, since
      ))
$$;

-- Newest first, from at most 8 stretches, as in list_reports.
DO $$
DECLARE
  branches CONSTANT text := (
    SELECT string_agg(format(
      '(SELECT * FROM %%1$s lows[%s], highs[%s], kinds, wests[%s], south, easts[%s], north, since,
        4000000000000, ''ffffffff-ffff-ffff-ffff-ffffffffffff'') %%2$s)', i, i, i, i
    ), ' UNION ALL ') FROM generate_series(1, 8) AS i
  );
  active CONSTANT text := format(
    branches, 'active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END,', ''
  );
  past CONSTANT text := format(
    branches, 'past_on_stretch(', 'WHERE CASE WHEN (report).deleted_at IS NULL THEN with_expired
      ELSE deleted_of = ''all'' END ORDER BY 1, 2 DESC, 3 DESC'
  );
  own CONSTANT text := 'SELECT * FROM own_deleted(
    deleted_of, caller_account, caller_subject, kinds, wests, south, easts, north, since)
    ORDER BY 1, 2 DESC, 3 DESC';
  page CONSTANT text := 'RETURN QUERY
    SELECT (answer_with(''done'', found.report)).*
    FROM (%s) AS found ORDER BY ahead, found.created_at DESC, found.id DESC
    OFFSET skip LIMIT most';
BEGIN
  EXECUTE format('
    CREATE FUNCTION page_reports(
      now_ms bigint, lows double precision[], highs double precision[],
      wests double precision[], easts double precision[], kinds text[], south double precision,
      north double precision, since bigint, with_expired boolean, deleted_of text,
      caller_account text, caller_subject text, skip bigint, most integer
    ) RETURNS SETOF report_answer
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
    SET enable_sort = off AS %L',
    format('#variable_conflict use_column
      BEGIN
        IF with_expired OR deleted_of = ''all'' THEN %s;
        ELSIF deleted_of = ''own'' THEN %s;
        ELSE %s; END IF;
      END',
      format(page, active || ' UNION ALL ' || past || ' UNION ALL (' || own || ')'),
      format(page, active || ' UNION ALL (' || own || ')'),
      format(page, active)
    )
  );
END
$$;

-- Clusters of active reports for tiles of low zooms: the newest reports of the tile, at most `most`
-- and one, grouped by the cells of a grid. `u` and `v` are fractions of the tile from its north-west
-- corner. The report is returned if it is alone in its cell.
DO $$
DECLARE
  branches CONSTANT text := (
    SELECT string_agg(format(
      'SELECT * FROM active_on_stretch(now_ms, lows[%s], highs[%s], kinds, wests[%s], south, easts[%s],
        north, 0, 4000000000000, ''ffffffff-ffff-ffff-ffff-ffffffffffff'')', i, i, i, i
    ), ' UNION ALL ') FROM generate_series(1, 8) AS i
  );
BEGIN
  EXECUTE format('
    CREATE FUNCTION cluster_reports(
      now_ms bigint, lows double precision[], highs double precision[],
      wests double precision[], easts double precision[], kinds text[], south double precision,
      north double precision, zoom integer, tile_x integer, tile_y integer, grid integer,
      most integer
    ) RETURNS TABLE (
      number bigint, hazards bigint, u double precision, v double precision, is_cut boolean,
      answer report_answer
    )
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
    SET enable_sort = off AS %L',
    format('#variable_conflict use_column
      DECLARE
        size CONSTANT double precision := 2 ^ zoom;
      BEGIN RETURN QUERY
        WITH newest AS (
          SELECT found.id, (found.report).report_type AS kind, (found.report).longitude AS lon,
            sin(radians((found.report).latitude)) AS sine
          FROM (%s) AS found ORDER BY ahead, found.created_at DESC, found.id DESC LIMIT most + 1
        ), turned AS (
          -- Turns east of the west side of the tile: 180 and -180 degrees are one meridian.
          SELECT id, kind, lon / 360 + 0.5 - tile_x / size AS turn,
            (0.5 - ln((1 + sine) / (1 - sine)) / (4 * pi())) * size - tile_y AS south_of FROM newest
        ), placed AS (
          SELECT id, kind, (turn - round(turn - 0.5 / size)) * size AS east_of, south_of FROM turned
        ), clusters AS (
          SELECT count(*) AS many, count(*) FILTER (WHERE kind = ''hazard'') AS hazardous,
            avg(east_of) AS mean_u, avg(south_of) AS mean_v, (array_agg(id))[1] AS any_id
          FROM placed
          GROUP BY greatest(0, least(floor(east_of * grid), grid - 1)),
            greatest(0, least(floor(south_of * grid), grid - 1))
        )
        SELECT many, hazardous, mean_u, mean_v, (SELECT count(*) > most FROM newest),
          answer_with(''done'', one)
        FROM clusters LEFT JOIN user_report AS one ON many = 1 AND one.id = any_id;
      END', branches)
  );
END
$$;

GRANT EXECUTE ON FUNCTION list_reports, count_reports, page_reports, cluster_reports TO leadline_runtime;
