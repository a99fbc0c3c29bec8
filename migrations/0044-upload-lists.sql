-- Lists of uploads with their number, and with few reports of cells: an upload can have 20,000 of them.

-- An upload with its last job. In a list it has its first 100 cells and the last 100 messages of the job.
CREATE FUNCTION chart_upload_answer(one chart_upload, is_listed boolean) RETURNS jsonb
LANGUAGE sql SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object('id', one.id, 'filename', one.filename, 'fileSize', one.bytes,
    'status', one.state, 'isPublic', one.is_public, 'isLive', one.is_live, 'createdAt', one.created_at,
    'updatedAt', one.updated_at, 'uploaderEmail', (
      SELECT email FROM portal_user AS member WHERE one.actor = 'user:' || member.id),
    'totalCharts', jsonb_array_length(one.cells), 'expiredCharts', (
      SELECT count(*) FROM jsonb_array_elements(one.cells) AS cell WHERE cell ->> 'outcome' = 'cancelled'),
    'cells', CASE WHEN is_listed THEN jsonb_path_query_array(one.cells, '$[0 to 99]') ELSE one.cells END,
    'logs', coalesce(CASE WHEN is_listed THEN jsonb_path_query_array(job.logs, '$[last - 99 to last]')
      ELSE job.logs END, '[]'), 'jobId', job.id)
  FROM (SELECT 1) AS always LEFT JOIN LATERAL (
    SELECT * FROM chart_job WHERE upload_id = one.id AND account_id = one.account_id
      ORDER BY created_at DESC LIMIT 1) AS job ON true
$$;

-- A page of the uploads of the account, newest first, with all cells: services of an earlier version count them.
CREATE OR REPLACE FUNCTION charts_uploads(who jsonb, only_id uuid, most integer, skip integer) RETURNS SETOF jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'member');
BEGIN
  RETURN QUERY SELECT chart_upload_answer(page.one, false) FROM (
    SELECT one FROM chart_upload AS one
    WHERE one.account_id = caller.account AND one.state <> 'receiving' AND (only_id IS NULL OR one.id = only_id)
    ORDER BY one.created_at DESC, one.id DESC LIMIT most OFFSET skip) AS page;
END
$$;

-- The same page as a list, and the number of all uploads of the account.
CREATE FUNCTION charts_upload_page(who jsonb, most integer, skip integer) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'member');
BEGIN
  RETURN jsonb_build_object(
    'total', (SELECT count(*) FROM chart_upload WHERE account_id = caller.account AND state <> 'receiving'),
    'uploads', (SELECT coalesce(jsonb_agg(chart_upload_answer(page.one, true)
      ORDER BY (page.one).created_at DESC, (page.one).id DESC), '[]') FROM (
        SELECT one FROM chart_upload AS one WHERE one.account_id = caller.account AND one.state <> 'receiving'
        ORDER BY one.created_at DESC, one.id DESC LIMIT most OFFSET skip) AS page));
END
$$;
GRANT EXECUTE ON FUNCTION charts_upload_page TO leadline_runtime;
