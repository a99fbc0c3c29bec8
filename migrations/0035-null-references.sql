-- A field of the platform or the provider that is null is treated as absent, as everywhere in the interface, and
-- does not begin another track.
DO $$
DECLARE
  known constant text := pg_get_functiondef('append_tracks'::regproc);
  changed constant text := replace(replace(known,
    'WHERE p_platform ? field AND', 'WHERE p_platform ->> field IS NOT NULL AND'),
    '(p_provider ? ''verticalReferenceOfDepth'' IS NOT TRUE', '(p_provider ->> ''verticalReferenceOfDepth'' IS NULL');
BEGIN
  IF changed ~ 'p_(platform|provider) \? ' OR changed = known THEN
    RAISE EXCEPTION 'append_tracks has an unexpected definition';
  END IF;
  EXECUTE changed;
END
$$;
