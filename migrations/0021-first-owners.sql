-- Administrators invite the first owner of an account; the newest sign-in link of a user is the only one;
-- a repeated creation of an account succeeds.

-- The lock makes links that are inserted at once wait for each other.
CREATE FUNCTION replace_links() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  address constant text := NEW.value::jsonb ->> 'email';
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('link ' || address, 0));
  DELETE FROM portal_verification WHERE value::jsonb ->> 'email' = address;
  RETURN NEW;
END
$$;

CREATE TRIGGER newest_link_only BEFORE INSERT ON portal_verification
  FOR EACH ROW EXECUTE FUNCTION replace_links();

CREATE OR REPLACE FUNCTION portal_create_account(
  of_session text, new_id text, new_plan text, new_pilot boolean, new_admin boolean
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'administrator');
BEGIN
  -- A retry after a lost response: the user has created this account with these rights.
  PERFORM 1 FROM account WHERE id = new_id AND erased_at IS NULL AND plan = new_plan
    AND pilot = new_pilot AND admin = new_admin AND EXISTS (
      SELECT 1 FROM admin_act WHERE account_id = new_id AND act = 'account create'
        AND actor = 'user:' || who.id);
  IF FOUND THEN RETURN; END IF;
  PERFORM create_account('user:' || who.id, new_id, new_plan, new_pilot, new_admin, NULL);
END
$$;

CREATE FUNCTION portal_invite_owner(of_session text, of_account text, new_id text, new_email text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'administrator');
  known account := account_to_change(of_account);
BEGIN
  -- A retry after a lost response.
  PERFORM 1 FROM portal_user WHERE id = new_id AND account_id = of_account;
  IF FOUND THEN RETURN; END IF;
  IF known.erased_at IS NOT NULL THEN PERFORM refuse('account_gone'); END IF;
  PERFORM 1 FROM portal_user WHERE account_id = of_account AND role IN ('owner', 'administrator');
  IF FOUND THEN PERFORM refuse('owner_exists'); END IF;
  INSERT INTO portal_user (id, account_id, role, email)
    VALUES (new_id, of_account, 'owner', new_email) ON CONFLICT (email) DO NOTHING;
  IF NOT FOUND THEN PERFORM refuse('user_exists'); END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user create',
    of_account, jsonb_build_object('userId', new_id, 'role', 'owner'));
END
$$;

GRANT EXECUTE ON FUNCTION portal_invite_owner TO leadline_runtime;
