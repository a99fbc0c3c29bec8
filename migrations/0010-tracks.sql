-- Soundings as tracks of their sender, and the stored responses for repeated requests.

-- The metadata of a request that created tracks: one row, for any number of tracks.
CREATE TABLE track_about (
  id uuid PRIMARY KEY,
  account_id text NOT NULL CHECK (length(account_id) BETWEEN 1 AND 64),
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 128),
  -- Empty if the sender stated no end user.
  external_user_id text NOT NULL CHECK (length(external_user_id) <= 256),
  -- Empty if the platform has no id. Then nothing is appended later.
  platform_uid text NOT NULL CHECK (length(platform_uid) <= 128),
  platform jsonb,
  provider jsonb,
  time_units text,
  convention text
);

-- Finds the rows of one user without reading all rows of the sender: the server of an application sends for
-- very many users.
CREATE INDEX track_about_of_user
  ON track_about (account_id, subject, external_user_id, platform_uid);

CREATE TABLE track (
  account_id text NOT NULL,
  subject text NOT NULL,
  id uuid NOT NULL,
  -- No foreign key: it would be checked for each of very many tracks. The functions below and the erasure,
  -- which makes writes wait, insert and delete rows of both tables.
  about_id uuid NOT NULL,
  -- Of sender, user and platform; NULL if nothing is appended later.
  platform_key bigint,
  start_time bigint NOT NULL,
  end_time bigint NOT NULL CHECK (start_time <= end_time),
  point_count integer NOT NULL CHECK (point_count > 0),
  -- Of the points as canonical JSON.
  byte_size integer NOT NULL,
  -- All points lie within; not across 180°.
  west float8 NOT NULL,
  south float8 NOT NULL,
  east float8 NOT NULL,
  north float8 NOT NULL,
  -- The first points, 32 bytes each: time as int8, latitude, longitude and depth as float8.
  points bytea NOT NULL CHECK (length(points) > 0 AND length(points) % 32 = 0),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  -- Consent, as in `account`.
  share text NOT NULL DEFAULT 'private' CHECK (share IN ('private', 'aggregate', 'open data')),
  -- The tracks of a sender are stored together, in the order of their creation.
  PRIMARY KEY (account_id, subject, id)
);

-- The tracks of one request.
CREATE INDEX track_of_about ON track (about_id);
-- The track that soundings of a platform may be appended to.
CREATE INDEX track_of_platform ON track (platform_key, end_time) WHERE platform_key IS NOT NULL;
CREATE INDEX track_of_account ON track (account_id, id DESC);
CREATE INDEX track_shared ON track (id) WHERE share <> 'private';

-- Appended points, so that a track is not rewritten for every few points.
CREATE TABLE track_chunk (
  account_id text NOT NULL,
  subject text NOT NULL,
  track_id uuid NOT NULL,
  seq integer NOT NULL CHECK (seq > 0),
  points bytea NOT NULL CHECK (length(points) > 0 AND length(points) % 32 = 0),
  PRIMARY KEY (account_id, subject, track_id, seq),
  FOREIGN KEY (account_id, subject, track_id) REFERENCES track ON DELETE CASCADE
);

-- Compression hardly reduces doubles.
ALTER TABLE track ALTER COLUMN points SET STORAGE EXTERNAL;
ALTER TABLE track_chunk ALTER COLUMN points SET STORAGE EXTERNAL;

-- Completed requests with their results.
CREATE TABLE ingest_key (
  account_id text NOT NULL,
  subject text NOT NULL,
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 300),
  body_sha256 text NOT NULL CHECK (length(body_sha256) = 64),
  -- The track that points were appended to, as JSON of that time, and the number of these points.
  merged text,
  taken integer NOT NULL,
  -- The created tracks, and the point before which each ends.
  ids uuid[] NOT NULL,
  stops integer[] NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, subject, key)
);
CREATE INDEX ingest_key_by_age ON ingest_key (created_at);

-- The contribution of a track to the crowdsourced depths, as JSON (`shared/crowd/contribution.ts`).
-- `charts crowd` writes it. It disappears with the track.
CREATE TABLE crowd_track (
  account_id text NOT NULL,
  subject text NOT NULL,
  track_id uuid NOT NULL,
  summary jsonb NOT NULL,
  PRIMARY KEY (account_id, subject, track_id),
  FOREIGN KEY (account_id, subject, track_id) REFERENCES track (account_id, subject, id) ON DELETE CASCADE
);

GRANT SELECT, INSERT, DELETE ON track_about, track, track_chunk, ingest_key TO leadline_runtime;
GRANT UPDATE (start_time, end_time, point_count, byte_size, west, south, east, north, updated_at, share)
  ON track TO leadline_runtime;
GRANT UPDATE (body_sha256, merged, taken, ids, stops, created_at) ON ingest_key TO leadline_runtime;
GRANT SELECT ON crowd_track TO leadline_runtime;

-- The time of the sounding at an index (from 0).
CREATE FUNCTION sounding_time(points bytea, at integer) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT ('x' || encode(substr(points, 32 * at + 1, 8), 'hex'))::bit(64)::bigint $$;

-- Store the soundings of one request, all or none: those before the first gap that fit are appended to the
-- open track of the platform, the others become new tracks. One call is one transaction, and calls for one
-- platform run one after the other, so that each sees the current open track.
--
-- The caller has cut the soundings into tracks as if no track were open: `stops` are their ends. Only if some
-- points are appended to an open track are the others before the first gap cut again here.
--
-- A track has one consent and one reference of its depths. Soundings with another are not appended, because
-- the track would be corrected by the wrong offset. Only the field that the reference needs is compared: the
-- draft for depths below the keel, the depth of the transducer for those below it. A field that is null is
-- treated as absent. References are compared in lower case.
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
  -- Sums of the sizes of the points before the first gap; empty if nothing may be appended.
  p_running integer[],
  -- West, south, east and north of these points.
  p_running_box float8[],
  p_gap_ms bigint,
  p_max_bytes integer,
  -- NULL: the default of the account.
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
        width_bucket(p_max_bytes - t.byte_size, p_running) AS fits,
        lower(coalesce(nullif(a.platform ->> 'depthReference', ''),
          nullif(a.provider ->> 'verticalReferenceOfDepth', ''), 'transducer')) AS zero
      WHERE t.platform_key = v_platform_key AND t.share = v_share
        AND a.account_id = p_account_id AND a.subject = p_subject
        AND a.external_user_id = p_external_user_id AND a.platform_uid = p_platform_uid
        AND lower(coalesce(nullif(p_platform ->> 'depthReference', ''),
          nullif(p_provider ->> 'verticalReferenceOfDepth', ''), zero)) = zero
        AND NOT EXISTS (SELECT FROM
            unnest(CASE zero WHEN 'keel' THEN ARRAY['draft'] WHEN 'transducer' THEN ARRAY['transducerDepth'] END) AS field
          WHERE p_platform ->> field IS NOT NULL AND a.platform -> field IS DISTINCT FROM p_platform -> field)
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
  -- Each request deletes some expired rows.
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

GRANT EXECUTE ON FUNCTION sounding_time, append_tracks TO leadline_runtime;
