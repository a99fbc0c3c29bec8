-- Limits of tokens and returns of an account, and no link for oneself.

-- As before, with a limit of the tokens that users of an account create or replace within a day.
CREATE OR REPLACE FUNCTION issue_token(by_actor text, this_act text, token api_token, more jsonb)
 RETURNS api_token
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  owning account;
BEGIN
  SELECT * INTO owning FROM account WHERE id = token.account_id FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('account_unknown'); END IF;
  IF owning.erased_at IS NOT NULL THEN PERFORM refuse('account_erased'); END IF;
  IF owning.suspended_at IS NOT NULL THEN PERFORM refuse('account_suspended'); END IF;
  -- A revoked token without expiry stays in the published list, which every isolate reads.
  IF by_actor LIKE 'user:%' AND (SELECT count(*) FROM (SELECT FROM api_token
    WHERE account_id = token.account_id AND issued_at > now_ms() - 86400000 LIMIT 200) AS recent) >= 200
  THEN PERFORM refuse('tokens_frequent'); END IF;
  token.plan := coalesce(token.plan, owning.plan);
  token.pilot := coalesce(token.pilot, owning.pilot);
  token.generation := owning.generation;
  IF token.plan = 'enterprise' AND owning.plan <> 'enterprise' THEN PERFORM refuse('plan_exceeded'); END IF;
  IF token.pilot AND NOT owning.pilot THEN PERFORM refuse('pilot_exceeded'); END IF;
  IF 'reports:admin' = ANY (token.scopes) AND NOT owning.admin THEN PERFORM refuse('admin_exceeded'); END IF;
  INSERT INTO api_token SELECT token.*;
  INSERT INTO admin_act (actor, act, account_id, token_id, detail) VALUES (
    by_actor, this_act, token.account_id, token.id, more || jsonb_build_object(
      'kind', token.kind, 'plan', token.plan, 'pilot', token.pilot, 'scopes', token.scopes,
      'votesForUsers', token.votes_for_users, 'generation', token.generation, 'keyId', token.key_id,
      'expiresAt', token.expires_at, 'isOpaque', token.token_hash IS NOT NULL));
  RETURN token;
END
$function$;

-- As before, but not for the own user.
CREATE OR REPLACE FUNCTION portal_reset_member(of_session text, of_user text)
 RETURNS SETOF portal_user
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  IF known.suspended_at IS NOT NULL THEN PERFORM refuse('member_suspended'); END IF;
  -- An old session could replace the password and the second factor of its user without either.
  IF known.id = who.id THEN PERFORM refuse('own_link'); END IF;
  DELETE FROM portal_session WHERE user_id = of_user AND id <> of_session;
  DELETE FROM portal_credential WHERE user_id = of_user;
  DELETE FROM portal_passkey WHERE user_id = of_user;
  DELETE FROM portal_verification WHERE value::jsonb ->> 'email' = known.email;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user reset',
    known.account_id, jsonb_build_object('userId', of_user));
  RETURN NEXT known;
END
$function$;

-- As before, but only one return at a time.
CREATE OR REPLACE FUNCTION charts_return(who jsonb, to_build text, new_job uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_set_build;
BEGIN
  SELECT * INTO known FROM chart_set_build WHERE account_id = caller.account AND build_id = to_build;
  IF NOT FOUND THEN PERFORM refuse('set_unknown'); END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(caller.account, 6));
  IF EXISTS (SELECT FROM chart_job WHERE id = new_job) THEN RETURN; END IF;
  -- Jobs run one after the other, and a return cannot be cancelled.
  IF EXISTS (SELECT FROM chart_job WHERE account_id = caller.account AND kind = 'rollback'
    AND state IN ('pending', 'processing')) THEN PERFORM refuse('set_returning'); END IF;
  IF NOT has_uploads(caller.account, known.uploads) OR NOT EXISTS (SELECT FROM chart_set_build
    WHERE account_id = caller.account AND published_at > known.published_at) THEN PERFORM refuse('set_fixed'); END IF;
  INSERT INTO chart_job (id, account_id, is_public, kind, build_id)
    VALUES (new_job, caller.account, false, 'rollback', to_build);
  INSERT INTO admin_act (actor, act, account_id, detail)
    VALUES (caller.actor, 'charts rollback', caller.account, jsonb_build_object('buildId', to_build));
END
$function$;
