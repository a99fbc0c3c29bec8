-- Jobs of charts: uploads, deletions, rebuilds, returns to earlier builds, and refreshes of the public charts
-- from producers. Also the workers that run them.

-- The public build over which the charts of an account were built.
CREATE TABLE chart_set (
  account_id text PRIMARY KEY,
  public_build text NOT NULL
);

-- The last builds of the charts of each account, so that the account can return to one of them.
CREATE TABLE chart_set_build (
  account_id text NOT NULL,
  build_id text NOT NULL,
  published_at bigint NOT NULL,
  -- The uploads that the build contains.
  uploads uuid[] NOT NULL,
  -- Names of their cells.
  cells text[] NOT NULL,
  PRIMARY KEY (account_id, build_id)
);

-- When a worker last asked for jobs.
CREATE TABLE chart_worker (
  id text PRIMARY KEY,
  seen_at bigint NOT NULL,
  -- User permit of its installation for encrypted charts (S-63); NULL if it decrypts none.
  user_permit text,
  -- Whether the worker has producers.
  can_refresh boolean NOT NULL DEFAULT false
);

-- The schedule, at most one row.
CREATE TABLE chart_schedule (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- The account whose jobs the refreshes are.
  account_id text NOT NULL,
  every text NOT NULL CHECK (every IN ('day', 'week')),
  next_at bigint NOT NULL
);

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

-- Whether all uploads of a build still exist.
CREATE FUNCTION has_uploads(of_account text, wanted uuid[]) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT NOT EXISTS (SELECT unnest(wanted)
    EXCEPT SELECT id FROM chart_upload WHERE account_id = of_account AND state <> 'deleting')
$$;

-- The builds of the account, newest first. The first one is current.
CREATE FUNCTION charts_sets(who jsonb) RETURNS SETOF jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'member');
BEGIN
  RETURN QUERY SELECT jsonb_build_object('id', one.build_id, 'publishedAt', one.published_at,
    'cells', to_jsonb(one.cells), 'isCurrent', one.position = 1,
    'canReturn', one.position > 1 AND has_uploads(caller.account, one.uploads))
  FROM (SELECT *, row_number() OVER (ORDER BY published_at DESC, build_id) AS position
    FROM chart_set_build WHERE account_id = caller.account) AS one ORDER BY one.position;
END
$$;

-- Return to an earlier build. Only one return runs at a time.
CREATE FUNCTION charts_return(who jsonb, to_build text, new_job uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_set_build;
BEGIN
  SELECT * INTO known FROM chart_set_build WHERE account_id = caller.account AND build_id = to_build;
  IF NOT FOUND THEN PERFORM refuse('set_unknown'); END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(caller.account, 6));
  IF EXISTS (SELECT FROM chart_job WHERE id = new_job) THEN RETURN; END IF;
  -- Jobs run one after the other, and a return cannot be cancelled.
  IF EXISTS (SELECT FROM chart_job WHERE account_id = caller.account AND kind = 'rollback'
    AND state IN ('pending', 'processing')) THEN PERFORM refuse('set_returning'); END IF;
  IF NOT has_uploads(caller.account, known.uploads) OR NOT EXISTS (SELECT FROM chart_set_build
    WHERE account_id = caller.account AND published_at > known.published_at) THEN PERFORM refuse('set_fixed'); END IF;
  INSERT INTO chart_job (id, account_id, is_public, kind, build_id)
    VALUES (new_job, caller.account, false, 'rollback', to_build);
  INSERT INTO admin_act (actor, act, account_id, detail)
    VALUES (caller.actor, 'charts rollback', caller.account, jsonb_build_object('buildId', to_build));
END
$$;

-- The time between refreshes, in milliseconds.
CREATE FUNCTION schedule_ms(every text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE every WHEN 'day' THEN 86400000 ELSE 604800000 END::bigint
$$;

-- Start a refresh, unless one is active. Returns the id of its job.
CREATE FUNCTION start_refresh(of_account text, new_job uuid) RETURNS uuid
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  active uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('refresh', 6));
  -- Also a retry after a lost response.
  SELECT id INTO active FROM chart_job
    WHERE id = new_job OR kind = 'refresh' AND state IN ('pending', 'processing') LIMIT 1;
  IF FOUND THEN RETURN active; END IF;
  INSERT INTO chart_job (id, account_id, is_public, kind) VALUES (new_job, of_account, true, 'refresh');
  RETURN new_job;
END
$$;

-- Administrators and tokens of their account may refresh the charts. Returns the id and the state of the job.
CREATE FUNCTION charts_refresh(who jsonb, new_job uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'administrator');
  started uuid;
  job chart_job;
BEGIN
  IF NOT caller.is_admin AND NOT EXISTS (SELECT FROM portal_user
    WHERE account_id = caller.account AND role = 'administrator') THEN PERFORM refuse('role_missing'); END IF;
  IF NOT EXISTS (SELECT FROM chart_worker WHERE can_refresh) THEN PERFORM refuse('producer_missing'); END IF;
  started := start_refresh(caller.account, new_job);
  SELECT * INTO job FROM chart_job WHERE id = started;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (caller.actor, 'charts refresh', caller.account,
    jsonb_build_object('jobId', job.id));
  RETURN jsonb_build_object('jobId', job.id, 'jobState', job.state);
END
$$;

-- Read the schedule, or set it first. `new_every` is `never`, `day` or `week`; NULL to read.
CREATE FUNCTION charts_schedule(who jsonb, new_every text) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'administrator');
  known chart_schedule;
BEGIN
  IF new_every IS NOT NULL THEN
    DELETE FROM chart_schedule;
    IF new_every <> 'never' THEN
      INSERT INTO chart_schedule (account_id, every, next_at)
        VALUES (caller.account, new_every, now_ms() + schedule_ms(new_every));
    END IF;
    INSERT INTO admin_act (actor, act, account_id, detail) VALUES (caller.actor, 'charts schedule', caller.account,
      jsonb_build_object('every', new_every));
  END IF;
  SELECT * INTO known FROM chart_schedule;
  RETURN jsonb_build_object('every', coalesce(known.every, 'never'), 'nextAt', known.next_at,
    'hasProducers', EXISTS (SELECT FROM chart_worker WHERE can_refresh));
END
$$;

-- The rest is for workers. A worker holds an advisory lock for the charts of a job, so that two jobs of the
-- same charts run one after the other, and another worker continues a job whose worker ended.

-- The first active job of each set of charts. The charts whose last job was taken longest ago come first, so
-- that the jobs of one account do not delay all others; then those with the oldest job. `has_producers`: whether
-- the worker can refresh the public charts.
CREATE FUNCTION work_jobs(of_worker text, permit text, has_producers boolean DEFAULT false)
RETURNS SETOF chart_job
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO chart_worker VALUES (of_worker, now_ms(), permit, has_producers)
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at;
  DELETE FROM chart_worker WHERE seen_at < now_ms() - 86400000;
  RETURN QUERY SELECT (found_job).* FROM (
    SELECT DISTINCT ON (CASE WHEN job.is_public THEN '' ELSE job.account_id END) job AS found_job
    FROM chart_job AS job WHERE state IN ('pending', 'processing')
    ORDER BY CASE WHEN job.is_public THEN '' ELSE job.account_id END, job.created_at, job.id) AS first_jobs
  ORDER BY (SELECT max(earlier.taken_at) FROM chart_job AS earlier WHERE earlier.is_public = (found_job).is_public
      AND (earlier.is_public OR earlier.account_id = (found_job).account_id)) NULLS FIRST,
    (found_job).created_at;
END
$$;

CREATE FUNCTION work_take(of_job uuid) RETURNS SETOF chart_job
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE chart_upload SET state = 'processing', updated_at = now_ms()
    WHERE state = 'pending' AND id = (SELECT upload_id FROM chart_job WHERE id = of_job AND kind = 'upload');
  RETURN QUERY UPDATE chart_job SET state = 'processing', updated_at = now_ms(), taken_at = now_ms(),
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

-- End a job. `over_build` is the public build below the charts of the account; NULL if it has no charts of
-- its own. `kept` are the builds of the account whose parts are kept.
CREATE FUNCTION work_end(
  of_job uuid, new_state text, with_result jsonb, with_cells jsonb, over_build text, kept text[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
  IF job.kind = 'rollback' THEN
    UPDATE chart_upload AS one SET is_live = one.id = ANY (known.uploads), updated_at = now_ms()
      FROM chart_set_build AS known
      WHERE known.account_id = job.account_id AND known.build_id = job.build_id
        AND one.account_id = job.account_id AND NOT one.is_public
        AND one.is_live <> (one.id = ANY (known.uploads));
  END IF;
  DELETE FROM chart_set WHERE account_id = job.account_id;
  IF over_build IS NOT NULL THEN INSERT INTO chart_set VALUES (job.account_id, over_build); END IF;
  IF kept IS NULL THEN RETURN; END IF;
  DELETE FROM chart_set_build WHERE account_id = job.account_id AND build_id <> ALL (kept);
  IF cardinality(kept) = 0 THEN RETURN; END IF;
  INSERT INTO chart_set_build (account_id, build_id, published_at, uploads, cells)
  SELECT job.account_id, with_result ->> 'buildId', now_ms(), coalesce(array_agg(DISTINCT one.id), '{}'),
    coalesce(array_agg(DISTINCT cell ->> 'name') FILTER (WHERE cell ->> 'outcome' <> 'refused'), '{}')
  FROM (SELECT * FROM chart_upload WHERE account_id = job.account_id AND is_live AND NOT is_public) AS one
    LEFT JOIN LATERAL jsonb_array_elements(one.cells) AS cell ON true
  ON CONFLICT (account_id, build_id) DO UPDATE SET published_at = excluded.published_at,
    uploads = excluded.uploads, cells = excluded.cells;
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

-- Start the refresh that is due.
CREATE FUNCTION work_schedule() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  due chart_schedule;
BEGIN
  UPDATE chart_schedule SET next_at = now_ms() + schedule_ms(every) WHERE next_at <= now_ms() RETURNING * INTO due;
  IF FOUND THEN PERFORM start_refresh(due.account_id, gen_random_uuid()); END IF;
END
$$;

-- Uploads that were not completed within a day, for deletion with their pieces. The erasure of the charts of
-- an account is repeated until it succeeds: its job fails if the bucket is unavailable, and no user of the
-- account can retry it.
CREATE FUNCTION work_abandoned() RETURNS SETOF chart_upload
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE chart_job SET state = 'pending', attempts = 0, furthest = 0, updated_at = now_ms()
    WHERE kind = 'erase' AND state = 'failed' AND updated_at < now_ms() - 600000;
  DELETE FROM chart_upload WHERE state = 'receiving' AND updated_at < now_ms() - 86400000 RETURNING *
$$;

-- An erased account has no charts.
CREATE FUNCTION erase_charts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM chart_upload WHERE account_id = NEW.id AND NOT is_public;
  DELETE FROM chart_job WHERE account_id = NEW.id AND NOT is_public;
  DELETE FROM chart_set WHERE account_id = NEW.id;
  DELETE FROM chart_set_build WHERE account_id = NEW.id;
  INSERT INTO chart_job (id, account_id, is_public, kind)
    VALUES (gen_random_uuid(), NEW.id, false, 'erase');
  RETURN NULL;
END
$$;

CREATE TRIGGER erase_charts AFTER INSERT OR UPDATE ON account FOR EACH ROW
  WHEN (NEW.erased_at IS NOT NULL) EXECUTE FUNCTION erase_charts();

GRANT EXECUTE ON FUNCTION charts_jobs, charts_permit, charts_change_job, charts_sets, charts_return,
  charts_refresh, charts_schedule, work_jobs, work_take, work_uploads, work_public, work_note, work_end,
  work_rebuild, work_schedule, work_abandoned TO leadline_runtime;
