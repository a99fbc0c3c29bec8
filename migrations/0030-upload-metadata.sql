-- Metadata of resumable uploads (tus 1.0), which HEAD returns as the client sent it.

ALTER TABLE chart_upload ADD COLUMN metadata text;

CREATE FUNCTION charts_begin(
  who jsonb, new_id uuid, to_public boolean, file_name text, most integer, length bigint, sent_metadata text
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM charts_begin(who, new_id, to_public, file_name, most, length);
  UPDATE chart_upload SET metadata = sent_metadata WHERE id = new_id AND state = 'receiving';
END
$$;

CREATE OR REPLACE FUNCTION charts_resumable(who jsonb, of_id uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  known chart_upload := resumable_upload_of(who, of_id);
BEGIN
  RETURN jsonb_build_object('filename', known.filename, 'length', known.announced_bytes, 'offset', known.bytes,
    'updatedAt', known.updated_at, 'metadata', known.metadata);
END
$$;

GRANT EXECUTE ON FUNCTION charts_begin(jsonb, uuid, boolean, text, integer, bigint, text) TO leadline_runtime;
