-- A limit of the emails to the users of an account.

ALTER TABLE portal_mailed ADD account_id text;
CREATE INDEX portal_mailed_of_account ON portal_mailed (account_id);

-- Whether an address may get an email: at most one in five minutes, and five in a day. The users of an account may get
-- emails at 100 addresses in a day, because an owner could add any address, and confirm it by its sign-in link. Emails
-- that the mail server did not accept in time count too, because it may have sent them. Repetitions of an email are not
-- limited by this.
CREATE OR REPLACE FUNCTION may_mail(address text) RETURNS boolean
LANGUAGE sql SET search_path = public, pg_temp AS $$
  SELECT count(*) < 5 AND coalesce(max(at) < now_ms() - 300000, true) AND (
    SELECT count(DISTINCT sent.address_hash) < 100 FROM portal_mailed AS sent JOIN portal_user AS one USING (account_id)
      WHERE one.email = address AND sent.at BETWEEN now_ms() - 86400000 AND now_ms() + 60000)
    FROM portal_mailed
    WHERE address_hash = sha256(convert_to(address, 'UTF8')) AND at BETWEEN now_ms() - 86400000 AND now_ms() + 60000
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
  INSERT INTO portal_mailed (address_hash, account_id)
    SELECT sha256(convert_to(email, 'UTF8')), account_id FROM portal_user WHERE id = due.user_id;
  -- As long as other links. The link of a repeated email replaces the one that could not be sent.
  INSERT INTO portal_reset VALUES (due.id::text, link_hash, due.user_id, now_ms() + 86400000, now_ms(), now_ms())
    ON CONFLICT (id) DO UPDATE SET identifier = excluded.identifier,
      expires_at = excluded.expires_at, created_at = excluded.created_at, updated_at = excluded.updated_at;
  RETURN QUERY SELECT due.id, email FROM portal_user WHERE id = due.user_id;
END
$$;
