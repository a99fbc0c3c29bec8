-- Styles that an account saved, for `styleId` and `styleName` of base.json, and their last versions.

CREATE TABLE saved_style (
  id uuid PRIMARY KEY,
  account_id text NOT NULL CHECK (length(account_id) BETWEEN 1 AND 64),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  base_theme text NOT NULL CHECK (base_theme IN ('day', 'dusk', 'night')),
  -- Colours by token and settings by parameter; keys of other clients are kept.
  parameters jsonb NOT NULL CHECK (jsonb_typeof(parameters) = 'object'),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT saved_style_name_once UNIQUE (account_id, name)
);

-- The versions of a style before its last changes. The key is the time from which the version was in force.
CREATE TABLE saved_style_version (
  style_id uuid NOT NULL REFERENCES saved_style ON DELETE CASCADE,
  saved_at bigint NOT NULL,
  base_theme text NOT NULL,
  parameters jsonb NOT NULL,
  PRIMARY KEY (style_id, saved_at)
);

-- Only functions create styles.
GRANT SELECT, DELETE, UPDATE (name, base_theme, parameters, updated_at) ON saved_style TO leadline_runtime;
GRANT SELECT ON saved_style_version TO leadline_runtime;

-- A trigger, so that changes by tokens, by users and by provisioned files leave a version.
CREATE FUNCTION keep_style_version() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO saved_style_version VALUES (OLD.id, OLD.updated_at, OLD.base_theme, OLD.parameters);
  DELETE FROM saved_style_version WHERE style_id = OLD.id AND saved_at NOT IN (
    SELECT kept.saved_at FROM saved_style_version AS kept WHERE kept.style_id = OLD.id
    ORDER BY kept.saved_at DESC LIMIT 10);
  RETURN NULL;
END
$$;

CREATE TRIGGER saved_style_versions AFTER UPDATE ON saved_style FOR EACH ROW
  WHEN ((OLD.base_theme, OLD.parameters) IS DISTINCT FROM (NEW.base_theme, NEW.parameters))
  EXECUTE FUNCTION keep_style_version();

-- A saved style, if its name is free and the account has fewer than `most`. Requests of one account
-- run one after the other, so that each sees the current number.
CREATE FUNCTION insert_style(
  now_ms bigint, of_account text, of_subject text, with_key text, body_sha256 text, new_id uuid,
  style_name text, from_theme text, with_parameters jsonb, most integer
) RETURNS creation LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  answer creation;
  made_at bigint;
BEGIN
  answer := enter_create_key(of_account, of_subject, 'style', with_key, body_sha256, new_id, now_ms);
  IF answer.outcome IS NOT NULL THEN
    RETURN answer;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(of_account, 4));
  -- An earlier attempt of this request, whose answer was lost.
  SELECT created_at INTO made_at FROM saved_style WHERE account_id = of_account AND id = new_id;
  IF FOUND THEN
    RETURN ('repeated', new_id, made_at)::creation;
  END IF;
  IF (SELECT count(*) FROM saved_style WHERE account_id = of_account) >= most THEN
    PERFORM free_create_key(of_account, of_subject, 'style', with_key);
    RETURN ('too_many', NULL, NULL)::creation;
  END IF;
  INSERT INTO saved_style
    VALUES (new_id, of_account, style_name, from_theme, with_parameters, now_ms, now_ms)
    ON CONFLICT (account_id, name) DO NOTHING;
  IF NOT FOUND THEN
    PERFORM free_create_key(of_account, of_subject, 'style', with_key);
    RETURN ('name_taken', NULL, NULL)::creation;
  END IF;
  RETURN ('done', new_id, now_ms)::creation;
END
$$;

CREATE FUNCTION create_style(
  now_ms bigint, caller_token text, caller_account text, caller_generation integer,
  caller_subject text, with_key text, body_sha256 text, new_id uuid, style_name text,
  from_theme text, with_parameters jsonb, most integer
) RETURNS creation LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_standing(caller_token, caller_account, caller_generation);
  RETURN insert_style(now_ms, caller_account, caller_subject, with_key, body_sha256, new_id,
    style_name, from_theme, with_parameters, most);
END
$$;

-- The user of a session who changes a style. Suspending and erasing the account wait for the change. The
-- lock comes first, as in the functions that they call.
CREATE FUNCTION require_style_member(of_session text) RETURNS portal_user
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(401, hashtext(one.account_id)) FROM portal_user AS one
    WHERE id = (SELECT user_id FROM portal_session WHERE id = of_session);
  who := require_member(of_session, 'member');
  IF EXISTS (SELECT FROM account WHERE id = who.account_id AND suspended_at IS NOT NULL) THEN
    PERFORM refuse('account_suspended');
  END IF;
  RETURN who;
END
$$;

CREATE FUNCTION portal_create_style(
  now_ms bigint, of_session text, with_key text, body_sha256 text, new_id uuid, style_name text,
  from_theme text, with_parameters jsonb, most integer
) RETURNS creation LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_style_member(of_session);
  answer creation := insert_style(now_ms, who.account_id, 'member:' || who.id, with_key, body_sha256,
    new_id, style_name, from_theme, with_parameters, most);
BEGIN
  IF answer.outcome = 'done' THEN
    INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'style create',
      who.account_id, jsonb_build_object('styleId', new_id));
  END IF;
  RETURN answer;
END
$$;

-- NULL keeps a value. No row: the account has no such style.
CREATE FUNCTION portal_change_style(
  now_ms bigint, of_session text, of_style uuid, new_name text, new_theme text, new_parameters jsonb
) RETURNS SETOF saved_style
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_style_member(of_session);
  changed saved_style;
BEGIN
  UPDATE saved_style SET name = coalesce(new_name, name), base_theme = coalesce(new_theme, base_theme),
    parameters = coalesce(new_parameters, parameters), updated_at = greatest(now_ms, updated_at + 1)
    WHERE id = of_style AND account_id = who.account_id RETURNING * INTO changed;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'style change',
    who.account_id, jsonb_build_object('styleId', of_style, 'changed', array_remove(ARRAY[
      CASE WHEN new_name IS NOT NULL THEN 'name' END,
      CASE WHEN new_theme IS NOT NULL THEN 'baseTheme' END,
      CASE WHEN new_parameters IS NOT NULL THEN 'parameters' END], NULL)));
  RETURN NEXT changed;
END
$$;

-- Returns the id of the deleted style, or no row.
CREATE FUNCTION portal_delete_style(of_session text, of_style uuid) RETURNS SETOF uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_style_member(of_session);
BEGIN
  DELETE FROM saved_style WHERE id = of_style AND account_id = who.account_id;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'style delete',
    who.account_id, jsonb_build_object('styleId', of_style));
  RETURN NEXT of_style;
END
$$;

GRANT EXECUTE ON FUNCTION create_style, portal_create_style, portal_change_style, portal_delete_style
  TO leadline_runtime;
