-- An end user with a user token is the subject `user:` and the id of the user. Erasing this end user, or changing
-- the consent of one, includes the rows of such tokens.

CREATE OR REPLACE FUNCTION public.person_traces(of_account text, of_subject text, of_user text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.erase_person(by_actor text, of_account text, of_subject text, of_user text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.set_track_share(of_account text, of_subject text, of_user text, of_id uuid, new_share text, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  changed integer;
BEGIN
  UPDATE track AS t SET share = new_share FROM (
    SELECT one.account_id, one.subject, one.id FROM track AS one
    JOIN track_about AS about ON about.id = one.about_id
    WHERE one.account_id = of_account AND (of_subject IS NULL OR one.subject = of_subject)
      AND (of_id IS NULL OR one.id = of_id) AND (of_user IS NULL OR about.external_user_id = of_user
        OR of_subject IS NULL AND one.subject = 'user:' || of_user)
      AND one.share <> new_share
    ORDER BY one.id LIMIT most FOR NO KEY UPDATE OF one
  ) AS due
  WHERE t.account_id = due.account_id AND t.subject = due.subject AND t.id = due.id;
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END
$function$;
