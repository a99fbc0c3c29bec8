-- A track has one reference of its depths, and a user keeps one way to sign in.

-- Soundings whose sender states another reference or offset are not appended to an open track, whose depths
-- would then be corrected by the wrong offset.
DO $$
DECLARE
  known constant text := pg_get_functiondef('append_tracks'::regproc);
  changed constant text := replace(known, 'AND a.platform_uid = p_platform_uid', $condition$AND a.platform_uid = p_platform_uid
        AND NOT EXISTS (SELECT FROM unnest(ARRAY['depthReference', 'transducerDepth', 'draft']) AS field
          WHERE p_platform ? field AND a.platform -> field IS DISTINCT FROM p_platform -> field)
        AND (p_provider ? 'verticalReferenceOfDepth' IS NOT TRUE OR a.provider -> 'verticalReferenceOfDepth'
          IS NOT DISTINCT FROM p_provider -> 'verticalReferenceOfDepth')$condition$);
BEGIN
  IF changed = known THEN RAISE EXCEPTION 'append_tracks has an unexpected definition'; END IF;
  EXECUTE changed;
END
$$;

-- The last passkey of a user without a password stays.
CREATE OR REPLACE FUNCTION portal_remove_passkey(of_session text, of_passkey text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who portal_user := require_member(of_session, 'member');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('passkeys ' || who.id, 0));
  DELETE FROM portal_passkey WHERE id = of_passkey AND user_id = who.id;
  IF NOT FOUND THEN PERFORM refuse('passkey_unknown'); END IF;
  IF NOT EXISTS (SELECT FROM portal_passkey WHERE user_id = who.id)
    AND NOT EXISTS (SELECT FROM portal_credential WHERE user_id = who.id AND password IS NOT NULL)
  THEN PERFORM refuse('passkey_last'); END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'passkey remove',
    who.account_id, jsonb_build_object('userId', who.id, 'passkeyId', of_passkey));
END
$$;
