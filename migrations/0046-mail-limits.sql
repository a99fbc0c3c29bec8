-- Limits of the emails of the portal that no new link and no removed user ends; links of suspended users stay; fewer
-- messages in lists of jobs.

-- Emails of the last day, with the SHA-256 of the address.
CREATE TABLE portal_mailed (
  address_hash bytea NOT NULL,
  at bigint NOT NULL DEFAULT now_ms()
);
CREATE INDEX portal_mailed_of_address ON portal_mailed (address_hash);

-- Whether an address may get an email: at most one in five minutes, and five in a day. Emails that the mail server did
-- not accept in time count too, because it may have sent them. Repetitions of an email are not limited by this.
CREATE FUNCTION may_mail(address text) RETURNS boolean
LANGUAGE sql SET search_path = public, pg_temp AS $$
  SELECT count(*) < 5 AND coalesce(max(at) < now_ms() - 300000, true) FROM portal_mailed
    WHERE address_hash = sha256(convert_to(address, 'UTF8')) AND at BETWEEN now_ms() - 86400000 AND now_ms() + 60000
$$;

-- Whether a worker that sends email was connected in the last ten minutes, also if a clock was set back.
CREATE OR REPLACE FUNCTION mail_is_ready() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM portal_mail_sender WHERE abs(now_ms() - seen_at) < 600000)
$$;

-- Send a link to set a password, if there is a user with this address. An email that waits is sent at once if the
-- address may get one. An account that has created 50 users in a day sends none to users of that day, because an owner
-- could create and remove any address repeatedly.
CREATE OR REPLACE FUNCTION request_reset(address text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  day_ago constant bigint := now_ms() - 86400000;
BEGIN
  IF NOT mail_is_ready() THEN PERFORM refuse('mail_missing'); END IF;
  INSERT INTO portal_mail (user_id) VALUES (
    (SELECT id FROM portal_user AS one WHERE email = lower(address) AND suspended_at IS NULL AND (created_at < day_ago
      OR (SELECT count(*) FROM admin_act WHERE account_id = one.account_id AND act = 'user create' AND at > day_ago) < 50)))
  ON CONFLICT (user_id) DO UPDATE SET
    created_at = CASE WHEN portal_mail.attempts = 0 THEN excluded.created_at ELSE portal_mail.created_at END,
    next_at = CASE WHEN may_mail(lower(address)) THEN least(portal_mail.next_at, now_ms()) ELSE portal_mail.next_at END;
END
$$;

-- Queue an email with a link for a new user. Returns whether a worker sends it: not if the address may get none, and
-- not if the account has created 50 users in a day, because an owner could invite and remove any address repeatedly.
CREATE OR REPLACE FUNCTION portal_mail_invitation(of_session text, of_user text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'owner');
BEGIN
  IF NOT mail_is_ready() THEN RETURN false; END IF;
  INSERT INTO portal_mail (user_id) SELECT id FROM portal_user
    WHERE id = of_user AND (account_id = who.account_id OR who.role = 'administrator') AND may_mail(email) AND (
      SELECT count(*) FROM admin_act AS one WHERE one.account_id = portal_user.account_id
        AND act = 'user create' AND at > now_ms() - 86400000) < 50
    ON CONFLICT (user_id) DO UPDATE SET created_at = excluded.created_at;
  RETURN FOUND;
END
$$;

-- Take the next email, and store the hash of its link. Until the worker reports it as sent, it is taken again after
-- one minute, then after twice as long each time, at most an hour. After a day it is deleted.
CREATE OR REPLACE FUNCTION work_mail(link_hash text)
RETURNS TABLE (mail_id bigint, address text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  due portal_mail;
BEGIN
  INSERT INTO portal_mail_sender AS known (seen_at) VALUES (now_ms())
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at WHERE abs(excluded.seen_at - known.seen_at) > 30000;
  -- Later ones are from before a clock was set back.
  DELETE FROM portal_mailed WHERE at < now_ms() - 86400000 OR at > now_ms() + 60000;
  DELETE FROM portal_mail AS one WHERE created_at < now_ms() - 86400000 OR NOT EXISTS (
    SELECT FROM portal_user WHERE id = one.user_id AND suspended_at IS NULL AND (attempts > 0 OR may_mail(email)));
  -- An address without a user may have been added since.
  SELECT * INTO due FROM portal_mail WHERE next_at <= now_ms() AND user_id IS NOT NULL ORDER BY next_at LIMIT 1
    FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE portal_mail SET attempts = due.attempts + 1,
    next_at = now_ms() + 60000 * least(60, power(2, least(due.attempts, 6)))::bigint WHERE id = due.id;
  INSERT INTO portal_mailed SELECT sha256(convert_to(email, 'UTF8')) FROM portal_user WHERE id = due.user_id;
  -- As long as other links. The link of a repeated email replaces the one that could not be sent.
  INSERT INTO portal_reset VALUES (due.id::text, link_hash, due.user_id, now_ms() + 86400000, now_ms(), now_ms())
    ON CONFLICT (id) DO UPDATE SET identifier = excluded.identifier,
      expires_at = excluded.expires_at, created_at = excluded.created_at, updated_at = excluded.updated_at;
  RETURN QUERY SELECT due.id, email FROM portal_user WHERE id = due.user_id;
END
$$;

-- The sign-in library uses a link up before it starts a session or sets a password. The link of a suspended user stays,
-- so that it works when the user is resumed.
CREATE FUNCTION keep_link() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  -- A minute less, because the service deletes expired links by its own clock.
  IF OLD.expires_at > now_ms() + 60000 AND EXISTS (SELECT FROM portal_user WHERE suspended_at IS NOT NULL AND CASE TG_TABLE_NAME
    WHEN 'portal_reset' THEN id = OLD.value ELSE email = OLD.value::jsonb ->> 'email' END)
    THEN PERFORM refuse('user_suspended'); END IF;
  RETURN OLD;
END
$$;

-- Only for the login of the service: the owner of the tables deletes links of suspended users.
CREATE TRIGGER keep_link BEFORE DELETE ON portal_reset
  FOR EACH ROW WHEN (NOT has_table_privilege('public.portal_reset', 'TRUNCATE')) EXECUTE FUNCTION keep_link();
CREATE TRIGGER keep_link BEFORE DELETE ON portal_verification
  FOR EACH ROW WHEN (NOT has_table_privilege('public.portal_verification', 'TRUNCATE')) EXECUTE FUNCTION keep_link();

-- A page of the jobs of the account, newest first, with the last 100 messages of each, or one job with all of them; the
-- number of jobs, and when a worker was last there.
CREATE OR REPLACE FUNCTION charts_jobs(who jsonb, only_id uuid, only_active boolean, most integer, skip integer)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller record := chart_caller(who, 'member');
BEGIN
  RETURN jsonb_build_object('workerSeenAt', (SELECT max(seen_at) FROM chart_worker),
    'now', now_ms(),
    'total', (SELECT count(*) FROM chart_job WHERE account_id = caller.account
      AND (NOT only_active OR state IN ('pending', 'processing'))),
    'jobs', (SELECT coalesce(jsonb_agg(page.one ORDER BY page.created_at DESC, page.id DESC), '[]') FROM (
      SELECT job.created_at, job.id, jsonb_build_object('id', job.id, 'jobType', job.kind,
        'jobState', job.state, 'accountId', job.account_id, 'uploadId', job.upload_id,
        'isPublic', job.is_public, 'filename', upload.filename, 'result', job.result,
        'logs', CASE WHEN only_id IS NULL THEN jsonb_path_query_array(job.logs, '$[last - 99 to last]') ELSE job.logs END,
        'percentComplete', job.percent, 'attempts', job.attempts, 'isCancelled', job.is_cancelled,
        'createdAt', job.created_at, 'updatedAt', job.updated_at, 'steps', job.steps) AS one
      FROM chart_job AS job LEFT JOIN chart_upload AS upload ON upload.id = job.upload_id
      WHERE job.account_id = caller.account AND (only_id IS NULL OR job.id = only_id)
        AND (NOT only_active OR job.state IN ('pending', 'processing'))
      ORDER BY job.created_at DESC, job.id DESC LIMIT most OFFSET skip) AS page));
END
$$;
