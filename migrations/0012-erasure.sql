-- The erasure of a person's data, for the portal and for the commands on the operator's machine.

-- The data of a person, in numbers of rows. A person is a whole account, one subject of it, one end user of
-- it, or one end user of one subject. NULL selects every subject or end user. An end user with a user token
-- is the subject `user:` and the id of the user, and includes the rows of such tokens.
CREATE FUNCTION person_traces(of_account text, of_subject text, of_user text) RETURNS jsonb
LANGUAGE plpgsql SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN jsonb_build_object(
    'reports', (SELECT count(*) FROM user_report WHERE account_id = of_account
      AND (of_subject IS NULL OR owner_subject = of_subject)
      AND (of_user IS NULL OR external_user_id = of_user
        OR of_subject IS NULL AND owner_subject = 'user:' || of_user)),
    'votes', (SELECT count(*) FROM report_vote WHERE account_id = of_account
      AND (of_subject IS NULL OR subject = of_subject)
      AND (of_user IS NULL OR external_user_id = of_user
        OR of_subject IS NULL AND subject = 'user:' || of_user)),
    'tracks', (SELECT count(*) FROM track WHERE about_id IN (
      SELECT id FROM track_about WHERE account_id = of_account
        AND (of_subject IS NULL OR subject = of_subject)
        AND (of_user IS NULL OR external_user_id = of_user
          OR of_subject IS NULL AND subject = 'user:' || of_user))),
    'tokens', (SELECT count(*) FROM api_token WHERE account_id = of_account AND of_user IS NULL
      AND (of_subject IS NULL OR subject = of_subject)),
    'styles', (SELECT count(*) FROM saved_style WHERE account_id = of_account
      AND of_subject IS NULL AND of_user IS NULL),
    'blocks', (SELECT count(*) FROM person_blocks(of_account, of_subject, of_user)),
    'users', (SELECT count(*) FROM portal_user WHERE account_id = of_account AND of_user IS NULL
      AND (of_subject IS NULL OR 'member:' || id = of_subject)));
END
$$;

-- Blocks of a person. They contain the name, so an erasure deletes them.
CREATE FUNCTION person_blocks(of_account text, of_subject text, of_user text) RETURNS SETOF report_block
LANGUAGE sql SET search_path = public, pg_temp AS $$
  SELECT * FROM report_block WHERE account_id = of_account AND CASE
    WHEN of_user IS NOT NULL THEN kind <> 'subject' AND name = of_user
    WHEN of_subject IS NOT NULL THEN CASE kind WHEN 'user' THEN 'user:' || name WHEN 'subject' THEN name END = of_subject
    ELSE true END
$$;

-- Hashes of the opaque tokens of a person. Their claims at the edge contain the subject.
CREATE FUNCTION person_token_hashes(of_account text, of_subject text, of_user text) RETURNS text[]
LANGUAGE sql SET search_path = public, pg_temp AS $$
  SELECT coalesce(array_agg(token_hash), '{}') FROM api_token
  WHERE account_id = of_account AND of_user IS NULL AND token_hash IS NOT NULL
    AND (of_subject IS NULL OR subject = of_subject)
$$;

-- Erase the data of a person, after running writes have ended. Reports keep their id, place and votes, and
-- lose their text and owner. Tracks are deleted, because they begin and end where a person lives. Other rows
-- get random names: a different one for each row, so that rows of a person cannot be linked. Returns the
-- numbers of erased rows. The audit trail contains only these, so that it does not identify the person.
CREATE FUNCTION erase_person(by_actor text, of_account text, of_subject text, of_user text) RETURNS jsonb
LANGUAGE plpgsql SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  traces jsonb;
  abouts uuid[];
  now_ms bigint;
BEGIN
  PERFORM hold_writes(of_account);
  now_ms := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  traces := person_traces(of_account, of_subject, of_user);
  -- Tokens signed with a shared secret may have an account that is not recorded.
  IF NOT EXISTS (SELECT 1 FROM jsonb_each_text(traces) WHERE value <> '0') THEN
    PERFORM account_to_change(of_account);
  END IF;

  DELETE FROM create_key WHERE account_id = of_account AND (of_subject IS NULL OR subject = of_subject)
    AND (of_user IS NULL OR object_id IN (
      SELECT id FROM user_report WHERE account_id = of_account
        AND (of_subject IS NULL OR owner_subject = of_subject)
        AND (external_user_id = of_user OR of_subject IS NULL AND owner_subject = 'user:' || of_user)));
  -- If only an end user is erased, the server stays the owner of the reports that it sent.
  UPDATE user_report SET external_user_id = NULL, properties = '{}', erased_at = now_ms,
    owner_subject = CASE WHEN of_user IS NULL OR owner_subject = 'user:' || of_user THEN 'erased-' || gen_random_uuid() ELSE owner_subject END
    WHERE account_id = of_account AND (of_subject IS NULL OR owner_subject = of_subject)
      AND (of_user IS NULL OR external_user_id = of_user
        OR of_subject IS NULL AND owner_subject = 'user:' || of_user);
  -- Votes are kept under a random name, so that counts do not change.
  UPDATE report_vote SET
    subject = CASE WHEN of_user IS NULL OR subject = 'user:' || of_user THEN 'erased-' || gen_random_uuid() ELSE subject END,
    external_user_id = CASE WHEN of_user IS NULL THEN '' ELSE 'erased-' || gen_random_uuid() END
    WHERE account_id = of_account AND (of_subject IS NULL OR subject = of_subject)
      AND (of_user IS NULL OR external_user_id = of_user
        OR of_subject IS NULL AND subject = 'user:' || of_user);

  abouts := ARRAY(SELECT id FROM track_about WHERE account_id = of_account
    AND (of_subject IS NULL OR subject = of_subject) AND (of_user IS NULL OR external_user_id = of_user
      OR of_subject IS NULL AND subject = 'user:' || of_user));
  -- Stored responses for repeated requests contain the ids of tracks.
  DELETE FROM ingest_key WHERE account_id = of_account AND (of_subject IS NULL OR subject = of_subject)
    AND (of_user IS NULL OR of_subject IS NULL AND subject = 'user:' || of_user
      OR ids && ARRAY(SELECT id FROM track WHERE about_id = ANY (abouts))
      OR (merged::json ->> 'id')::uuid IN (SELECT id FROM track WHERE about_id = ANY (abouts)));
  DELETE FROM track WHERE about_id = ANY (abouts);
  DELETE FROM track_about WHERE id = ANY (abouts);
  DELETE FROM report_block WHERE id IN (SELECT id FROM person_blocks(of_account, of_subject, of_user));

  IF of_user IS NULL THEN
    UPDATE api_token SET subject = 'erased-' || gen_random_uuid(), note = NULL, origins = '{}',
      revoked_at = least(revoked_at, now_ms)
      WHERE account_id = of_account AND (of_subject IS NULL OR subject = of_subject);
    -- Sessions and passwords are deleted with their user. Sign-in links contain the address.
    DELETE FROM portal_verification WHERE value::json ->> 'email' IN (
      SELECT email FROM portal_user WHERE account_id = of_account
        AND (of_subject IS NULL OR 'member:' || id = of_subject));
    DELETE FROM portal_user WHERE account_id = of_account
      AND (of_subject IS NULL OR 'member:' || id = of_subject);
  END IF;
  IF of_subject IS NULL AND of_user IS NULL THEN
    DELETE FROM saved_style WHERE account_id = of_account;
    INSERT INTO account (id, plan, erased_at, suspended_at)
      VALUES (of_account, 'standard', now_ms, now_ms)
    ON CONFLICT (id) DO UPDATE SET note = NULL, erased_at = excluded.erased_at,
      suspended_at = coalesce(account.suspended_at, excluded.suspended_at);
  END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (by_actor, 'erase', of_account, traces);
  RETURN traces;
END
$$;

-- Administrators cannot erase themselves, because the service would lose its last one.
CREATE FUNCTION require_eraser(of_session text, of_account text, of_subject text, of_user text)
RETURNS portal_user LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'administrator');
BEGIN
  IF of_account = who.account_id AND of_user IS NULL
    AND coalesce(of_subject = 'member:' || who.id, true) THEN PERFORM refuse('own_data'); END IF;
  RETURN who;
END
$$;

CREATE FUNCTION portal_count_person(of_session text, of_account text, of_subject text, of_user text)
RETURNS TABLE (traces jsonb, hashes text[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_eraser(of_session, of_account, of_subject, of_user);
  RETURN QUERY SELECT person_traces(of_account, of_subject, of_user),
    person_token_hashes(of_account, of_subject, of_user);
END
$$;

CREATE FUNCTION portal_erase_person(of_session text, of_account text, of_subject text, of_user text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_eraser(of_session, of_account, of_subject, of_user);
BEGIN
  PERFORM erase_person('user:' || who.id, of_account, of_subject, of_user);
END
$$;

GRANT EXECUTE ON FUNCTION portal_count_person, portal_erase_person TO leadline_runtime;
