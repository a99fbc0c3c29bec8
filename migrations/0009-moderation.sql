-- Moderation of reports in the portal: lists, deletion and restoration, and people who may not report or
-- vote. A moderator has the reports of the own account, an administrator those of all accounts.

CREATE TABLE report_block (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL,
  -- `user`: the account's id of an end user. `stated`: the same, but only in requests with a public token, which
  -- cannot prove who the end user is: the block does not hold for people with proof. `subject`: the subject of
  -- a token or an anonymous device.
  kind text NOT NULL CHECK (kind IN ('user', 'stated', 'subject')),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 256),
  created_at bigint NOT NULL DEFAULT (extract(epoch FROM now()) * 1000)::bigint,
  UNIQUE (account_id, kind, name)
);
CREATE INDEX report_block_by_page ON report_block (account_id, id DESC);

-- The block of a person, if any. The subject of a user token is `user:` and the id of the end user.
CREATE FUNCTION block_of(of_account text, of_subject text, of_user text) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT id FROM report_block WHERE account_id = of_account AND (
    kind = 'subject' AND name = of_subject OR kind = 'user' AND name = of_user
    OR kind = 'user' AND name = CASE WHEN of_subject LIKE 'user:%' THEN substr(of_subject, 6) END
  ) LIMIT 1
$$;

-- The same for a report, whose end user may be stated without proof.
CREATE FUNCTION block_of(of_account text, of_subject text, of_user text, is_stated boolean) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT coalesce(block_of(of_account, of_subject, of_user), (SELECT id FROM report_block
    WHERE is_stated AND account_id = of_account AND kind = 'stated' AND name = of_user))
$$;

CREATE FUNCTION refuse_blocked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse('user_blocked');
END
$$;

CREATE TRIGGER user_report_of_blocked BEFORE INSERT ON user_report FOR EACH ROW
  WHEN (block_of(NEW.account_id, NEW.owner_subject, NEW.external_user_id, NEW.user_is_stated) IS NOT NULL)
  EXECUTE FUNCTION refuse_blocked();
CREATE TRIGGER report_vote_of_blocked BEFORE INSERT ON report_vote FOR EACH ROW
  WHEN (block_of(NEW.account_id, NEW.subject, NEW.external_user_id) IS NOT NULL)
  EXECUTE FUNCTION refuse_blocked();

-- The account whose reports a moderator has. NULL for an administrator, who has those of all accounts.
CREATE FUNCTION moderated_account(who portal_user) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN who.role <> 'administrator' THEN who.account_id END
$$;

CREATE FUNCTION report_to_moderate(who portal_user, of_report uuid) RETURNS user_report
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  report user_report;
BEGIN
  SELECT * INTO report FROM user_report
    WHERE id = of_report AND account_id = coalesce(moderated_account(who), account_id);
  IF NOT FOUND THEN PERFORM refuse('report_unknown'); END IF;
  RETURN report;
END
$$;

-- Reports from newest to oldest, at most `most`. A page examines 10,000 reports: its last row is the last
-- of them, even if it does not match. `with_text` is searched in the texts as JSON.
CREATE FUNCTION portal_list_reports(
  of_session text, now_ms bigint, of_account text, of_kind text, in_state text, since bigint,
  until bigint, with_text text, before_id uuid, most integer
) RETURNS TABLE (matches boolean, block bigint, report user_report)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  who constant portal_user := require_member(of_session, 'moderator');
  listed constant text := coalesce(moderated_account(who), of_account);
  needle constant text := lower(substr(to_json(with_text)::text, 2, length(to_json(with_text)::text) - 2));
  before_time bigint;
BEGIN
  IF of_account <> listed THEN RETURN; END IF;
  SELECT created_at INTO before_time FROM user_report
    WHERE id = before_id AND account_id = coalesce(listed, account_id);
  RETURN QUERY
  SELECT page.matches, block_of((page.one).account_id, (page.one).owner_subject, (page.one).external_user_id, (page.one).user_is_stated),
    page.one
  FROM (
    SELECT examined.one, examined.created_at, examined.id,
      row_number() OVER (ORDER BY examined.created_at DESC, examined.id DESC) AS number, (
      (of_kind IS NULL OR examined.report_type = of_kind)
      AND (in_state IS NULL OR in_state = CASE WHEN examined.deleted_at IS NOT NULL THEN 'deleted'
        WHEN examined.expired_at IS NOT NULL OR examined.expires_at <= now_ms THEN 'expired'
        ELSE 'active' END)
      AND (with_text IS NULL OR position(needle IN lower(concat_ws(chr(10),
        examined.properties, to_json(examined.external_user_id), examined.owner_subject))) > 0)
    ) AS matches
    FROM (
      SELECT one, one.* FROM user_report AS one
      WHERE (listed IS NULL OR one.account_id = listed)
        AND one.created_at >= coalesce(since, 0) AND one.created_at < coalesce(until, 9007199254740991)
        AND (before_time IS NULL OR (one.created_at, one.id) < (before_time, before_id))
      ORDER BY one.created_at DESC, one.id DESC LIMIT 10000
    ) AS examined
  ) AS page
  WHERE page.matches OR page.number = 10000
  ORDER BY page.created_at DESC, page.id DESC LIMIT most;
END
$$;

-- A report and its latest votes. Voters of other accounts have no name, except for administrators.
CREATE FUNCTION portal_find_report(of_session text, of_report uuid, most integer)
RETURNS TABLE (block bigint, report user_report, votes json)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who constant portal_user := require_member(of_session, 'moderator');
  own constant text := moderated_account(who);
  found_report constant user_report := report_to_moderate(who, of_report);
BEGIN
  RETURN QUERY SELECT
    block_of(found_report.account_id, found_report.owner_subject, found_report.external_user_id, found_report.user_is_stated),
    found_report, (
      SELECT coalesce(json_agg(latest), '[]') FROM (
        SELECT value, updated_at,
          CASE WHEN account_id = coalesce(own, account_id) THEN subject END AS subject,
          CASE WHEN account_id = coalesce(own, account_id) THEN nullif(external_user_id, '') END
            AS external_user_id
        FROM (SELECT * FROM report_vote WHERE report_id = of_report
          ORDER BY updated_at DESC LIMIT most) AS one
        ORDER BY updated_at DESC
      ) AS latest
    );
END
$$;

-- Delete a report, or restore it with its votes and its time of expiry.
CREATE FUNCTION portal_delete_report(of_session text, now_ms bigint, of_report uuid, deletes boolean)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who constant portal_user := require_member(of_session, 'moderator');
  found_report user_report := report_to_moderate(who, of_report);
BEGIN
  SELECT * INTO found_report FROM user_report WHERE id = of_report FOR NO KEY UPDATE;
  -- Also a retry after a lost response.
  IF (found_report.deleted_at IS NOT NULL) = deletes THEN RETURN; END IF;
  IF NOT deletes AND (found_report.erased_at IS NOT NULL OR found_report.expired_at IS NOT NULL
    OR found_report.expires_at <= now_ms)
  THEN PERFORM refuse('report_over'); END IF;
  UPDATE user_report SET deleted_at = CASE WHEN deletes THEN greatest(now_ms, created_at) END
    WHERE id = of_report;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id,
    CASE WHEN deletes THEN 'report delete' ELSE 'report restore' END, found_report.account_id,
    jsonb_build_object('report', of_report));
END
$$;

-- Block the author of a report: the end user, or without one the subject. When it returns, no report or
-- vote of the person is committed any more.
CREATE FUNCTION portal_block_author(of_session text, of_report uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who constant portal_user := require_member(of_session, 'moderator');
  found_report user_report := report_to_moderate(who, of_report);
  made bigint;
BEGIN
  PERFORM hold_writes(found_report.account_id);
  found_report := report_to_moderate(who, of_report);
  -- Its author is not known any more.
  IF found_report.erased_at IS NOT NULL THEN PERFORM refuse('report_over'); END IF;
  INSERT INTO report_block (account_id, kind, name) VALUES (found_report.account_id,
    CASE WHEN found_report.external_user_id <> '' THEN CASE WHEN found_report.user_is_stated THEN 'stated' ELSE 'user' END ELSE 'subject' END,
    coalesce(nullif(found_report.external_user_id, ''), found_report.owner_subject))
    ON CONFLICT DO NOTHING RETURNING id INTO made;
  IF made IS NULL THEN RETURN; END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'report block',
    found_report.account_id, jsonb_build_object('report', of_report, 'block', made));
END
$$;

CREATE FUNCTION portal_unblock(of_session text, of_block bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who constant portal_user := require_member(of_session, 'moderator');
  of_account text;
BEGIN
  DELETE FROM report_block
    WHERE id = of_block AND account_id = coalesce(moderated_account(who), account_id)
    RETURNING account_id INTO of_account;
  IF NOT FOUND THEN PERFORM refuse('block_unknown'); END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'report unblock',
    of_account, jsonb_build_object('block', of_block));
END
$$;

-- Blocked people, latest first.
CREATE FUNCTION portal_list_blocks(of_session text, before_id bigint, most integer)
RETURNS SETOF report_block LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  who constant portal_user := require_member(of_session, 'moderator');
  own constant text := moderated_account(who);
BEGIN
  RETURN QUERY SELECT * FROM report_block
    WHERE (own IS NULL OR account_id = own) AND (before_id IS NULL OR id < before_id)
    ORDER BY id DESC LIMIT most;
END
$$;

GRANT EXECUTE ON FUNCTION portal_list_reports, portal_find_report, portal_delete_report, portal_block_author,
  portal_unblock, portal_list_blocks TO leadline_runtime;
