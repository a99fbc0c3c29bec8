-- Consent: whether soundings may be used for the depths from the crowd. `private`: no. `aggregate`: in bins
-- with those of other boats. `open data`: also passed on as tracks.

ALTER TABLE account ADD COLUMN share text NOT NULL DEFAULT 'private'
  CHECK (share IN ('private', 'aggregate', 'open data'));
ALTER TABLE track ADD COLUMN share text NOT NULL DEFAULT 'private'
  CHECK (share IN ('private', 'aggregate', 'open data'));
CREATE INDEX track_shared ON track (id) WHERE share <> 'private';
GRANT SELECT (id, share) ON account TO leadline_runtime;
GRANT UPDATE (share) ON track TO leadline_runtime;

-- `append_tracks` with consent. Soundings are appended only to tracks with the same consent.
DROP FUNCTION append_tracks(text, integer, text, text, text, text, text, bigint, text, jsonb, jsonb, text, text, bytea, uuid, uuid[], integer[], integer[], float8[], float8[], float8[], float8[], integer[], float8[], bigint, integer);
CREATE FUNCTION append_tracks(
  p_token_id text,
  p_generation integer,
  p_account_id text,
  p_subject text,
  p_external_user_id text,
  p_key text,
  p_body_sha256 text,
  p_now bigint,
  p_platform_uid text,
  p_platform jsonb,
  p_provider jsonb,
  p_time_units text,
  p_convention text,
  p_points bytea,
  p_about_id uuid,
  p_ids uuid[],
  p_stops integer[],
  p_sizes integer[],
  -- Bounds of each track.
  p_wests float8[],
  p_souths float8[],
  p_easts float8[],
  p_norths float8[],
  -- Sums of the sizes of the points before the first gap; empty where nothing may be appended.
  p_running integer[],
  -- And west, south, east, north of these.
  p_running_box float8[],
  p_gap_ms bigint,
  p_max_bytes integer,
  -- NULL: the default of the account. Workers from before this migration do not send it.
  p_share text DEFAULT NULL
) RETURNS TABLE (outcome text, merged text, taken integer, ids text, stops text)
LANGUAGE plpgsql
AS $$
DECLARE
  c_list_bytes CONSTANT integer := 2;
  c_key_ms CONSTANT bigint := 86400000;
  v_known ingest_key;
  -- Two platforms of one key would only wait for one another.
  v_platform_key bigint := CASE WHEN p_platform_uid <> '' THEN hashtextextended(
    concat_ws(chr(31), p_account_id, p_subject, p_external_user_id, p_platform_uid), 2) END;
  v_open record;
  v_first integer := cardinality(p_running);
  v_taken integer := 0;
  v_at integer;
  v_stop integer;
  v_rest integer := 1;
  v_stops integer[] := '{}';
  v_sizes integer[] := '{}';
  v_boxed integer[];
  v_ids uuid[];
  v_merged text;
  v_share text := coalesce(p_share,
    (SELECT one.share FROM account AS one WHERE one.id = p_account_id), 'private');
BEGIN
  PERFORM require_standing(p_token_id, p_account_id, p_generation);
  PERFORM pg_advisory_xact_lock(
    hashtextextended(concat_ws(chr(31), p_account_id, p_subject, p_key), 1));
  SELECT * INTO v_known FROM ingest_key k
    WHERE k.account_id = p_account_id AND k.subject = p_subject AND k.key = p_key;
  IF FOUND AND v_known.created_at > p_now - c_key_ms THEN
    IF v_known.body_sha256 = p_body_sha256 THEN
      RETURN QUERY SELECT 'repeated', v_known.merged, v_known.taken,
        array_to_string(v_known.ids, ','), array_to_string(v_known.stops, ',');
    ELSE
      RETURN QUERY SELECT 'other-body', NULL, 0, '', '';
    END IF;
    RETURN;
  END IF;

  IF v_platform_key IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(v_platform_key);
    -- As many points as fit, if these too are within the gap of the track.
    SELECT t.id, fits INTO v_open
      FROM track t JOIN track_about a ON a.id = t.about_id,
        width_bucket(p_max_bytes - t.byte_size, p_running) AS fits
      WHERE t.platform_key = v_platform_key AND t.share = v_share
        AND a.account_id = p_account_id AND a.subject = p_subject
        AND a.external_user_id = p_external_user_id AND a.platform_uid = p_platform_uid
        AND t.end_time >= sounding_time(p_points, 0) - p_gap_ms
        AND t.start_time <= sounding_time(p_points, v_first - 1) + p_gap_ms
        AND fits > 0
        AND t.start_time <= sounding_time(p_points, fits - 1) + p_gap_ms
      ORDER BY t.end_time DESC, t.id DESC
      LIMIT 1
      FOR NO KEY UPDATE OF t;
    IF FOUND THEN
      v_taken := v_open.fits;
      INSERT INTO track_chunk
        SELECT p_account_id, p_subject, v_open.id, coalesce(max(c.seq), 0) + 1,
          substr(p_points, 1, 32 * v_taken)
        FROM track_chunk c
        WHERE c.account_id = p_account_id AND c.subject = p_subject AND c.track_id = v_open.id;
      UPDATE track t SET
          start_time = least(t.start_time, sounding_time(p_points, 0)),
          end_time = greatest(t.end_time, sounding_time(p_points, v_taken - 1)),
          point_count = t.point_count + v_taken,
          byte_size = t.byte_size + p_running[v_taken],
          west = least(t.west, p_running_box[1]),
          south = least(t.south, p_running_box[2]),
          east = greatest(t.east, p_running_box[3]),
          north = greatest(t.north, p_running_box[4]),
          updated_at = greatest(t.updated_at, p_now)
        WHERE t.account_id = p_account_id AND t.subject = p_subject AND t.id = v_open.id
        RETURNING json_build_object('id', t.id, 'pointCount', t.point_count,
          'startTime', t.start_time, 'endTime', t.end_time) INTO v_merged;
      v_rest := array_position(p_stops, v_first) + 1;
      v_at := v_taken;
      WHILE v_at < v_first LOOP
        v_stop := greatest(v_at + 1,
          width_bucket(p_running[v_at] + p_max_bytes - c_list_bytes, p_running));
        v_stops := v_stops || v_stop;
        v_sizes := v_sizes || c_list_bytes + p_running[v_stop] - p_running[v_at];
        v_at := v_stop;
      END LOOP;
    END IF;
  END IF;

  v_boxed := ARRAY[cardinality(v_stops)];
  v_stops := v_stops || p_stops[v_rest :];
  v_sizes := v_sizes || p_sizes[v_rest :];
  IF cardinality(v_stops) > 0 THEN
    INSERT INTO track_about VALUES (p_about_id, p_account_id, p_subject, p_external_user_id,
      p_platform_uid, p_platform, p_provider, p_time_units, p_convention);
  END IF;
  v_ids := p_ids[: cardinality(v_stops)];
  INSERT INTO track
    SELECT p_account_id, p_subject, id, p_about_id, v_platform_key,
      sounding_time(p_points, start), sounding_time(p_points, stop - 1), stop - start, size,
      west, south, east, north,
      substr(p_points, 32 * start + 1, 32 * (stop - start)), p_now, p_now, v_share
    FROM (
      SELECT lag(stop, 1, v_taken) OVER (ORDER BY n) AS start, u.*
      -- Lists, not places in lists: each look into a long one would copy it.
      FROM unnest(v_ids, v_stops, v_sizes,
        array_fill(p_running_box[1], v_boxed) || p_wests[v_rest :],
        array_fill(p_running_box[2], v_boxed) || p_souths[v_rest :],
        array_fill(p_running_box[3], v_boxed) || p_easts[v_rest :],
        array_fill(p_running_box[4], v_boxed) || p_norths[v_rest :]
      ) WITH ORDINALITY AS u (id, stop, size, west, south, east, north, n)
    ) AS cut;

  INSERT INTO ingest_key VALUES
    (p_account_id, p_subject, p_key, p_body_sha256, v_merged, v_taken, v_ids, v_stops, p_now)
    ON CONFLICT (account_id, subject, key) DO UPDATE SET
      body_sha256 = excluded.body_sha256, merged = excluded.merged, taken = excluded.taken,
      ids = excluded.ids, stops = excluded.stops, created_at = excluded.created_at;
  -- Each request takes away some that are past their time.
  DELETE FROM ingest_key k USING (
    SELECT old.account_id, old.subject, old.key FROM ingest_key old
    WHERE old.created_at <= p_now - c_key_ms
    ORDER BY old.created_at LIMIT 20 FOR UPDATE SKIP LOCKED
  ) gone
  WHERE k.account_id = gone.account_id AND k.subject = gone.subject AND k.key = gone.key;

  RETURN QUERY SELECT 'made', v_merged, v_taken, array_to_string(v_ids, ','),
    array_to_string(v_stops, ',');
END
$$;
GRANT EXECUTE ON FUNCTION append_tracks TO leadline_runtime;

-- The list of the portal with consent.
CREATE OR REPLACE FUNCTION portal_list_tracks(
  of_session text, before_id uuid, most integer, most_points integer
) RETURNS TABLE (listed jsonb, packed text, is_last boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  who portal_user := require_member(of_session, 'member');
BEGIN
  RETURN QUERY
  WITH page AS MATERIALIZED (
    SELECT one.subject, one.id, one.about_id, one.point_count, one.start_time, one.end_time, one.share
    FROM track AS one
    WHERE one.account_id = who.account_id AND (before_id IS NULL OR one.id < before_id)
    ORDER BY one.id DESC LIMIT most + 1
  ), counted AS (
    SELECT page.*, row_number() OVER newest AS place, count(*) OVER () AS places,
      sum(page.point_count) OVER newest AS so_far
    FROM page WINDOW newest AS (ORDER BY page.id DESC)
  )
  SELECT jsonb_build_object('id', counted.id, 'subject', counted.subject,
      'platform', coalesce(nullif(about.platform ->> 'name', ''), nullif(about.platform_uid, '')),
      'externalUserId', nullif(about.external_user_id, ''), 'pointCount', counted.point_count,
      'startTime', counted.start_time, 'endTime', counted.end_time, 'share', counted.share),
    encode(whole.points || coalesce((
      SELECT string_agg(chunk.points, ''::bytea ORDER BY chunk.seq) FROM track_chunk AS chunk
      WHERE chunk.account_id = who.account_id AND chunk.subject = counted.subject
        AND chunk.track_id = counted.id), ''::bytea), 'base64'),
    counted.place = counted.places
  FROM counted JOIN track_about AS about ON about.id = counted.about_id
  JOIN track AS whole ON whole.account_id = who.account_id AND whole.subject = counted.subject
    AND whole.id = counted.id
  WHERE counted.place <= most AND (counted.place = 1 OR counted.so_far <= most_points)
  ORDER BY counted.id DESC;
END
$$;

-- Changes the consent of at most `most` tracks, and returns their number. NULL selects all.
CREATE FUNCTION set_track_share(
  of_account text, of_subject text, of_user text, of_id uuid, new_share text, most integer
) RETURNS integer LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  changed integer;
BEGIN
  UPDATE track AS t SET share = new_share FROM (
    SELECT one.account_id, one.subject, one.id FROM track AS one
    JOIN track_about AS about ON about.id = one.about_id
    WHERE one.account_id = of_account AND (of_subject IS NULL OR one.subject = of_subject)
      AND (of_id IS NULL OR one.id = of_id) AND (of_user IS NULL OR about.external_user_id = of_user)
      AND one.share <> new_share
    ORDER BY one.id LIMIT most FOR NO KEY UPDATE OF one
  ) AS due
  WHERE t.account_id = due.account_id AND t.subject = due.subject AND t.id = due.id;
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END
$$;

CREATE FUNCTION share_tracks(
  p_token_id text, p_generation integer, p_account_id text, p_subject text, of_user text, of_id uuid,
  new_share text, most integer
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_standing(p_token_id, p_account_id, p_generation);
  RETURN set_track_share(p_account_id, p_subject, of_user, of_id, new_share, most);
END
$$;

-- The same for all senders of the account of a user of the portal.
CREATE FUNCTION portal_share_tracks(
  of_session text, of_user text, of_id uuid, new_share text, most integer
) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'moderator');
  changed integer := set_track_share(who.account_id, NULL, of_user, of_id, new_share, most);
BEGIN
  IF changed > 0 THEN
    INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'track share',
      who.account_id, jsonb_build_object('share', new_share, 'tracks', changed, 'trackId', of_id));
  END IF;
  RETURN changed;
END
$$;

-- NULL returns the default of the account for uploads without `share`; otherwise owners change it.
CREATE FUNCTION portal_default_share(of_session text, new_share text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, CASE WHEN new_share IS NULL THEN 'member' ELSE 'owner' END);
BEGIN
  IF new_share IS NOT NULL THEN
    UPDATE account SET share = new_share WHERE id = who.account_id;
    INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'account share',
      who.account_id, jsonb_build_object('share', new_share));
  END IF;
  RETURN (SELECT share FROM account WHERE id = who.account_id);
END
$$;

GRANT EXECUTE ON FUNCTION set_track_share, share_tracks, portal_share_tracks, portal_default_share
  TO leadline_runtime;
