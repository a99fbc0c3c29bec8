-- Jobs that download the new editions of producers into the public charts, at once or by a schedule. Workers
-- take turns between the charts of accounts, so that the jobs of one account do not delay all others.

-- When a worker last took the job.
ALTER TABLE chart_job ADD COLUMN taken_at bigint;

ALTER TABLE chart_job DROP CONSTRAINT chart_job_kind_check;
ALTER TABLE chart_job ADD CONSTRAINT chart_job_kind_check
  CHECK (kind IN ('upload', 'delete', 'rebuild', 'erase', 'rollback', 'refresh'));

-- Whether the worker has producers.
ALTER TABLE chart_worker ADD COLUMN can_refresh boolean NOT NULL DEFAULT false;

-- The schedule, at most one row.
CREATE TABLE chart_schedule (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- The account whose jobs the refreshes are.
  account_id text NOT NULL,
  every text NOT NULL CHECK (every IN ('day', 'week')),
  next_at bigint NOT NULL
);

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

-- Administrators and tokens of their account may refresh the charts. Returns what the job is.
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

-- The first active job of each set of charts. The charts whose last job was taken first come first, then
-- those with the oldest job. `has_producers`: whether the worker can refresh the public charts.
DROP FUNCTION work_jobs(text, text);
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

-- As before, with the time.
CREATE OR REPLACE FUNCTION work_take(of_job uuid) RETURNS SETOF chart_job
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE chart_upload SET state = 'processing', updated_at = now_ms()
    WHERE state = 'pending' AND id = (SELECT upload_id FROM chart_job WHERE id = of_job AND kind = 'upload');
  RETURN QUERY UPDATE chart_job SET state = 'processing', updated_at = now_ms(), taken_at = now_ms(),
    attempts = CASE WHEN percent > furthest THEN 1 ELSE attempts + 1 END, furthest = greatest(furthest, percent)
    WHERE id = of_job AND state IN ('pending', 'processing') RETURNING *;
END
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

GRANT EXECUTE ON FUNCTION charts_refresh, charts_schedule, work_jobs, work_schedule TO leadline_runtime;
