-- The audit trail in the portal.

CREATE INDEX admin_act_of_account ON admin_act (account_id, id DESC);
CREATE INDEX admin_act_by_actor ON admin_act (actor, id DESC);
CREATE INDEX admin_act_by_act ON admin_act (act, id DESC);

-- A page of the audit trail for an administrator, newest first. NULL selects every value. A plan for the
-- given values uses their index; a generic plan does not.
CREATE FUNCTION portal_list_acts(
  of_session text, of_account text, by_actor text, of_act text, before_id bigint, most integer
) RETURNS SETOF admin_act
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  PERFORM require_member(of_session, 'administrator');
  RETURN QUERY SELECT one.* FROM admin_act AS one
    WHERE (of_account IS NULL OR one.account_id = of_account)
      AND (by_actor IS NULL OR one.actor = by_actor)
      AND (of_act IS NULL OR one.act = of_act)
      AND (before_id IS NULL OR one.id < before_id)
    ORDER BY one.id DESC LIMIT most;
END
$$;

GRANT EXECUTE ON FUNCTION portal_list_acts TO leadline_runtime;
