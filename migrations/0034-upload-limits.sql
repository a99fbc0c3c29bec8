-- Limits of uploads of charts: an account cannot fill the storage or the database with uploads that it deletes,
-- that fail or that it does not complete.

-- As before. The files of deleted and abandoned uploads are in the bucket until a worker removes them, so these
-- uploads count as open until then. The account keeps at most 1,000 uploads of 100 GiB, and begins at most 100
-- jobs of uploads in an hour.
CREATE OR REPLACE FUNCTION charts_begin(
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

-- As before, with at most 5,000 pieces: each piece writes the list of all of them.
CREATE OR REPLACE FUNCTION charts_append(who jsonb, of_id uuid, at bigint, piece text, size bigint, new_job uuid)
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

-- As before, also for forms, whose upload cannot be completed after an error.
CREATE OR REPLACE FUNCTION charts_abandon(who jsonb, of_id uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_upload := chart_upload_of(caller.account, of_id);
BEGIN
  IF known.is_public AND NOT caller.is_admin THEN PERFORM refuse('role_missing'); END IF;
  UPDATE chart_upload SET updated_at = 0 WHERE id = of_id AND state = 'receiving';
END
$$;
