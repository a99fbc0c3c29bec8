-- Users of a suspended account have the rights of members only: an administrator could resume the account.

CREATE OR REPLACE FUNCTION require_member(of_session text, at_least text) RETURNS portal_user
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user;
  ranks constant text[] := ARRAY['member', 'moderator', 'owner', 'administrator'];
BEGIN
  PERFORM 1 FROM portal_session WHERE id = of_session
    AND expires_at > extract(epoch FROM clock_timestamp()) * 1000 FOR SHARE;
  IF NOT FOUND THEN PERFORM refuse('session_ended'); END IF;
  SELECT one.* INTO who FROM portal_user AS one
    WHERE id = (SELECT user_id FROM portal_session WHERE id = of_session) FOR SHARE;
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
