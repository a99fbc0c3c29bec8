-- Jobs of charts that fail or are cancelled after their charts are published, and jobs that are repeated.

-- A worker calls this before it publishes the charts of an upload. If the job ends without the worker, for example
-- because it was killed, the next worker compares this build with the published one.
CREATE FUNCTION work_publish(of_job uuid, to_build text, with_cells jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE chart_job SET build_id = to_build WHERE id = of_job AND kind = 'upload' AND state = 'processing';
  UPDATE chart_upload AS one SET cells = coalesce(with_cells, one.cells), updated_at = now_ms() FROM chart_job AS job
    WHERE job.id = of_job AND job.kind = 'upload' AND job.state = 'processing' AND one.id = job.upload_id;
$$;

-- End a job. `over_build` is the public build below the charts of the account; NULL if it has no charts of
-- its own. `kept` are the builds of the account whose parts are kept; NULL if they did not change or older ones could
-- not be deleted.
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

-- Starts failed jobs again.
CREATE FUNCTION repeat_jobs(ids uuid[]) RETURNS void LANGUAGE sql SET search_path = public, pg_temp AS $$
  UPDATE chart_job SET state = 'pending', percent = 0, steps = '[]', logs = '[]', result = NULL, attempts = 0,
    furthest = 0, is_cancelled = false, updated_at = now_ms() WHERE id = ANY (ids) AND state = 'failed'
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
    WHERE id = failed_job AND updated_at <= now_ms() - 3600000))
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
      WHERE updated_at <= now_ms() - 3600000));
  END IF;
END
$$;

-- The first active job of each set of charts. The charts whose last job was taken first come first, so that
-- the jobs of one account do not delay all others; then those with the oldest job. `has_producers`: whether
-- the worker can refresh the public charts.
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
  ORDER BY (SELECT max(earlier.taken_at) FROM chart_job AS earlier WHERE earlier.is_public = (found_job).is_public
      AND (earlier.is_public OR earlier.account_id = (found_job).account_id)) NULLS FIRST,
    (found_job).created_at;
END
$$;

-- Uploads that were not completed within a day, for deletion with their pieces. They cannot be continued, and stay
-- until `work_forget`. The erasure of the charts of an account is repeated until it succeeds: its job fails if the
-- bucket is unavailable, and no user of the account can retry it.
CREATE OR REPLACE FUNCTION work_abandoned() RETURNS SETOF chart_upload
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT repeat_jobs(ARRAY(SELECT id FROM chart_job WHERE kind = 'erase' AND updated_at < now_ms() - 600000));
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

-- Which of these names are ids of uploads, or of accounts with uploads.
CREATE FUNCTION work_known(names text[]) RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT id::text FROM chart_upload WHERE id::text = ANY (names)
  UNION SELECT account_id FROM chart_upload WHERE account_id = ANY (names) AND state <> 'receiving'
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

GRANT EXECUTE ON FUNCTION work_publish, work_forget, work_known TO leadline_runtime;
