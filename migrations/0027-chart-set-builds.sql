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

-- The build that a rollback returns to.
ALTER TABLE chart_job ADD COLUMN build_id text;
ALTER TABLE chart_job DROP CONSTRAINT chart_job_kind_check;
ALTER TABLE chart_job ADD CONSTRAINT chart_job_kind_check
  CHECK (kind IN ('upload', 'delete', 'rebuild', 'erase', 'rollback'));

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

CREATE FUNCTION charts_return(who jsonb, to_build text, new_job uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_set_build;
BEGIN
  SELECT * INTO known FROM chart_set_build WHERE account_id = caller.account AND build_id = to_build;
  IF NOT FOUND THEN PERFORM refuse('set_unknown'); END IF;
  IF EXISTS (SELECT FROM chart_job WHERE id = new_job) THEN RETURN; END IF;
  IF NOT has_uploads(caller.account, known.uploads) OR NOT EXISTS (SELECT FROM chart_set_build
    WHERE account_id = caller.account AND published_at > known.published_at) THEN PERFORM refuse('set_fixed'); END IF;
  INSERT INTO chart_job (id, account_id, is_public, kind, build_id)
    VALUES (new_job, caller.account, false, 'rollback', to_build);
  INSERT INTO admin_act (actor, act, account_id, detail)
    VALUES (caller.actor, 'charts rollback', caller.account, jsonb_build_object('buildId', to_build));
END
$$;

-- End a job. `over_build` is the public build below the charts of the account; NULL if it has none. `kept` are
-- the builds of the account whose parts are kept.
DROP FUNCTION work_end(uuid, text, jsonb, jsonb, text);
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

-- As before, with the builds.
CREATE OR REPLACE FUNCTION erase_charts() RETURNS trigger
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

GRANT EXECUTE ON FUNCTION charts_sets, charts_return, work_end TO leadline_runtime;
