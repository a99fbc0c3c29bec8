-- Only the field that the reference of a track's depths needs decides whether new soundings continue it: the draft for
-- depths below the keel, the depth of the transducer for those below it. References are compared in lower case.
DO $$
DECLARE
  known constant text := pg_get_functiondef('append_tracks'::regproc);
  changed constant text := replace(replace(known, $old$        width_bucket(p_max_bytes - t.byte_size, p_running) AS fits
      WHERE t.platform_key$old$, $new$        width_bucket(p_max_bytes - t.byte_size, p_running) AS fits,
        lower(coalesce(nullif(a.platform ->> 'depthReference', ''),
          nullif(a.provider ->> 'verticalReferenceOfDepth', ''), 'transducer')) AS zero
      WHERE t.platform_key$new$), $old$        AND NOT EXISTS (SELECT FROM unnest(ARRAY['depthReference', 'transducerDepth', 'draft']) AS field
          WHERE p_platform ->> field IS NOT NULL AND a.platform -> field IS DISTINCT FROM p_platform -> field)
        AND (p_provider ->> 'verticalReferenceOfDepth' IS NULL OR a.provider -> 'verticalReferenceOfDepth'
          IS NOT DISTINCT FROM p_provider -> 'verticalReferenceOfDepth')
$old$, $new$        AND lower(coalesce(nullif(p_platform ->> 'depthReference', ''),
          nullif(p_provider ->> 'verticalReferenceOfDepth', ''), zero)) = zero
        AND NOT EXISTS (SELECT FROM
            unnest(CASE zero WHEN 'keel' THEN ARRAY['draft'] WHEN 'transducer' THEN ARRAY['transducerDepth'] END) AS field
          WHERE p_platform ->> field IS NOT NULL AND a.platform -> field IS DISTINCT FROM p_platform -> field)
$new$);
BEGIN
  IF changed NOT LIKE '%AS zero%AS field%' THEN
    RAISE EXCEPTION 'append_tracks has an unexpected definition';
  END IF;
  EXECUTE changed;
END
$$;
