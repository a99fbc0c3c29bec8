-- Limits of what a list counts and examines, indexes of foreign keys and of erasures, and one order of locks: the
-- writes of an account before its users, a user before the sessions, a job of charts before its upload.

CREATE INDEX api_token_replacing ON api_token (replaced_by) WHERE replaced_by IS NOT NULL;
CREATE INDEX chart_job_of_upload ON chart_job (upload_id, created_at DESC) WHERE upload_id IS NOT NULL;
CREATE INDEX user_report_of_end_user ON user_report (account_id, external_user_id) WHERE external_user_id IS NOT NULL;
CREATE INDEX user_report_own_deleted ON user_report (account_id, owner_subject, created_at DESC, id DESC)
  WHERE deleted_at IS NOT NULL;
CREATE INDEX report_vote_of_end_user ON report_vote (account_id, external_user_id) WHERE external_user_id <> '';
-- portal_user_by_address begins with the same column.
DROP INDEX portal_user_of_account;

DROP FUNCTION count_reports;
DROP FUNCTION count_active;
DROP FUNCTION count_past;
DROP FUNCTION own_deleted;

-- The newest `most` deleted reports of one caller in a box, found by owner. The SET clause prevents inlining, so
-- that the planner does not search all deleted reports for them.
CREATE FUNCTION own_deleted(deleted_of text, caller_account text, caller_subject text, kinds text[],
  wests double precision[], south double precision, easts double precision[], north double precision, since bigint,
  most bigint) RETURNS TABLE (ahead double precision, created_at bigint, id uuid, report user_report)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT point(place, one.created_at / 1000) <-> point(0, 8e15), one.created_at, one.id, one
  FROM user_report AS one
  WHERE deleted_of = 'own' AND account_id = caller_account AND owner_subject = caller_subject
    AND deleted_at IS NOT NULL AND report_type = ANY (kinds)
    AND latitude BETWEEN south AND north AND one.created_at >= since
    -- A box across 180 degrees is two: the first stretches are of one, the last of the other.
    AND (longitude BETWEEN wests[1] AND easts[1]
      OR longitude BETWEEN wests[cardinality(wests)] AND easts[cardinality(easts)])
  ORDER BY one.created_at DESC, one.id DESC LIMIT most
$$;

-- The active reports in stretches and box, at most `most`. Without an order, the index is read faster. A large
-- box is counted faster by reading all active reports, and the whole world without reading a row: an active report
-- never expires before `sweep_at`.
CREATE FUNCTION count_active(now_ms bigint, lows double precision[], highs double precision[], kinds text[],
  wests double precision[], south double precision, easts double precision[], north double precision, since bigint,
  most bigint) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  first_west CONSTANT double precision := wests[1];
  first_east CONSTANT double precision := easts[1];
  last_west CONSTANT double precision := wests[cardinality(wests)];
  last_east CONSTANT double precision := easts[cardinality(easts)];
  width CONSTANT double precision := first_east - first_west
    + CASE WHEN first_west = last_west THEN 0 ELSE last_east - last_west END;
BEGIN
  IF width >= 360 AND north - south >= 180 AND cardinality(kinds) = 4 AND since <= 0 THEN
    RETURN (SELECT count(*) FROM (
      SELECT FROM user_report
      WHERE deleted_at IS NULL AND expired_at IS NULL AND sweep_at > now_ms LIMIT most
    ) AS later) + (SELECT count(*) FROM (
      SELECT FROM user_report
      WHERE deleted_at IS NULL AND expired_at IS NULL AND sweep_at <= now_ms AND expires_at > now_ms LIMIT most
    ) AS renewed);
  ELSIF width * (north - south) > 10000 THEN
    RETURN (SELECT count(*) FROM (
      SELECT FROM user_report AS one
      WHERE deleted_at IS NULL AND expired_at IS NULL AND expires_at > now_ms AND sweep_at > 0
        AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
        AND one.created_at >= since
        AND (longitude BETWEEN first_west AND first_east
          OR longitude BETWEEN last_west AND last_east) LIMIT most
    ) AS wide);
  END IF;
  RETURN (SELECT count(*) FROM (
    SELECT FROM unnest(lows, highs, wests, easts) AS stretch (low, high, west, east)
    JOIN user_report AS one
      ON point(place, one.created_at / 1000)
        <@ box(point(stretch.low, since / 1000), point(stretch.high, 8e15))
      AND point(longitude, latitude)
        <@ box(point(stretch.west, south), point(stretch.east, north))
      AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
      AND longitude BETWEEN stretch.west AND stretch.east AND one.created_at >= since
    WHERE deleted_at IS NULL AND expired_at IS NULL AND expires_at > now_ms LIMIT most
  ) AS near);
END
$$;

-- The reports in stretches and box that were deleted or have expired, at most `most`.
CREATE FUNCTION count_past(with_expired boolean, with_deleted boolean, lows double precision[],
  highs double precision[], kinds text[], wests double precision[], south double precision, easts double precision[],
  north double precision, since bigint, most bigint) RETURNS bigint
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT count(*) FROM (
    SELECT FROM unnest(lows, highs, wests, easts) AS stretch (low, high, west, east)
    JOIN user_report AS one
      ON point(place, one.created_at / 1000)
        <@ box(point(stretch.low, since / 1000), point(stretch.high, 8e15))
      AND point(longitude, latitude) <@ box(point(stretch.west, south), point(stretch.east, north))
      AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
      AND longitude BETWEEN stretch.west AND stretch.east AND one.created_at >= since
    WHERE (deleted_at IS NOT NULL OR expired_at IS NOT NULL)
      AND CASE WHEN deleted_at IS NULL THEN with_expired ELSE with_deleted END LIMIT most
  ) AS past
$$;

-- The number of reports in all pages, at most `most`: one more than pages can show.
CREATE FUNCTION count_reports(now_ms bigint, lows double precision[], highs double precision[],
  wests double precision[], easts double precision[], kinds text[], south double precision, north double precision,
  since bigint, with_expired boolean, deleted_of text, caller_account text, caller_subject text,
  most bigint DEFAULT 100201) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT least(most,
    -- A report that has expired stays among the active ones until the sweep.
    count_active(
      CASE WHEN with_expired THEN 0 ELSE now_ms END,
      lows, highs, kinds, wests, south, easts, north, since, most
    )
    + CASE WHEN with_expired OR deleted_of = 'all' THEN count_past(
        with_expired, deleted_of = 'all', lows, highs, kinds, wests, south, easts, north, since, most
      ) ELSE 0 END
    + (SELECT count(*) FROM own_deleted(
        deleted_of, caller_account, caller_subject, kinds, wests, south, easts, north, since, most
      )))
$$;
GRANT EXECUTE ON FUNCTION count_reports TO leadline_runtime;

-- Newest first, from at most 8 stretches, as in list_reports.
DO $$
DECLARE
  branches CONSTANT text := (
    SELECT string_agg(format(
      '(SELECT * FROM %%1$s lows[%s], highs[%s], kinds, wests[%s], south, easts[%s], north, since,
        4000000000000, ''ffffffff-ffff-ffff-ffff-ffffffffffff'') %%2$s)', i, i, i, i
    ), ' UNION ALL ') FROM generate_series(1, 8) AS i
  );
  active CONSTANT text := format(
    branches, 'active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END,', ''
  );
  past CONSTANT text := format(
    branches, 'past_on_stretch(', 'WHERE CASE WHEN (report).deleted_at IS NULL THEN with_expired
      ELSE deleted_of = ''all'' END ORDER BY 1, 2 DESC, 3 DESC'
  );
  own CONSTANT text := 'SELECT * FROM own_deleted(
    deleted_of, caller_account, caller_subject, kinds, wests, south, easts, north, since, skip + most)
    ORDER BY 1, 2 DESC, 3 DESC';
  page CONSTANT text := 'RETURN QUERY
    SELECT (answer_with(''done'', found.report)).*
    FROM (%s) AS found ORDER BY ahead, found.created_at DESC, found.id DESC
    OFFSET skip LIMIT most';
BEGIN
  EXECUTE format('
    CREATE OR REPLACE FUNCTION page_reports(
      now_ms bigint, lows double precision[], highs double precision[],
      wests double precision[], easts double precision[], kinds text[], south double precision,
      north double precision, since bigint, with_expired boolean, deleted_of text,
      caller_account text, caller_subject text, skip bigint, most integer
    ) RETURNS SETOF report_answer
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
    SET enable_sort = off AS %L',
    format('#variable_conflict use_column
      BEGIN
        IF with_expired OR deleted_of = ''all'' THEN %s;
        ELSIF deleted_of = ''own'' THEN %s;
        ELSE %s; END IF;
      END',
      format(page, active || ' UNION ALL ' || past || ' UNION ALL (' || own || ')'),
      format(page, active || ' UNION ALL (' || own || ')'),
      format(page, active)
    )
  );
END
$$;

-- Reports from newest to oldest, at most `most`. A page examines 10,000 reports, or 2,000 if it reads their texts.
-- The last one of them also has a row that does not match, so that the next page continues after it. `with_text` is
-- searched in the texts as JSON.
CREATE OR REPLACE FUNCTION portal_list_reports(
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
  examined_at_most constant integer := CASE WHEN with_text IS NULL THEN 10000 ELSE 2000 END;
BEGIN
  IF of_account <> listed THEN RETURN; END IF;
  SELECT created_at INTO before_time FROM user_report
    WHERE id = before_id AND account_id = coalesce(listed, account_id);
  RETURN QUERY
  SELECT shown, block_of((page.one).account_id, (page.one).owner_subject, (page.one).external_user_id,
    (page.one).user_is_stated), page.one
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
      ORDER BY one.created_at DESC, one.id DESC LIMIT examined_at_most
    ) AS examined
  ) AS page, LATERAL (
    SELECT true AS shown WHERE page.matches
    UNION ALL SELECT false WHERE page.number = examined_at_most
  ) AS kind
  ORDER BY page.created_at DESC, page.id DESC, shown DESC LIMIT most;
END
$$;

-- The first line of every function of the portal: the user of a valid session, who has at least this role.
-- The row locks keep the end of the session and changes of the role waiting until the transaction ends. Users
-- of a suspended account have the rights of members only: an administrator could resume the account.
CREATE OR REPLACE FUNCTION require_member(of_session text, at_least text) RETURNS portal_user
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user;
  ranks constant text[] := ARRAY['member', 'moderator', 'owner', 'administrator'];
BEGIN
  -- The user before the session, like the functions that end the sessions of a user.
  SELECT one.* INTO who FROM portal_user AS one
    WHERE id = (SELECT user_id FROM portal_session WHERE id = of_session) FOR SHARE;
  IF NOT FOUND THEN PERFORM refuse('session_ended'); END IF;
  PERFORM 1 FROM portal_session WHERE id = of_session
    AND expires_at > extract(epoch FROM clock_timestamp()) * 1000 FOR SHARE;
  IF NOT FOUND THEN PERFORM refuse('session_ended'); END IF;
  IF array_position(ranks, who.role) < array_position(ranks, at_least) THEN
    PERFORM refuse('role_missing');
  END IF;
  IF EXISTS (SELECT 1 FROM account WHERE id = who.account_id AND suspended_at IS NOT NULL) THEN
    IF at_least <> 'member' THEN PERFORM refuse('account_suspended'); END IF;
    -- Lists show administrators the tokens of other accounts.
    who.role := 'member';
  END IF;
  RETURN who;
END
$$;

CREATE OR REPLACE FUNCTION work_take(of_job uuid) RETURNS SETOF chart_job
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  taken chart_job;
BEGIN
  UPDATE chart_job SET state = 'processing', updated_at = now_ms(), taken_at = now_ms(),
    attempts = CASE WHEN percent > furthest THEN 1 ELSE attempts + 1 END, furthest = greatest(furthest, percent)
    WHERE id = of_job AND state IN ('pending', 'processing') RETURNING * INTO taken;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE chart_upload SET state = 'processing', updated_at = now_ms()
    WHERE state = 'pending' AND id = taken.upload_id AND taken.kind = 'upload';
  RETURN NEXT taken;
END
$$;

-- The lock of hold_writes, before that of the user of a session, in the order of erase_person. Other users than
-- administrators lock their own account only.
CREATE FUNCTION hold_writes_first(of_session text, of_account text) RETURNS void
LANGUAGE sql SET search_path = public, pg_temp AS $$
  SELECT hold_writes(of_account) FROM portal_user
  WHERE id = (SELECT user_id FROM portal_session WHERE id = of_session)
    AND (account_id = of_account OR role = 'administrator')
$$;

-- Tokens of other accounts are unknown to everyone but administrators.
CREATE OR REPLACE FUNCTION require_token_member(of_session text, token_id text) RETURNS portal_user
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user;
  token api_token;
BEGIN
  PERFORM hold_writes_first(of_session, account_id) FROM api_token WHERE id = token_id;
  who := require_member(of_session, 'member');
  SELECT * INTO token FROM api_token
    WHERE id = token_id AND (account_id = who.account_id OR who.role = 'administrator');
  IF NOT FOUND THEN PERFORM refuse('token_unknown'); END IF;
  RETURN require_member(of_session, role_for_token(token.scopes, token.votes_for_users));
END
$$;

-- Block the author of a report: the end user, or without one the subject. When it returns, no report or
-- vote of the person is committed any more.
CREATE OR REPLACE FUNCTION portal_block_author(of_session text, of_report uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user;
  found_report user_report;
  made bigint;
BEGIN
  PERFORM hold_writes_first(of_session, account_id) FROM user_report WHERE id = of_report;
  who := require_member(of_session, 'moderator');
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

CREATE OR REPLACE FUNCTION portal_erase_person(of_session text, of_account text, of_subject text, of_user text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user;
BEGIN
  PERFORM hold_writes_first(of_session, of_account);
  who := require_eraser(of_session, of_account, of_subject, of_user);
  PERFORM erase_person('user:' || who.id, of_account, of_subject, of_user);
END
$$;
