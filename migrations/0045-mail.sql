-- Links that are sent by email: to set a password, and to accept an invitation. A worker with an SMTP server sends
-- them and creates each link when it sends it, so no table contains a link.

-- Links that set a password. The columns are those of the sign-in library: `identifier` is the hash of the link's
-- token, and `value` is the id of the user. A user can have several, so that a request of a stranger ends none.
CREATE TABLE portal_reset (
  id text PRIMARY KEY,
  identifier text NOT NULL UNIQUE,
  value text NOT NULL REFERENCES portal_user ON DELETE CASCADE,
  expires_at bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE INDEX portal_reset_of_user ON portal_reset (value);

-- Emails to send, at most one to each user.
CREATE TABLE portal_mail (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- NULL for an address without a user, so that a request writes the same for every address.
  user_id text UNIQUE REFERENCES portal_user ON DELETE CASCADE,
  attempts integer NOT NULL DEFAULT 0,
  created_at bigint NOT NULL DEFAULT now_ms(),
  next_at bigint NOT NULL DEFAULT now_ms()
);
CREATE INDEX portal_mail_by_time ON portal_mail (next_at);

-- When a worker last looked for emails to send; at most one row.
CREATE TABLE portal_mail_sender (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  seen_at bigint NOT NULL
);

-- Whether a worker that sends email was connected in the last ten minutes.
CREATE FUNCTION mail_is_ready() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM portal_mail_sender WHERE seen_at > now_ms() - 600000)
$$;

-- Send a link to set a password, if there is a user with this address. An email that waits is sent within a minute.
CREATE FUNCTION request_reset(address text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT mail_is_ready() THEN PERFORM refuse('mail_missing'); END IF;
  INSERT INTO portal_mail (user_id) VALUES (
    (SELECT id FROM portal_user WHERE email = lower(address) AND suspended_at IS NULL))
  ON CONFLICT (user_id) DO UPDATE SET created_at = excluded.created_at,
    next_at = least(portal_mail.next_at, now_ms() + 60000);
END
$$;

-- Send a new user a link to set a password. Returns whether a worker sends it. An account sends fewer than 50 in a day,
-- because an owner could invite and remove any address repeatedly.
CREATE FUNCTION portal_mail_invitation(of_session text, of_user text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'owner');
BEGIN
  IF NOT mail_is_ready() THEN RETURN false; END IF;
  INSERT INTO portal_mail (user_id) SELECT id FROM portal_user
    WHERE id = of_user AND (account_id = who.account_id OR who.role = 'administrator') AND (
      SELECT count(*) FROM admin_act AS one WHERE one.account_id = portal_user.account_id
        AND act = 'user create' AND at > now_ms() - 86400000) < 50
    ON CONFLICT (user_id) DO UPDATE SET created_at = excluded.created_at;
  RETURN FOUND;
END
$$;

-- Take the next email, and store the hash of its link. Until the worker reports it as sent, it is taken again after
-- one minute, then after twice as long each time, at most an hour. After a day it is deleted. A stranger who repeats
-- the request sends one email every five minutes, at most five in a day.
CREATE FUNCTION work_mail(link_hash text)
RETURNS TABLE (mail_id bigint, address text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  due portal_mail;
BEGIN
  INSERT INTO portal_mail_sender AS known (seen_at) VALUES (now_ms())
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at WHERE known.seen_at < excluded.seen_at - 30000;
  DELETE FROM portal_mail AS one WHERE created_at < now_ms() - 86400000
    OR NOT EXISTS (SELECT FROM portal_user WHERE id = one.user_id AND suspended_at IS NULL)
    OR attempts = 0 AND EXISTS (
      SELECT FROM portal_reset AS sent WHERE value = one.user_id AND expires_at > now_ms()
      HAVING count(*) >= 5 OR max(sent.created_at) > now_ms() - 300000);
  SELECT * INTO due FROM portal_mail WHERE next_at <= now_ms() ORDER BY next_at LIMIT 1
    FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE portal_mail SET attempts = due.attempts + 1,
    next_at = now_ms() + 60000 * least(60, power(2, least(due.attempts, 6)))::bigint WHERE id = due.id;
  -- As long as other links. The link of a repeated email replaces the one that could not be sent.
  INSERT INTO portal_reset VALUES (due.id::text, link_hash, due.user_id, now_ms() + 86400000, now_ms(), now_ms())
    ON CONFLICT (id) DO UPDATE SET identifier = excluded.identifier,
      expires_at = excluded.expires_at, created_at = excluded.created_at, updated_at = excluded.updated_at;
  RETURN QUERY SELECT due.id, email FROM portal_user WHERE id = due.user_id;
END
$$;

-- The email was sent, or the mail server has refused it for good.
CREATE FUNCTION work_mailed(of_mail bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM portal_mail WHERE id = of_mail
$$;

-- End all links of a user, also those in emails that are not sent yet. The lock makes links that are inserted at once
-- wait for each other.
CREATE FUNCTION delete_links(of_address text) RETURNS void
LANGUAGE sql SET search_path = public, pg_temp AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('link ' || of_address, 0));
  DELETE FROM portal_mail USING portal_user AS one WHERE user_id = one.id AND one.email = of_address;
  DELETE FROM portal_reset USING portal_user AS one WHERE value = one.id AND one.email = of_address;
  DELETE FROM portal_verification WHERE value::jsonb ->> 'email' = of_address;
$$;

-- The newest sign-in link of a user is the only one, and it replaces the links that were sent by email.
CREATE OR REPLACE FUNCTION replace_links() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM delete_links(NEW.value::jsonb ->> 'email');
  RETURN NEW;
END
$$;

-- A password that is set or removed ends all links of its user. A suspended user cannot set one with a link.
CREATE FUNCTION end_links() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user;
BEGIN
  SELECT * INTO who FROM portal_user WHERE id = coalesce(NEW.user_id, OLD.user_id);
  IF TG_OP <> 'DELETE' AND who.suspended_at IS NOT NULL THEN PERFORM refuse('user_suspended'); END IF;
  PERFORM delete_links(who.email);
  RETURN NULL;
END
$$;

CREATE TRIGGER end_links AFTER INSERT OR DELETE OR UPDATE OF password ON portal_credential
  FOR EACH ROW EXECUTE FUNCTION end_links();

GRANT SELECT, DELETE ON portal_reset TO leadline_runtime;
GRANT EXECUTE ON FUNCTION mail_is_ready, request_reset, portal_mail_invitation, work_mail, work_mailed
  TO leadline_runtime;
