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

GRANT EXECUTE ON FUNCTION cluster_reports TO leadline_runtime;
