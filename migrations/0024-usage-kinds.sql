-- Usage by kind of request, with the numbers of refused and failed requests.

ALTER TABLE token_usage
  ADD kind text NOT NULL DEFAULT 'Other',
  ADD refused bigint NOT NULL DEFAULT 0,
  ADD failed bigint NOT NULL DEFAULT 0,
  DROP CONSTRAINT token_usage_pkey,
  ADD CONSTRAINT token_usage_pkey PRIMARY KEY (day, token_id, kind);

-- Adds counts. Counts with the same report id are added only once within an hour.
CREATE FUNCTION add_usage(
  report uuid, days date[], tokens text[], accounts text[], kinds text[], requests bigint[],
  refusals bigint[], failures bigint[]
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  now_ms constant bigint := extract(epoch FROM now()) * 1000;
BEGIN
  INSERT INTO usage_report VALUES (report, now_ms) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- In one order, so that two reports never wait for each other.
  INSERT INTO token_usage AS known (day, token_id, account_id, kind, requests, refused, failed)
    SELECT * FROM unnest(days, tokens, accounts, kinds, requests, refusals, failures)
      AS counted (day, token, account, kind, n, refused, failed)
    ORDER BY day, token, kind
  ON CONFLICT (day, token_id, kind) DO UPDATE SET requests = known.requests + excluded.requests,
    refused = known.refused + excluded.refused, failed = known.failed + excluded.failed;
  DELETE FROM usage_report WHERE id IN (
    SELECT id FROM usage_report WHERE received_at < now_ms - 3600000
    ORDER BY received_at LIMIT 100 FOR UPDATE SKIP LOCKED
  );
  RETURN true;
END
$$;

-- For Workers that run until the next version is deployed.
CREATE OR REPLACE FUNCTION add_usage(
  report uuid, days date[], tokens text[], accounts text[], requests bigint[]
) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT add_usage(report, days, tokens, accounts, array_fill('Other'::text, ARRAY[cardinality(days)]),
    requests, array_fill(0::bigint, ARRAY[cardinality(days)]),
    array_fill(0::bigint, ARRAY[cardinality(days)]))
$$;

-- Requests by day since a day: of the user's account, or of one or all accounts for an administrator.
DROP FUNCTION portal_usage;
CREATE FUNCTION portal_usage(
  of_session text, since date, of_all boolean DEFAULT false, of_account text DEFAULT NULL
) RETURNS TABLE (day date, requests bigint, refused bigint, failed bigint, kinds jsonb)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  who portal_user := require_member(of_session, CASE WHEN of_all THEN 'administrator' ELSE 'member' END);
  only_account constant text := CASE WHEN of_all THEN of_account ELSE who.account_id END;
BEGIN
  RETURN QUERY
    SELECT of_kind.day, sum(of_kind.requests)::bigint, sum(of_kind.refused)::bigint,
      sum(of_kind.failed)::bigint, jsonb_object_agg(of_kind.kind, of_kind.requests)
    FROM (
      SELECT used.day, used.kind, sum(used.requests) AS requests, sum(used.refused) AS refused,
        sum(used.failed) AS failed
      FROM token_usage AS used
      WHERE (only_account IS NULL OR used.account_id = only_account) AND used.day >= since
      GROUP BY used.day, used.kind
    ) AS of_kind
    GROUP BY of_kind.day ORDER BY of_kind.day;
END
$$;

GRANT EXECUTE ON FUNCTION portal_usage TO leadline_runtime;
GRANT EXECUTE ON FUNCTION add_usage(
  uuid, date[], text[], text[], text[], bigint[], bigint[], bigint[]
) TO leadline_runtime;
