-- Administration in the portal: users, tokens and usage of all accounts, and the erasure of a person's
-- data. The commands on the operator's machine call the same functions.

-- The data of a person, in numbers of rows. A person is a whole account, one subject of it, one end user of
-- it, or one end user of one subject. NULL selects every subject or end user.
CREATE FUNCTION person_traces(of_account text, of_subject text, of_user text) RETURNS jsonb
LANGUAGE plpgsql SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN jsonb_build_object(
    'reports', (SELECT count(*) FROM user_report WHERE account_id = of_account
      AND (of_subject IS NULL OR owner_subject = of_subject)
      AND (of_user IS NULL OR external_user_id = of_user)),
    'votes', (SELECT count(*) FROM report_vote WHERE account_id = of_account
      AND (of_subject IS NULL OR subject = of_subject)
      AND (of_user IS NULL OR external_user_id = of_user)),
    'tracks', (SELECT count(*) FROM track WHERE about_id IN (
      SELECT id FROM track_about WHERE account_id = of_account
        AND (of_subject IS NULL OR subject = of_subject)
        AND (of_user IS NULL OR external_user_id = of_user))),
    'tokens', (SELECT count(*) FROM api_token WHERE account_id = of_account AND of_user IS NULL
      AND (of_subject IS NULL OR subject = of_subject)),
    'styles', (SELECT count(*) FROM saved_style WHERE account_id = of_account
      AND of_subject IS NULL AND of_user IS NULL),
    'blocks', (SELECT count(*) FROM person_blocks(of_account, of_subject, of_user)),
    'users', (SELECT count(*) FROM portal_user WHERE account_id = of_account AND of_user IS NULL
      AND (of_subject IS NULL OR 'member:' || id = of_subject)));
END
$$;

-- Blocks of a person. They contain the name, so that they end with an erasure.
CREATE FUNCTION person_blocks(of_account text, of_subject text, of_user text) RETURNS SETOF report_block
LANGUAGE sql SET search_path = public, pg_temp AS $$
  SELECT * FROM report_block WHERE account_id = of_account AND CASE
    WHEN of_user IS NOT NULL THEN kind = 'user' AND name = of_user
    WHEN of_subject IS NOT NULL THEN CASE kind WHEN 'user' THEN 'user:' || name ELSE name END = of_subject
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
        AND (of_subject IS NULL OR owner_subject = of_subject) AND external_user_id = of_user));
  -- If only an end user is erased, the server stays the owner of the reports.
  UPDATE user_report SET external_user_id = NULL, properties = '{}', erased_at = now_ms,
    owner_subject = CASE WHEN of_user IS NULL THEN 'erased-' || gen_random_uuid() ELSE owner_subject END
    WHERE account_id = of_account AND (of_subject IS NULL OR owner_subject = of_subject)
      AND (of_user IS NULL OR external_user_id = of_user);
  -- Votes are kept under a random name, so that counts do not change.
  UPDATE report_vote SET
    subject = CASE WHEN of_user IS NULL THEN 'erased-' || gen_random_uuid() ELSE subject END,
    external_user_id = CASE WHEN of_user IS NULL THEN '' ELSE 'erased-' || gen_random_uuid() END
    WHERE account_id = of_account AND (of_subject IS NULL OR subject = of_subject)
      AND (of_user IS NULL OR external_user_id = of_user);

  abouts := ARRAY(SELECT id FROM track_about WHERE account_id = of_account
    AND (of_subject IS NULL OR subject = of_subject) AND (of_user IS NULL OR external_user_id = of_user));
  -- Stored responses for repeated requests contain the ids of tracks.
  DELETE FROM ingest_key WHERE account_id = of_account AND (of_subject IS NULL OR subject = of_subject)
    AND (of_user IS NULL
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

-- Select a user for a change: of the caller's account, or of any account for an administrator. Changes of
-- one team wait for each other.
CREATE OR REPLACE FUNCTION member_to_change(who portal_user, of_user text) RETURNS portal_user
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  found_user portal_user;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('team ' || one.account_id, 0)) FROM portal_user AS one
    WHERE id = of_user AND (account_id = who.account_id OR who.role = 'administrator');
  SELECT * INTO found_user FROM portal_user
    WHERE id = of_user AND (account_id = who.account_id OR who.role = 'administrator') FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('user_unknown'); END IF;
  IF found_user.role = 'administrator' AND who.role <> 'administrator' THEN
    PERFORM refuse('team_role_missing');
  END IF;
  RETURN found_user;
END
$$;

-- As before, with the account of the changed user in the audit trail.
CREATE OR REPLACE FUNCTION portal_change_member(of_session text, of_user text, new_role text)
RETURNS SETOF portal_user
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  IF new_role NOT IN ('member', 'moderator', 'owner') THEN PERFORM refuse('team_role_missing'); END IF;
  IF known.role <> new_role THEN
    PERFORM require_other_owner(known);
    UPDATE portal_user SET role = new_role,
      updated_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
      WHERE id = of_user RETURNING * INTO known;
    INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user change',
      known.account_id, jsonb_build_object('userId', of_user, 'role', new_role));
  END IF;
  RETURN NEXT known;
END
$$;

CREATE OR REPLACE FUNCTION portal_remove_member(of_session text, of_user text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  PERFORM require_other_owner(known);
  DELETE FROM portal_verification WHERE value::jsonb ->> 'email' = known.email;
  DELETE FROM portal_user WHERE id = of_user;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user remove',
    known.account_id, jsonb_build_object('userId', of_user));
END
$$;

CREATE OR REPLACE FUNCTION portal_reset_member(of_session text, of_user text) RETURNS SETOF portal_user
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  DELETE FROM portal_session WHERE user_id = of_user AND id <> of_session;
  DELETE FROM portal_credential WHERE user_id = of_user;
  DELETE FROM portal_verification WHERE value::jsonb ->> 'email' = known.email;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user reset',
    known.account_id, jsonb_build_object('userId', of_user));
  RETURN NEXT known;
END
$$;

-- End the sessions of a user, who can sign in again.
CREATE FUNCTION portal_sign_out_member(of_session text, of_user text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  DELETE FROM portal_session WHERE user_id = of_user AND id <> of_session;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user sign-out',
    known.account_id, jsonb_build_object('userId', of_user));
END
$$;

-- Whether a text begins with another. The comparison in the order of bytes uses an index.
CREATE FUNCTION begins_with(whole text, beginning text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT whole COLLATE "C" >= beginning AND whole COLLATE "C" < beginning || chr(1114111)
$$;

CREATE INDEX portal_user_by_beginning ON portal_user (email COLLATE "C");

-- A page of users by address: those of the owner's account, or of all accounts for an administrator.
-- With `only_id`, this user, of any account for an administrator.
DROP FUNCTION portal_list_members;
CREATE FUNCTION portal_list_members(
  of_session text, only_id text, after_address text, most integer,
  of_all boolean DEFAULT false, of_account text DEFAULT NULL, beginning text DEFAULT NULL
) RETURNS TABLE (member portal_user, has_password boolean, last_seen bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  who portal_user := require_member(of_session, CASE WHEN of_all THEN 'administrator' ELSE 'owner' END);
  only_account constant text := CASE WHEN of_all OR (only_id IS NOT NULL AND who.role = 'administrator')
    THEN of_account ELSE who.account_id END;
BEGIN
  RETURN QUERY
  WITH page AS MATERIALIZED (
    SELECT one FROM portal_user AS one
    WHERE (only_account IS NULL OR one.account_id = only_account) AND (only_id IS NULL OR one.id = only_id)
      AND (beginning IS NULL OR begins_with(one.email, beginning))
      AND (after_address IS NULL OR one.email COLLATE "C" > after_address)
    ORDER BY one.email COLLATE "C" LIMIT most
  )
  SELECT page.one,
    EXISTS (SELECT 1 FROM portal_credential AS key
      WHERE key.user_id = (page.one).id AND password IS NOT NULL),
    (SELECT max(seen.updated_at) FROM portal_session AS seen WHERE seen.user_id = (page.one).id)
  FROM page ORDER BY (page.one).email COLLATE "C";
END
$$;
DROP INDEX portal_user_by_address;
CREATE INDEX portal_user_by_address ON portal_user (account_id, email COLLATE "C");

CREATE INDEX api_token_by_time ON api_token (issued_at DESC, id DESC);
CREATE INDEX api_token_by_beginning ON api_token (lower(note) COLLATE "C");

-- A page of tokens, newest first: those of the user's account, or of all accounts for an administrator.
-- `searched` is an id or the beginning of a name. With `only_id`, this token, of any account for an
-- administrator. The page is selected first, then completed.
DROP FUNCTION portal_list_tokens;
CREATE FUNCTION portal_list_tokens(
  of_session text, only_id text, with_ended boolean, before_id text, most integer,
  of_all boolean DEFAULT false, of_account text DEFAULT NULL, searched text DEFAULT NULL
) RETURNS TABLE (
  token api_token, user_id text, user_email text, standing text, last_used_on date, requests bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  who portal_user := require_member(of_session, CASE WHEN of_all THEN 'administrator' ELSE 'member' END);
  only_account constant text := CASE WHEN of_all OR (only_id IS NOT NULL AND who.role = 'administrator')
    THEN of_account ELSE who.account_id END;
  before_time bigint := 9007199254740991;
  now_ms constant bigint := extract(epoch FROM clock_timestamp()) * 1000;
  month_ago constant date := (now() AT TIME ZONE 'UTC')::date - 30;
BEGIN
  SELECT issued_at INTO before_time FROM api_token
    WHERE id = before_id AND (only_account IS NULL OR account_id = only_account);
  RETURN QUERY
  WITH page AS MATERIALIZED (
    SELECT one FROM api_token AS one
    WHERE (only_account IS NULL OR one.account_id = only_account) AND (only_id IS NULL OR one.id = only_id)
      AND (searched IS NULL OR one.id = searched OR begins_with(lower(one.note), lower(searched)))
      AND (before_id IS NULL OR (one.issued_at, one.id) < (before_time, before_id))
      AND (with_ended OR (coalesce(one.revoked_at > now_ms, true) AND coalesce(one.expires_at > now_ms, true)))
    ORDER BY one.issued_at DESC, one.id DESC LIMIT most
  )
  SELECT (page.one), creator.id, creator.email,
    CASE WHEN (page.one).revoked_at <= now_ms THEN 'revoked'
      WHEN (page.one).expires_at <= now_ms THEN 'expired'
      ELSE token_standing((page.one).id, (page.one).account_id, (page.one).generation) END,
    (SELECT max(day) FROM token_usage WHERE token_usage.token_id = (page.one).id),
    (SELECT coalesce(sum(used.requests), 0)::bigint FROM token_usage AS used
      WHERE used.token_id = (page.one).id AND day > month_ago)
  FROM page LEFT JOIN LATERAL (
    SELECT known.id, known.email FROM portal_user AS known
    WHERE (page.one).subject LIKE 'member:%' AND known.id = substr((page.one).subject, 8)
      AND known.account_id = (page.one).account_id
  ) AS creator ON true
  ORDER BY (page.one).issued_at DESC, (page.one).id DESC;
END
$$;

-- Requests by day since a day: of the user's account, or of one or all accounts for an administrator.
DROP FUNCTION portal_usage;
CREATE FUNCTION portal_usage(
  of_session text, since date, of_all boolean DEFAULT false, of_account text DEFAULT NULL
) RETURNS TABLE (day date, requests bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  who portal_user := require_member(of_session, CASE WHEN of_all THEN 'administrator' ELSE 'member' END);
  only_account constant text := CASE WHEN of_all THEN of_account ELSE who.account_id END;
BEGIN
  RETURN QUERY SELECT used.day, sum(used.requests)::bigint FROM token_usage AS used
    WHERE (only_account IS NULL OR used.account_id = only_account) AND used.day >= since
    GROUP BY used.day ORDER BY used.day;
END
$$;

GRANT EXECUTE ON FUNCTION portal_count_person, portal_erase_person, portal_sign_out_member,
  portal_list_members, portal_list_tokens, portal_usage TO leadline_runtime;
