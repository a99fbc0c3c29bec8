-- A public token cannot prove who the end user is that a request states, so the block of such a name does not hold for
-- people with proof. Administrators of a suspended account do not read the settings and the builds.

-- Whether the report was sent with a public token and without a user token of this end user.
ALTER TABLE user_report ADD COLUMN user_is_stated boolean NOT NULL DEFAULT false;
UPDATE user_report SET user_is_stated = true WHERE external_user_id <> ''
  AND EXISTS (SELECT FROM api_token t WHERE t.account_id = user_report.account_id AND t.subject = owner_subject AND t.kind = 'pk')
  AND NOT EXISTS (SELECT FROM api_token t WHERE t.account_id = user_report.account_id AND t.subject = owner_subject AND t.kind = 'sk');
-- `stated`: an end user of such reports.
ALTER TABLE report_block DROP CONSTRAINT report_block_kind_check,
  ADD CONSTRAINT report_block_kind_check CHECK (kind IN ('user', 'stated', 'subject'));

CREATE FUNCTION block_of(of_account text, of_subject text, of_user text, is_stated boolean) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT coalesce(block_of(of_account, of_subject, of_user), (SELECT id FROM report_block
    WHERE is_stated AND account_id = of_account AND kind = 'stated' AND name = of_user))
$$;
DROP TRIGGER user_report_of_blocked ON user_report;
CREATE TRIGGER user_report_of_blocked BEFORE INSERT ON user_report FOR EACH ROW
  WHEN (block_of(NEW.account_id, NEW.owner_subject, NEW.external_user_id, NEW.user_is_stated) IS NOT NULL)
  EXECUTE FUNCTION refuse_blocked();

DO $$
DECLARE
  part record;
  known text;
BEGIN
  FOR part IN SELECT * FROM (VALUES
    ('portal_list_reports', '(page.one).external_user_id)', '(page.one).external_user_id, (page.one).user_is_stated)'),
    ('portal_find_report', 'found_report.external_user_id)', 'found_report.external_user_id, found_report.user_is_stated)'),
    ('portal_block_author', $o$THEN 'user' ELSE$o$, $n$THEN CASE WHEN found_report.user_is_stated THEN 'stated' ELSE 'user' END ELSE$n$),
    ('person_blocks', $o$kind = 'user' AND$o$, $n$kind <> 'subject' AND$n$),
    ('person_blocks', 'ELSE name END', $n$WHEN 'subject' THEN name END$n$),
    ('create_report', E'last_request\n', E'last_request, user_is_stated\n'),
    ('create_report', E', request\n', E', request, is_stated\n'),
    ('create_report', 'for_ms bigint)', 'for_ms bigint, is_stated boolean DEFAULT false)')
  ) AS change (name, old, new) LOOP
    known := pg_get_functiondef(part.name::regproc);
    IF position(part.old IN known) = 0 THEN RAISE EXCEPTION '% has an unexpected definition', part.name; END IF;
    EXECUTE replace(known, part.old, part.new);
  END LOOP;
END
$$;
DROP FUNCTION create_report(uuid, bigint, text, text, integer, text, text, text, text, text, text, double precision,
  double precision, double precision, json, bigint);
GRANT EXECUTE ON FUNCTION create_report TO leadline_runtime;

CREATE FUNCTION portal_require_administrator(of_session text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_member(of_session, 'administrator');
END
$$;
GRANT EXECUTE ON FUNCTION portal_require_administrator TO leadline_runtime;

-- Since 0024, the service sends the kinds of requests.
DROP FUNCTION add_usage(uuid, date[], text[], text[], bigint[]);
