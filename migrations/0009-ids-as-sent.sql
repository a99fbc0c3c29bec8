-- Ids of reports given back as they were sent. They are one id in any case of their letters, and were
-- told in small ones; the column holds those that were sent otherwise.

ALTER TABLE user_report ADD COLUMN sent_id text CHECK (lower(sent_id) = id::text);

-- A worker that knows nothing of this goes on: what it reads of an answer is where it was, and what it
-- gives create_report is taken for text.
ALTER TYPE report_answer ALTER ATTRIBUTE id SET DATA TYPE text;

CREATE OR REPLACE FUNCTION answer_with(outcome text, report user_report) RETURNS report_answer
LANGUAGE sql STABLE AS $$
  SELECT (
    outcome, coalesce(report.sent_id, report.id::text), report.account_id, report.owner_subject,
    report.external_user_id, report.namespace, report.report_type, report.latitude,
    report.longitude, report.properties::text, report.upvotes, report.downvotes, report.created_at,
    report.updated_at, report.expires_at, report.expired_at, report.deleted_at
  )::report_answer
$$;

DROP FUNCTION create_report;

-- done, taken or taken_by_caller: whoever asks knows everything else about a new report.
CREATE FUNCTION create_report(
  request uuid, now_ms bigint, caller_token text, caller_account text, caller_generation integer,
  caller_subject text,
  id_as_sent text, external_user text, kind text, at_latitude double precision,
  at_longitude double precision, at_place double precision, with_properties json, for_ms bigint
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  new_id CONSTANT uuid := id_as_sent::uuid;
  known user_report;
BEGIN
  PERFORM require_standing(caller_token, caller_account, caller_generation);
  INSERT INTO user_report (
    id, sent_id, account_id, owner_subject, external_user_id, report_type, latitude, longitude,
    place, properties, lifetime_ms, created_at, updated_at, expires_at, sweep_at, last_request
  ) VALUES (
    new_id, nullif(id_as_sent, new_id::text), caller_account, caller_subject, external_user, kind,
    at_latitude, at_longitude, at_place, with_properties, for_ms, now_ms, now_ms, now_ms + for_ms,
    now_ms + for_ms, request
  ) ON CONFLICT (id) DO NOTHING;
  IF FOUND THEN
    RETURN 'done';
  END IF;
  SELECT * INTO known FROM user_report WHERE id = new_id;
  RETURN CASE
    WHEN known.last_request = request THEN 'done'
    WHEN known.account_id = caller_account AND known.owner_subject = caller_subject
      THEN 'taken_by_caller'
    ELSE 'taken'
  END;
END
$$;

GRANT EXECUTE ON FUNCTION create_report TO leadline_runtime;
