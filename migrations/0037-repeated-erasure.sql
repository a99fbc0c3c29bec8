-- The erasure of the charts of an account is repeated until it succeeds.

-- As before. A job of an erasure fails if the bucket is unavailable, and no user of the account can retry it.
CREATE OR REPLACE FUNCTION work_abandoned() RETURNS SETOF chart_upload
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE chart_job SET state = 'pending', attempts = 0, furthest = 0, updated_at = now_ms()
    WHERE kind = 'erase' AND state = 'failed' AND updated_at < now_ms() - 600000;
  DELETE FROM chart_upload WHERE state = 'receiving' AND updated_at < now_ms() - 86400000 RETURNING *
$$;
