-- Jobs of charts that fail or are cancelled after their charts are published, jobs that are repeated, and the turns of
-- many accounts.

CREATE INDEX chart_job_of_charts ON chart_job ((CASE WHEN is_public THEN '' ELSE account_id END), taken_at DESC)
  WHERE taken_at IS NOT NULL;

-- A worker calls this before it publishes the charts of an upload. If the job ends without the worker, for example
-- because it was killed, the next worker compares this build with the published one.
CREATE FUNCTION work_publish(of_job uuid, to_build text, with_cells jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE chart_job SET build_id = to_build WHERE id = of_job AND kind = 'upload' AND state = 'processing';
  UPDATE chart_upload AS one SET cells = coalesce(with_cells, one.cells), updated_at = now_ms() FROM chart_job AS job
    WHERE job.id = of_job AND job.kind = 'upload' AND job.state = 'processing' AND one.id = job.upload_id;
$$;

-- A worker calls this when the charts without a deleted upload are published, before it deletes the files. Other jobs
-- do not use the upload any more. If the job does not record its build, the charts of the account are built again.
CREATE FUNCTION work_removed(of_job uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH removed AS (
    UPDATE chart_upload SET is_live = false, updated_at = now_ms() WHERE is_live AND id = (
      SELECT upload_id FROM chart_job WHERE id = of_job AND kind = 'delete' AND state = 'processing') RETURNING *
  )
  UPDATE chart_set AS one SET public_build = '' FROM removed
    WHERE one.account_id = removed.account_id AND NOT removed.is_public
$$;

-- End a job. `over_build` is the public build below the charts of the account; empty if it is not known, and NULL if
-- the account has no charts of its own. The known one stays if the result has no build. `kept` are the builds of the
-- account whose parts are kept; NULL if they did not change or older ones could not be deleted.
CREATE OR REPLACE FUNCTION work_end(
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
    UPDATE chart_upload SET updated_at = now_ms(),
      -- The cells of `work_publish` are not part of the charts if the job fails.
      cells = coalesce(with_cells, CASE WHEN new_state = 'succeeded' THEN cells ELSE '[]' END),
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
  IF over_build IS NULL THEN
    DELETE FROM chart_set WHERE account_id = job.account_id;
  ELSIF with_result ->> 'buildId' IS NOT NULL THEN
    INSERT INTO chart_set VALUES (job.account_id, over_build)
      ON CONFLICT (account_id) DO UPDATE SET public_build = excluded.public_build;
  END IF;
  DELETE FROM chart_set_build WHERE account_id = job.account_id AND build_id <> ALL (kept);
  IF with_result ->> 'buildId' IS NULL THEN RETURN; END IF;
  INSERT INTO chart_set_build (account_id, build_id, published_at, uploads, cells)
  SELECT job.account_id, with_result ->> 'buildId', now_ms(), coalesce(array_agg(DISTINCT one.id), '{}'),
    coalesce(array_agg(DISTINCT cell ->> 'name') FILTER (WHERE cell ->> 'outcome' <> 'refused'), '{}')
  FROM (SELECT * FROM chart_upload WHERE account_id = job.account_id AND is_live AND NOT is_public) AS one
    LEFT JOIN LATERAL jsonb_array_elements(one.cells) AS cell ON true
  ON CONFLICT (account_id, build_id) DO UPDATE SET published_at = excluded.published_at,
    uploads = excluded.uploads, cells = excluded.cells;
END
$$;

-- Starts jobs again that failed or were cancelled. The build of a return is its target. That of an upload is what an
-- attempt published, and `work_end` has removed the list of its cells: the files are checked again.
CREATE FUNCTION repeat_jobs(ids uuid[]) RETURNS void LANGUAGE sql SET search_path = public, pg_temp AS $$
  UPDATE chart_job SET state = 'pending', percent = 0, steps = '[]', logs = '[]', result = NULL, attempts = 0,
    furthest = 0, build_id = CASE kind WHEN 'rollback' THEN build_id END, is_cancelled = false, updated_at = now_ms() WHERE id = ANY (ids) AND state IN ('failed', 'cancelled')
$$;

-- Whether a time is this many milliseconds ago, or too far ahead because the clock was set back.
CREATE FUNCTION is_over(at bigint, ms bigint) RETURNS boolean LANGUAGE sql SET search_path = public, pg_temp AS $$
  SELECT at <= now_ms() - ms OR at > now_ms() + 3600000
$$;

-- Cancel a job, or start an ended one again. A deletion cannot be cancelled.
CREATE OR REPLACE FUNCTION charts_change_job(who jsonb, of_id uuid, to_state text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_job;
BEGIN
  -- Only one return runs at a time.
  IF to_state <> 'cancelled' THEN PERFORM pg_advisory_xact_lock(hashtextextended(caller.account, 6)); END IF;
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
    -- The conditions of `charts_return`.
    IF known.kind = 'rollback' THEN
      IF EXISTS (SELECT FROM chart_job WHERE account_id = caller.account AND kind = 'rollback'
        AND state IN ('pending', 'processing')) THEN PERFORM refuse('job_returning'); END IF;
      IF NOT EXISTS (SELECT FROM chart_set_build WHERE account_id = caller.account AND build_id = known.build_id
        AND has_uploads(caller.account, uploads)) THEN PERFORM refuse('job_set_gone'); END IF;
    END IF;
    PERFORM repeat_jobs(ARRAY[of_id]);
    UPDATE chart_upload SET state = 'pending', updated_at = now_ms()
      WHERE id = known.upload_id AND known.kind = 'upload';
  END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (caller.actor,
    CASE WHEN to_state = 'cancelled' THEN 'job cancel' ELSE 'job retry' END, caller.account,
    jsonb_build_object('jobId', of_id));
END
$$;

-- Remove the cells of an upload from the charts, and its files. Its unfinished job is cancelled. Another request
-- repeats a deletion that failed.
CREATE OR REPLACE FUNCTION charts_delete(who jsonb, of_id uuid, new_job uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_upload;
BEGIN
  -- The jobs before the upload, like the functions that change a job.
  PERFORM FROM chart_job WHERE upload_id = of_id AND account_id = caller.account ORDER BY id FOR UPDATE;
  known := chart_upload_of(caller.account, of_id);
  IF known.is_public AND NOT caller.is_admin THEN PERFORM refuse('role_missing'); END IF;
  IF known.state = 'deleting' THEN
    PERFORM repeat_jobs(ARRAY(SELECT id FROM chart_job WHERE upload_id = of_id AND kind = 'delete'));
    RETURN;
  END IF;
  UPDATE chart_job SET is_cancelled = true, updated_at = now_ms()
    WHERE upload_id = of_id AND state IN ('pending', 'processing');
  UPDATE chart_upload SET state = 'deleting', updated_at = now_ms() WHERE id = of_id;
  INSERT INTO chart_job (id, account_id, is_public, kind, upload_id)
    VALUES (new_job, caller.account, known.is_public, 'delete', of_id);
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (caller.actor, 'charts delete', caller.account,
    jsonb_build_object('uploadId', of_id, 'isPublic', known.is_public));
END
$$;

-- Start jobs for the charts of accounts that were built over another public build. The row of a failed job is used
-- again.
CREATE OR REPLACE FUNCTION work_rebuild(over_build text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  -- Several workers would start the same jobs.
  SELECT pg_advisory_xact_lock(hashtextextended('rebuild', 6));
  WITH old_set AS (
    SELECT account_id, (SELECT job.id FROM chart_job AS job WHERE job.account_id = one.account_id AND NOT is_public
      AND kind = 'rebuild' AND state = 'failed' ORDER BY created_at DESC LIMIT 1) AS failed_job
    FROM chart_set AS one WHERE public_build <> over_build AND NOT EXISTS (SELECT FROM chart_job AS job
      WHERE job.account_id = one.account_id AND NOT is_public AND state IN ('pending', 'processing'))
  ), added AS (
    INSERT INTO chart_job (id, account_id, is_public, kind)
    SELECT gen_random_uuid(), account_id, false, 'rebuild' FROM old_set WHERE failed_job IS NULL
  )
  -- A failed one is repeated after an hour.
  SELECT repeat_jobs(ARRAY(SELECT id FROM chart_job, old_set
    WHERE id = failed_job AND is_over(updated_at, 3600000)))
$$;

-- Start the refresh that is due, or whose time is too far ahead because the clock was set back. A failed refresh is
-- repeated after an hour.
CREATE OR REPLACE FUNCTION work_schedule() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  due chart_schedule;
BEGIN
  UPDATE chart_schedule SET next_at = now_ms() + schedule_ms(every)
    WHERE next_at <= now_ms() OR next_at > now_ms() + schedule_ms(every) + 3600000 RETURNING * INTO due;
  IF FOUND THEN
    PERFORM start_refresh(due.account_id, gen_random_uuid());
  ELSIF EXISTS (SELECT FROM chart_schedule) THEN
    PERFORM repeat_jobs(ARRAY(SELECT id FROM
      (SELECT * FROM chart_job WHERE kind = 'refresh' ORDER BY created_at DESC LIMIT 1) AS last_one
      WHERE is_over(updated_at, 3600000)));
  END IF;
END
$$;

-- The first active job of each set of charts. The charts whose last job was taken first come first, so that
-- the jobs of one account do not delay all others; then those with the oldest job. At most 100: the charts that other
-- workers change were taken last. `has_producers`: whether the worker can refresh the public charts.
CREATE OR REPLACE FUNCTION work_jobs(of_worker text, permit text, has_producers boolean DEFAULT false)
RETURNS SETOF chart_job
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO chart_worker VALUES (of_worker, now_ms(), permit, has_producers)
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at;
  DELETE FROM chart_worker WHERE seen_at < now_ms() - 86400000;
  RETURN QUERY SELECT (found_job).* FROM (
    SELECT DISTINCT ON (CASE WHEN job.is_public THEN '' ELSE job.account_id END) job AS found_job
    FROM chart_job AS job WHERE state IN ('pending', 'processing') AND (kind <> 'refresh' OR has_producers)
    ORDER BY CASE WHEN job.is_public THEN '' ELSE job.account_id END, job.created_at, job.id) AS first_jobs
  ORDER BY (SELECT max(earlier.taken_at) FROM chart_job AS earlier
      WHERE CASE WHEN earlier.is_public THEN '' ELSE earlier.account_id END
        = CASE WHEN (found_job).is_public THEN '' ELSE (found_job).account_id END) NULLS FIRST,
    (found_job).created_at LIMIT 100;
END
$$;

-- Whether a worker with producers was connected in the last hour.
CREATE FUNCTION has_producers() RETURNS boolean LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM chart_worker WHERE can_refresh AND seen_at > now_ms() - 3600000)
$$;

-- Administrators and tokens of their account may refresh the charts. Returns what the job is.
CREATE OR REPLACE FUNCTION charts_refresh(who jsonb, new_job uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'administrator');
  started uuid;
  job chart_job;
BEGIN
  IF NOT caller.is_admin AND NOT EXISTS (SELECT FROM portal_user
    WHERE account_id = caller.account AND role = 'administrator') THEN PERFORM refuse('role_missing'); END IF;
  IF NOT has_producers() THEN PERFORM refuse('producer_missing'); END IF;
  started := start_refresh(caller.account, new_job);
  SELECT * INTO job FROM chart_job WHERE id = started;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (caller.actor, 'charts refresh', caller.account,
    jsonb_build_object('jobId', job.id));
  RETURN jsonb_build_object('jobId', job.id, 'jobState', job.state);
END
$$;

-- Read the schedule, or set it first. `new_every` is `never`, `day` or `week`; NULL to read.
CREATE OR REPLACE FUNCTION charts_schedule(who jsonb, new_every text) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'administrator');
  known chart_schedule;
BEGIN
  IF new_every = 'never' THEN
    DELETE FROM chart_schedule;
  ELSIF new_every IS NOT NULL THEN
    INSERT INTO chart_schedule (account_id, every, next_at)
      VALUES (caller.account, new_every, now_ms() + schedule_ms(new_every))
      ON CONFLICT (id) DO UPDATE SET account_id = excluded.account_id, every = excluded.every, next_at = excluded.next_at;
  END IF;
  IF new_every IS NOT NULL THEN
    INSERT INTO admin_act (actor, act, account_id, detail) VALUES (caller.actor, 'charts schedule', caller.account,
      jsonb_build_object('every', new_every));
  END IF;
  SELECT * INTO known FROM chart_schedule;
  RETURN jsonb_build_object('every', coalesce(known.every, 'never'), 'nextAt', known.next_at,
    'hasProducers', has_producers());
END
$$;

-- Uploads that were not completed within a day, for deletion with their pieces. They cannot be continued, and stay
-- until `work_forget`. The erasure of the charts of an account is repeated until it succeeds: its job fails if the
-- bucket is unavailable, and no user of the account can retry it. A refresh fails if no worker can run it.
CREATE OR REPLACE FUNCTION work_abandoned() RETURNS SETOF chart_upload
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE chart_job SET state = 'failed', updated_at = now_ms(), result = jsonb_build_object('buildId', NULL, 'message',
      'No worker with producers is connected. Nothing was changed. The operator of the service sets LEADLINE_SYNC.')
    WHERE kind = 'refresh' AND state IN ('pending', 'processing') AND is_over(updated_at, 3600000)
      AND NOT has_producers();
  SELECT repeat_jobs(ARRAY(SELECT id FROM chart_job WHERE kind = 'erase' AND is_over(updated_at, 600000)));
  UPDATE chart_upload SET updated_at = 0 WHERE state = 'receiving' AND updated_at < now_ms() - 86400000 RETURNING *
$$;

-- The files of an upload are in the bucket: its job begins. An abandoned upload has no files.
CREATE OR REPLACE FUNCTION charts_received(
  who jsonb, of_id uuid, with_files jsonb, size bigint, new_job uuid
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_upload := chart_upload_of(caller.account, of_id);
BEGIN
  IF known.state <> 'receiving' THEN RETURN; END IF;
  IF known.updated_at = 0 THEN PERFORM refuse('upload_unknown'); END IF;
  UPDATE chart_upload SET files = with_files, bytes = size, state = 'pending', updated_at = now_ms()
    WHERE id = of_id;
  INSERT INTO chart_job (id, account_id, is_public, kind, upload_id)
    VALUES (new_job, caller.account, known.is_public, 'upload', of_id);
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (caller.actor, 'charts upload', caller.account,
    jsonb_build_object('uploadId', of_id, 'bytes', size, 'isPublic', known.is_public));
END
$$;

-- Forgets an abandoned upload whose files are deleted.
CREATE FUNCTION work_forget(of_upload uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM chart_upload WHERE id = of_upload AND state = 'receiving' AND updated_at = 0
$$;

-- Which of these names are ids of uploads, or of accounts with uploads to their own charts.
CREATE FUNCTION work_known(names text[]) RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT id::text FROM chart_upload WHERE id::text = ANY (names)
  UNION SELECT account_id FROM chart_upload WHERE account_id = ANY (names) AND state <> 'receiving' AND NOT is_public
$$;

-- An erased account has no charts. The files of an unfinished upload may still arrive, so its row stays without
-- content until it is abandoned, a day later.
CREATE OR REPLACE FUNCTION erase_charts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM chart_job WHERE account_id = NEW.id AND NOT is_public;
  UPDATE chart_upload SET actor = 'erased', filename = 'erased', files = '[]', metadata = NULL, updated_at = now_ms()
    WHERE account_id = NEW.id AND NOT is_public AND state = 'receiving';
  DELETE FROM chart_upload WHERE account_id = NEW.id AND NOT is_public AND state <> 'receiving';
  DELETE FROM chart_set WHERE account_id = NEW.id;
  DELETE FROM chart_set_build WHERE account_id = NEW.id;
  INSERT INTO chart_job (id, account_id, is_public, kind)
    VALUES (gen_random_uuid(), NEW.id, false, 'erase');
  RETURN NULL;
END
$$;

GRANT EXECUTE ON FUNCTION work_publish, work_removed, work_forget, work_known TO leadline_runtime;
