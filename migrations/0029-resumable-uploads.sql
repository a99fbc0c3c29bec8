-- Uploads that continue after a lost connection (tus 1.0): one file, whose pieces arrive in several requests.

-- Length of the file of a resumable upload; NULL for a form. `bytes` is then the number of received bytes, and
-- `files` has the names of the received pieces.
ALTER TABLE chart_upload ADD COLUMN announced_bytes bigint;

-- As before. `length` is the length of the file of a resumable upload.
DROP FUNCTION charts_begin(jsonb, uuid, boolean, text, integer);
CREATE FUNCTION charts_begin(
  who jsonb, new_id uuid, to_public boolean, file_name text, most integer, length bigint DEFAULT NULL
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
  INSERT INTO chart_upload (id, account_id, is_public, actor, filename, announced_bytes, files)
    VALUES (new_id, caller.account, to_public, caller.actor, file_name, length,
      CASE WHEN length IS NULL THEN '[]'
        ELSE jsonb_build_array(jsonb_build_object('name', file_name, 'bytes', length, 'pieces', '[]'::jsonb)) END);
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
    'updatedAt', known.updated_at);
END
$$;

-- Add a piece that is in the bucket. The job of the upload begins with the last one.
CREATE FUNCTION charts_append(who jsonb, of_id uuid, at bigint, piece text, size bigint, new_job uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  known chart_upload := resumable_upload_of(who, of_id);
  all_files jsonb := jsonb_set(known.files, '{0,pieces}', known.files #> '{0,pieces}' || to_jsonb(piece));
BEGIN
  -- A retry after a lost response.
  IF known.files #>> '{0,pieces,-1}' = piece THEN RETURN; END IF;
  IF known.state <> 'receiving' OR known.updated_at = 0 OR known.bytes <> at OR at + size > known.announced_bytes THEN
    PERFORM refuse('upload_continued');
  END IF;
  UPDATE chart_upload SET files = all_files, bytes = at + size, updated_at = now_ms() WHERE id = of_id;
  IF at + size = known.announced_bytes THEN
    PERFORM charts_received(who, of_id, all_files, at + size, new_job);
  END IF;
END
$$;

-- End an upload that is not complete. A worker deletes it and its pieces as an abandoned one.
CREATE FUNCTION charts_abandon(who jsonb, of_id uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  known chart_upload := resumable_upload_of(who, of_id);
BEGIN
  UPDATE chart_upload SET updated_at = 0 WHERE id = of_id AND state = 'receiving';
END
$$;

GRANT EXECUTE ON FUNCTION charts_begin, charts_resumable, charts_append, charts_abandon TO leadline_runtime;
