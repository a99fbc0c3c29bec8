-- Uploads of charts. Each account has a set of charts: the public charts and the cells of its own uploads.
-- Administrators can also upload cells to the public charts. Files are in the bucket of the charts. Jobs
-- process the uploads.

CREATE TABLE chart_upload (
  id uuid PRIMARY KEY,
  account_id text NOT NULL,
  -- Whether the cells belong to the public charts.
  is_public boolean NOT NULL,
  -- `user:` and the id of a user, or `token:` and the id of a token.
  actor text NOT NULL,
  filename text NOT NULL CHECK (length(filename) BETWEEN 1 AND 255),
  bytes bigint NOT NULL DEFAULT 0,
  -- For each file its name, its length and the number of pieces in the bucket.
  files jsonb NOT NULL DEFAULT '[]',
  state text NOT NULL DEFAULT 'receiving' CHECK (state IN
    ('receiving', 'pending', 'processing', 'succeeded', 'failed', 'cancelled', 'deleting')),
  -- Whether the cells are part of the charts.
  is_live boolean NOT NULL DEFAULT false,
  -- What happened to each cell.
  cells jsonb NOT NULL DEFAULT '[]',
  created_at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
  updated_at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
  -- Length of the file of a resumable upload (tus 1.0), which may continue after a lost connection; NULL for a
  -- form. `bytes` is then the number of received bytes, and `files` has the names of the received pieces.
  announced_bytes bigint,
  -- Metadata of a resumable upload, which HEAD returns as the client sent it.
  metadata text
);
CREATE INDEX chart_upload_by_page ON chart_upload (account_id, created_at DESC, id DESC);

CREATE TABLE chart_job (
  id uuid PRIMARY KEY,
  account_id text NOT NULL,
  is_public boolean NOT NULL,
  kind text NOT NULL CHECK (kind IN
    ('upload', 'delete', 'rebuild', 'erase', 'rollback', 'refresh')),
  upload_id uuid,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN
    ('pending', 'processing', 'succeeded', 'failed', 'cancelled')),
  percent integer NOT NULL DEFAULT 0,
  steps jsonb NOT NULL DEFAULT '[]',
  logs jsonb NOT NULL DEFAULT '[]',
  result jsonb,
  -- Consecutive attempts without more progress than an earlier one.
  attempts integer NOT NULL DEFAULT 0,
  furthest integer NOT NULL DEFAULT 0,
  is_cancelled boolean NOT NULL DEFAULT false,
  created_at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
  updated_at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
  -- The build that a rollback returns to.
  build_id text,
  -- When a worker last took the job.
  taken_at bigint
);
CREATE INDEX chart_job_by_page ON chart_job (account_id, created_at DESC, id DESC);
CREATE INDEX chart_job_active ON chart_job (created_at) WHERE state IN ('pending', 'processing');

-- The caller: a session with at least this role, or a token.
CREATE FUNCTION chart_caller(
  who jsonb, at_least text, OUT account text, OUT actor text, OUT is_admin boolean
) LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  member portal_user;
BEGIN
  IF who ? 'session' THEN
    member := require_member(who ->> 'session', at_least);
    account := member.account_id;
    actor := 'user:' || member.id;
    is_admin := member.role = 'administrator';
  ELSE
    account := who ->> 'account';
    PERFORM require_standing(who ->> 'token', account, (who ->> 'generation')::integer);
    actor := 'token:' || (who ->> 'token');
    is_admin := false;
  END IF;
END
$$;

-- An upload of the caller for a change.
CREATE FUNCTION chart_upload_of(of_account text, of_id uuid) RETURNS chart_upload
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  known chart_upload;
BEGIN
  SELECT * INTO known FROM chart_upload WHERE id = of_id AND account_id = of_account FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('upload_unknown'); END IF;
  RETURN known;
END
$$;

-- `length` is the length of the file of a resumable upload. The files of deleted and abandoned uploads are in
-- the bucket until a worker removes them, so these uploads count as open until then. The account keeps at
-- most 1,000 uploads of 100 GiB, and begins at most 100 jobs of uploads in an hour.
CREATE FUNCTION charts_begin(
  who jsonb, new_id uuid, to_public boolean, file_name text, most integer, length bigint DEFAULT NULL
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, CASE WHEN to_public THEN 'administrator' ELSE 'owner' END);
  kept record;
BEGIN
  IF to_public AND NOT caller.is_admin THEN PERFORM refuse('role_missing'); END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(caller.account, 6));
  IF EXISTS (SELECT FROM chart_upload WHERE id = new_id) THEN RETURN; END IF;
  SELECT count(*) AS uploads, coalesce(sum(greatest(bytes, announced_bytes)), 0) AS bytes,
      count(*) FILTER (WHERE state IN ('receiving', 'pending', 'processing', 'deleting')) AS open
    INTO kept FROM chart_upload WHERE account_id = caller.account;
  IF kept.open >= most THEN PERFORM refuse('uploads_full'); END IF;
  IF kept.uploads >= 1000 OR kept.bytes + coalesce(length, 0) > 100 * 1073741824::bigint THEN
    PERFORM refuse('uploads_kept');
  END IF;
  IF (SELECT count(*) FROM chart_job WHERE account_id = caller.account AND kind = 'upload'
      AND created_at > now_ms() - 3600000) >= 100 THEN
    PERFORM refuse('uploads_frequent');
  END IF;
  INSERT INTO chart_upload (id, account_id, is_public, actor, filename, announced_bytes, files)
    VALUES (new_id, caller.account, to_public, caller.actor, file_name, length,
      CASE WHEN length IS NULL THEN '[]'
        ELSE jsonb_build_array(jsonb_build_object('name', file_name, 'bytes', length, 'pieces', '[]'::jsonb)) END);
END
$$;

-- The same with the metadata of a resumable upload.
CREATE FUNCTION charts_begin(
  who jsonb, new_id uuid, to_public boolean, file_name text, most integer, length bigint, sent_metadata text
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM charts_begin(who, new_id, to_public, file_name, most, length);
  UPDATE chart_upload SET metadata = sent_metadata WHERE id = new_id AND state = 'receiving';
END
$$;

-- The files of an upload are in the bucket: its job begins.
CREATE FUNCTION charts_received(
  who jsonb, of_id uuid, with_files jsonb, size bigint, new_job uuid
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_upload := chart_upload_of(caller.account, of_id);
BEGIN
  IF known.state <> 'receiving' THEN RETURN; END IF;
  UPDATE chart_upload SET files = with_files, bytes = size, state = 'pending', updated_at = now_ms()
    WHERE id = of_id;
  INSERT INTO chart_job (id, account_id, is_public, kind, upload_id)
    VALUES (new_job, caller.account, known.is_public, 'upload', of_id);
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (caller.actor, 'charts upload', caller.account,
    jsonb_build_object('uploadId', of_id, 'bytes', size, 'isPublic', known.is_public));
END
$$;

-- A resumable upload that the caller may continue.
CREATE FUNCTION resumable_upload_of(who jsonb, of_id uuid) RETURNS chart_upload
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_upload := chart_upload_of(caller.account, of_id);
BEGIN
  IF known.announced_bytes IS NULL OR known.state = 'deleting' THEN PERFORM refuse('upload_unknown'); END IF;
  IF known.is_public AND NOT caller.is_admin THEN PERFORM refuse('role_missing'); END IF;
  RETURN known;
END
$$;

CREATE FUNCTION charts_resumable(who jsonb, of_id uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  known chart_upload := resumable_upload_of(who, of_id);
BEGIN
  RETURN jsonb_build_object('filename', known.filename, 'length', known.announced_bytes, 'offset', known.bytes,
    'updatedAt', known.updated_at, 'metadata', known.metadata);
END
$$;

-- Add a piece that is in the bucket. The job of the upload begins with the last one. At most 5,000 pieces,
-- because each piece writes the list of all of them.
CREATE FUNCTION charts_append(who jsonb, of_id uuid, at bigint, piece text, size bigint, new_job uuid)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  known chart_upload := resumable_upload_of(who, of_id);
  all_files jsonb := jsonb_set(known.files, '{0,pieces}', known.files #> '{0,pieces}' || to_jsonb(piece));
BEGIN
  -- A retry after a lost response.
  IF known.files #>> '{0,pieces,-1}' = piece THEN RETURN; END IF;
  IF known.state <> 'receiving' OR known.updated_at = 0 OR known.bytes <> at OR at + size > known.announced_bytes THEN
    PERFORM refuse('upload_continued');
  END IF;
  IF jsonb_array_length(all_files #> '{0,pieces}') > 5000 THEN PERFORM refuse('upload_pieces'); END IF;
  UPDATE chart_upload SET files = all_files, bytes = at + size, updated_at = now_ms() WHERE id = of_id;
  IF at + size = known.announced_bytes THEN
    PERFORM charts_received(who, of_id, all_files, at + size, new_job);
  END IF;
END
$$;

-- End an upload that is not complete: a resumable one, or a form after an error. A worker deletes it and its
-- pieces as an abandoned one.
CREATE FUNCTION charts_abandon(who jsonb, of_id uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_upload := chart_upload_of(caller.account, of_id);
BEGIN
  IF known.is_public AND NOT caller.is_admin THEN PERFORM refuse('role_missing'); END IF;
  UPDATE chart_upload SET updated_at = 0 WHERE id = of_id AND state = 'receiving';
END
$$;

-- A page of the uploads of the account, newest first, with the last job of each.
CREATE FUNCTION charts_uploads(who jsonb, only_id uuid, most integer, skip integer) RETURNS SETOF jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'member');
BEGIN
  RETURN QUERY SELECT jsonb_build_object('id', one.id, 'filename', one.filename, 'fileSize', one.bytes,
    'status', one.state, 'isPublic', one.is_public, 'isLive', one.is_live, 'createdAt', one.created_at,
    'updatedAt', one.updated_at, 'uploaderEmail', (
      SELECT email FROM portal_user AS member WHERE one.actor = 'user:' || member.id),
    'cells', one.cells, 'logs', coalesce(job.logs, '[]'), 'jobId', job.id)
  FROM chart_upload AS one LEFT JOIN LATERAL (
    SELECT * FROM chart_job WHERE upload_id = one.id AND account_id = one.account_id
      ORDER BY created_at DESC LIMIT 1) AS job ON true
  WHERE one.account_id = caller.account AND one.state <> 'receiving' AND (only_id IS NULL OR one.id = only_id)
  ORDER BY one.created_at DESC, one.id DESC LIMIT most OFFSET skip;
END
$$;

-- Remove the cells of an upload from the charts, and its files. Its unfinished job is cancelled.
CREATE FUNCTION charts_delete(who jsonb, of_id uuid, new_job uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_upload := chart_upload_of(caller.account, of_id);
BEGIN
  IF known.is_public AND NOT caller.is_admin THEN PERFORM refuse('role_missing'); END IF;
  IF known.state = 'deleting' THEN RETURN; END IF;
  UPDATE chart_job SET is_cancelled = true, updated_at = now_ms()
    WHERE upload_id = of_id AND state IN ('pending', 'processing');
  UPDATE chart_upload SET state = 'deleting', updated_at = now_ms() WHERE id = of_id;
  INSERT INTO chart_job (id, account_id, is_public, kind, upload_id)
    VALUES (new_job, caller.account, known.is_public, 'delete', of_id);
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (caller.actor, 'charts delete', caller.account,
    jsonb_build_object('uploadId', of_id, 'isPublic', known.is_public));
END
$$;

-- The list that the edge checks reads with. Expired tokens are omitted, because the edge rejects them by
-- their claims. `charts` are the accounts that may have charts of their own.
CREATE FUNCTION revocation_list(tolerance_ms bigint) RETURNS json
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms),
  revoked AS (
    SELECT id, revoked_at, revoked_at <= now_ms AS has_ended FROM api_token, clock
    WHERE revoked_at IS NOT NULL AND (expires_at IS NULL OR expires_at > now_ms - tolerance_ms)
  )
  SELECT json_build_object(
    'tokens', (SELECT coalesce(json_agg(id ORDER BY id), '[]') FROM revoked WHERE has_ended),
    'ending', (SELECT coalesce(json_object_agg(id, revoked_at), '{}') FROM revoked WHERE NOT has_ended),
    'suspended', (SELECT coalesce(json_agg(id ORDER BY id), '[]') FROM account WHERE suspended_at IS NOT NULL),
    'generations', (SELECT coalesce(json_object_agg(id, generation), '{}') FROM account WHERE generation > 0),
    'charts', (SELECT coalesce(json_agg(DISTINCT account_id ORDER BY account_id), '[]') FROM chart_upload
      WHERE NOT is_public))
$$;

GRANT EXECUTE ON FUNCTION charts_begin(jsonb, uuid, boolean, text, integer, bigint),
  charts_begin(jsonb, uuid, boolean, text, integer, bigint, text), charts_received, charts_resumable,
  charts_append, charts_abandon, charts_uploads, charts_delete, revocation_list TO leadline_runtime;
