-- Uploads of charts and the jobs that process them. Each account has a set of charts: the public charts and
-- the cells of its own uploads. Administrators can also upload cells to the public charts. Files are in the
-- bucket of the charts.

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
  updated_at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
);
CREATE INDEX chart_upload_by_page ON chart_upload (account_id, created_at DESC, id DESC);

CREATE TABLE chart_job (
  id uuid PRIMARY KEY,
  account_id text NOT NULL,
  is_public boolean NOT NULL,
  kind text NOT NULL CHECK (kind IN ('upload', 'delete', 'rebuild', 'erase')),
  upload_id uuid,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN
    ('pending', 'processing', 'succeeded', 'failed', 'cancelled')),
  percent integer NOT NULL DEFAULT 0,
  steps jsonb NOT NULL DEFAULT '[]',
  logs jsonb NOT NULL DEFAULT '[]',
  result jsonb,
  -- Attempts in succession that came no further than an earlier one.
  attempts integer NOT NULL DEFAULT 0,
  furthest integer NOT NULL DEFAULT 0,
  is_cancelled boolean NOT NULL DEFAULT false,
  created_at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
  updated_at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
);
CREATE INDEX chart_job_by_page ON chart_job (account_id, created_at DESC, id DESC);
CREATE INDEX chart_job_active ON chart_job (created_at) WHERE state IN ('pending', 'processing');

-- The public build over which the charts of an account were built.
CREATE TABLE chart_set (
  account_id text PRIMARY KEY,
  public_build text NOT NULL
);

-- When a worker last asked for jobs.
CREATE TABLE chart_worker (
  id text PRIMARY KEY,
  seen_at bigint NOT NULL,
  -- User permit of its installation for encrypted charts (S-63); NULL if it decrypts none.
  user_permit text
);

CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- Who asks: a session with at least this role, or a token.
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

CREATE FUNCTION charts_begin(
  who jsonb, new_id uuid, to_public boolean, file_name text, most integer
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, CASE WHEN to_public THEN 'administrator' ELSE 'owner' END);
BEGIN
  IF to_public AND NOT caller.is_admin THEN PERFORM refuse('role_missing'); END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(caller.account, 6));
  IF EXISTS (SELECT FROM chart_upload WHERE id = new_id) THEN RETURN; END IF;
  IF (SELECT count(*) FROM chart_upload WHERE account_id = caller.account
      AND state IN ('receiving', 'pending', 'processing') AND updated_at > now_ms() - 86400000) >= most THEN
    PERFORM refuse('uploads_full');
  END IF;
  INSERT INTO chart_upload (id, account_id, is_public, actor, filename)
    VALUES (new_id, caller.account, to_public, caller.actor, file_name);
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

-- A page of the jobs of the account, newest first, their number, and when a worker was last there.
CREATE FUNCTION charts_jobs(who jsonb, only_id uuid, only_active boolean, most integer, skip integer)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'member');
BEGIN
  RETURN jsonb_build_object('workerSeenAt', (SELECT max(seen_at) FROM chart_worker),
    'now', now_ms(),
    'total', (SELECT count(*) FROM chart_job WHERE account_id = caller.account
      AND (NOT only_active OR state IN ('pending', 'processing'))),
    'jobs', (SELECT coalesce(jsonb_agg(page.one ORDER BY page.created_at DESC, page.id DESC), '[]') FROM (
      SELECT job.created_at, job.id, jsonb_build_object('id', job.id, 'jobType', job.kind,
        'jobState', job.state, 'accountId', job.account_id, 'uploadId', job.upload_id,
        'isPublic', job.is_public, 'filename', upload.filename, 'result', job.result, 'logs', job.logs,
        'percentComplete', job.percent, 'attempts', job.attempts, 'isCancelled', job.is_cancelled,
        'createdAt', job.created_at, 'updatedAt', job.updated_at, 'steps', job.steps) AS one
      FROM chart_job AS job LEFT JOIN chart_upload AS upload ON upload.id = job.upload_id
      WHERE job.account_id = caller.account AND (only_id IS NULL OR job.id = only_id)
        AND (NOT only_active OR job.state IN ('pending', 'processing'))
      ORDER BY job.created_at DESC, job.id DESC LIMIT most OFFSET skip) AS page));
END
$$;

-- The user permit of the worker that was last connected; NULL if no worker has one.
CREATE FUNCTION charts_permit(who jsonb) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'member');
BEGIN
  RETURN (SELECT user_permit FROM chart_worker WHERE user_permit IS NOT NULL ORDER BY seen_at DESC LIMIT 1);
END
$$;

-- Cancel a job, or start an ended one again. A deletion cannot be cancelled.
CREATE FUNCTION charts_change_job(who jsonb, of_id uuid, to_state text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_job;
BEGIN
  SELECT * INTO known FROM chart_job WHERE id = of_id AND account_id = caller.account FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('job_unknown'); END IF;
  IF known.is_public AND NOT caller.is_admin THEN PERFORM refuse('role_missing'); END IF;
  IF to_state = 'cancelled' THEN
    IF known.kind <> 'upload' OR known.state NOT IN ('pending', 'processing') THEN
      PERFORM refuse('job_over');
    END IF;
    -- A job in progress ends when its worker reads this.
    UPDATE chart_job SET is_cancelled = true, updated_at = now_ms(),
      state = CASE WHEN state = 'pending' THEN 'cancelled' ELSE state END WHERE id = of_id;
    UPDATE chart_upload SET state = 'cancelled', updated_at = now_ms()
      WHERE id = known.upload_id AND state = 'pending';
  ELSE
    IF known.state NOT IN ('failed', 'cancelled') OR (known.kind = 'upload' AND NOT EXISTS (
      SELECT FROM chart_upload WHERE id = known.upload_id AND state IN ('failed', 'cancelled'))) THEN
      PERFORM refuse('job_running');
    END IF;
    UPDATE chart_job SET state = 'pending', percent = 0, steps = '[]', result = NULL, attempts = 0,
      furthest = 0, is_cancelled = false, updated_at = now_ms() WHERE id = of_id;
    UPDATE chart_upload SET state = 'pending', updated_at = now_ms()
      WHERE id = known.upload_id AND known.kind = 'upload';
  END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (caller.actor,
    CASE WHEN to_state = 'cancelled' THEN 'job cancel' ELSE 'job retry' END, caller.account,
    jsonb_build_object('jobId', of_id));
END
$$;

-- The rest is for workers. A worker holds an advisory lock for the charts of a job, so that two jobs of the
-- same charts run one after the other, and another worker continues a job whose worker ended.

-- The first active job of each set of charts, oldest first.
CREATE FUNCTION work_jobs(of_worker text, permit text) RETURNS SETOF chart_job
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO chart_worker VALUES (of_worker, now_ms(), permit)
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at;
  DELETE FROM chart_worker WHERE seen_at < now_ms() - 86400000;
  RETURN QUERY SELECT (found_job).* FROM (
    SELECT DISTINCT ON (CASE WHEN job.is_public THEN '' ELSE job.account_id END) job AS found_job
    FROM chart_job AS job WHERE state IN ('pending', 'processing')
    ORDER BY CASE WHEN job.is_public THEN '' ELSE job.account_id END, job.created_at, job.id) AS first_jobs
  ORDER BY (found_job).created_at;
END
$$;

CREATE FUNCTION work_take(of_job uuid) RETURNS SETOF chart_job
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE chart_upload SET state = 'processing', updated_at = now_ms()
    WHERE state = 'pending' AND id = (SELECT upload_id FROM chart_job WHERE id = of_job AND kind = 'upload');
  RETURN QUERY UPDATE chart_job SET state = 'processing', updated_at = now_ms(),
    attempts = CASE WHEN percent > furthest THEN 1 ELSE attempts + 1 END, furthest = greatest(furthest, percent)
    WHERE id = of_job AND state IN ('pending', 'processing') RETURNING *;
END
$$;

-- The upload of a job, and all uploads whose cells are part of the same charts.
CREATE FUNCTION work_uploads(of_job uuid) RETURNS SETOF chart_upload
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT one.* FROM chart_upload AS one, chart_job AS job WHERE job.id = of_job AND (one.id = job.upload_id
    OR one.is_live AND one.is_public = job.is_public
      AND (job.is_public OR one.account_id = job.account_id))
  ORDER BY one.created_at, one.id
$$;

CREATE FUNCTION work_public() RETURNS SETOF chart_upload
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM chart_upload WHERE is_public AND is_live ORDER BY created_at, id
$$;

-- Returns whether the job should continue. At most 1,000 lines of a log are kept.
CREATE FUNCTION work_note(of_job uuid, new_percent integer, new_steps jsonb, lines jsonb) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  goes_on boolean;
BEGIN
  UPDATE chart_job SET percent = new_percent, steps = new_steps, updated_at = now_ms(),
    logs = CASE WHEN jsonb_array_length(logs) < 1000 THEN logs || lines ELSE logs END
    WHERE id = of_job AND state = 'processing' RETURNING NOT is_cancelled INTO goes_on;
  RETURN coalesce(goes_on, false);
END
$$;

-- End a job. `over_build` is the public build below the charts of the account; NULL if it has none.
CREATE FUNCTION work_end(of_job uuid, new_state text, with_result jsonb, with_cells jsonb, over_build text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  job chart_job;
BEGIN
  UPDATE chart_job SET state = new_state, result = with_result, updated_at = now_ms(),
    percent = CASE WHEN new_state = 'succeeded' THEN 100 ELSE percent END
    WHERE id = of_job AND state = 'processing' RETURNING * INTO job;
  IF NOT FOUND THEN RETURN; END IF;
  IF job.kind = 'upload' THEN
    UPDATE chart_upload SET cells = coalesce(with_cells, cells), updated_at = now_ms(),
      state = CASE WHEN state = 'deleting' THEN state ELSE new_state END,
      is_live = is_live OR new_state = 'succeeded' WHERE id = job.upload_id;
  ELSIF job.kind = 'delete' AND new_state = 'succeeded' THEN
    DELETE FROM chart_upload WHERE id = job.upload_id;
  END IF;
  IF new_state <> 'succeeded' OR job.is_public OR job.kind = 'erase' THEN RETURN; END IF;
  DELETE FROM chart_set WHERE account_id = job.account_id;
  IF over_build IS NOT NULL THEN INSERT INTO chart_set VALUES (job.account_id, over_build); END IF;
END
$$;

-- Start jobs for the charts of accounts that were built over another public build.
CREATE FUNCTION work_rebuild(over_build text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO chart_job (id, account_id, is_public, kind)
  SELECT gen_random_uuid(), account_id, false, 'rebuild' FROM chart_set AS one
  WHERE public_build <> over_build AND NOT EXISTS (SELECT FROM chart_job AS job
    WHERE job.account_id = one.account_id AND NOT is_public AND (state IN ('pending', 'processing')
      -- A failed one is repeated after an hour.
      OR kind = 'rebuild' AND state = 'failed' AND updated_at > now_ms() - 3600000))
$$;

-- Uploads that were not completed within a day, for deletion with their pieces.
CREATE FUNCTION work_abandoned() RETURNS SETOF chart_upload
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM chart_upload WHERE state = 'receiving' AND updated_at < now_ms() - 86400000 RETURNING *
$$;

-- An erased account has no charts.
CREATE FUNCTION erase_charts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM chart_upload WHERE account_id = NEW.id AND NOT is_public;
  DELETE FROM chart_job WHERE account_id = NEW.id AND NOT is_public;
  DELETE FROM chart_set WHERE account_id = NEW.id;
  INSERT INTO chart_job (id, account_id, is_public, kind)
    VALUES (gen_random_uuid(), NEW.id, false, 'erase');
  RETURN NULL;
END
$$;
CREATE TRIGGER erase_charts AFTER INSERT OR UPDATE ON account FOR EACH ROW
  WHEN (NEW.erased_at IS NOT NULL) EXECUTE FUNCTION erase_charts();

-- As before; `charts:write` permits what owners may do.
CREATE OR REPLACE FUNCTION role_for_token(scopes text[], votes_for_users boolean) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN votes_for_users OR 'charts:write' = ANY (scopes) THEN 'owner'
    WHEN 'reports:admin' = ANY (scopes) THEN 'moderator' ELSE 'member' END
$$;

-- As before, with the accounts that may have charts of their own.
CREATE OR REPLACE FUNCTION revocation_list(tolerance_ms bigint) RETURNS json
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

GRANT EXECUTE ON FUNCTION charts_begin, charts_received, charts_uploads, charts_delete, charts_jobs,
  charts_permit, charts_change_job, work_jobs, work_take, work_uploads, work_public, work_note, work_end, work_rebuild, work_abandoned
  TO leadline_runtime;
