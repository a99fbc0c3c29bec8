-- What all migrations make together, for readers: written and compared by a test, never applied.

SET check_function_bodies = off;

-- Who may use the schema

GRANT USAGE ON SCHEMA public TO leadline_runtime;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;

ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

-- Types

CREATE TYPE creation AS (
  outcome text,
  object_id uuid,
  created_at bigint
);

CREATE TYPE report_answer AS (
  outcome text,
  id text,
  account_id text,
  owner_subject text,
  external_user_id text,
  namespace text,
  report_type text,
  latitude double precision,
  longitude double precision,
  properties text,
  upvotes integer,
  downvotes integer,
  created_at bigint,
  updated_at bigint,
  expires_at bigint,
  expired_at bigint,
  deleted_at bigint
);

-- Tables

CREATE TABLE account (
  id text NOT NULL,
  plan text NOT NULL,
  pilot boolean DEFAULT false NOT NULL,
  admin boolean DEFAULT false NOT NULL,
  generation integer DEFAULT 0 NOT NULL,
  note text,
  created_at bigint DEFAULT ((EXTRACT(epoch FROM now()) * (1000)::numeric))::bigint NOT NULL,
  suspended_at bigint,
  erased_at bigint,
  share text DEFAULT 'private'::text NOT NULL,
  CONSTRAINT account_generation_check CHECK ((generation >= 0)),
  CONSTRAINT account_id_check CHECK (((length(id) >= 1) AND (length(id) <= 64))),
  CONSTRAINT account_note_check CHECK ((length(note) <= 256)),
  CONSTRAINT account_pkey PRIMARY KEY (id),
  CONSTRAINT account_plan_check CHECK ((plan = ANY (ARRAY['standard'::text, 'enterprise'::text]))),
  CONSTRAINT account_share_check CHECK ((share = ANY (ARRAY['private'::text, 'aggregate'::text, 'open data'::text])))
);

CREATE TABLE admin_act (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  at bigint DEFAULT ((EXTRACT(epoch FROM now()) * (1000)::numeric))::bigint NOT NULL,
  actor text NOT NULL,
  act text NOT NULL,
  account_id text,
  token_id text,
  detail jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT admin_act_act_check CHECK ((act ~ '^[a-z-]{1,32}( [a-z-]{1,32})?$'::text)),
  CONSTRAINT admin_act_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 128))),
  CONSTRAINT admin_act_detail_check CHECK ((jsonb_typeof(detail) = 'object'::text)),
  CONSTRAINT admin_act_pkey PRIMARY KEY (id)
);

CREATE TABLE api_token (
  id text NOT NULL,
  account_id text NOT NULL,
  subject text NOT NULL,
  kind text NOT NULL,
  plan text NOT NULL,
  pilot boolean NOT NULL,
  scopes text[] NOT NULL,
  origins text[] NOT NULL,
  votes_for_users boolean NOT NULL,
  generation integer NOT NULL,
  key_id text,
  note text,
  issued_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint,
  replaced_by text,
  token_hash text,
  CONSTRAINT api_token_id_check CHECK (((length(id) >= 1) AND (length(id) <= 64))),
  CONSTRAINT api_token_kind_check CHECK ((kind = ANY (ARRAY['pk'::text, 'sk'::text]))),
  CONSTRAINT api_token_note_check CHECK ((length(note) <= 256)),
  CONSTRAINT api_token_pkey PRIMARY KEY (id),
  CONSTRAINT api_token_plan_check CHECK ((plan = ANY (ARRAY['standard'::text, 'enterprise'::text]))),
  CONSTRAINT api_token_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 128))),
  CONSTRAINT api_token_token_hash_check CHECK ((token_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT api_token_token_hash_key UNIQUE (token_hash)
);

CREATE TABLE chart_job (
  id uuid NOT NULL,
  account_id text NOT NULL,
  is_public boolean NOT NULL,
  kind text NOT NULL,
  upload_id uuid,
  state text DEFAULT 'pending'::text NOT NULL,
  percent integer DEFAULT 0 NOT NULL,
  steps jsonb DEFAULT '[]'::jsonb NOT NULL,
  logs jsonb DEFAULT '[]'::jsonb NOT NULL,
  result jsonb,
  attempts integer DEFAULT 0 NOT NULL,
  furthest integer DEFAULT 0 NOT NULL,
  is_cancelled boolean DEFAULT false NOT NULL,
  created_at bigint DEFAULT ((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint NOT NULL,
  updated_at bigint DEFAULT ((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint NOT NULL,
  build_id text,
  taken_at bigint,
  CONSTRAINT chart_job_kind_check CHECK ((kind = ANY (ARRAY['upload'::text, 'delete'::text, 'rebuild'::text, 'erase'::text, 'rollback'::text, 'refresh'::text]))),
  CONSTRAINT chart_job_pkey PRIMARY KEY (id),
  CONSTRAINT chart_job_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'processing'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])))
);

CREATE TABLE chart_schedule (
  id boolean DEFAULT true NOT NULL,
  account_id text NOT NULL,
  every text NOT NULL,
  next_at bigint NOT NULL,
  CONSTRAINT chart_schedule_every_check CHECK ((every = ANY (ARRAY['day'::text, 'week'::text]))),
  CONSTRAINT chart_schedule_id_check CHECK (id),
  CONSTRAINT chart_schedule_pkey PRIMARY KEY (id)
);

CREATE TABLE chart_set (
  account_id text NOT NULL,
  public_build text NOT NULL,
  CONSTRAINT chart_set_pkey PRIMARY KEY (account_id)
);

CREATE TABLE chart_set_build (
  account_id text NOT NULL,
  build_id text NOT NULL,
  published_at bigint NOT NULL,
  uploads uuid[] NOT NULL,
  cells text[] NOT NULL,
  CONSTRAINT chart_set_build_pkey PRIMARY KEY (account_id, build_id)
);

CREATE TABLE chart_upload (
  id uuid NOT NULL,
  account_id text NOT NULL,
  is_public boolean NOT NULL,
  actor text NOT NULL,
  filename text NOT NULL,
  bytes bigint DEFAULT 0 NOT NULL,
  files jsonb DEFAULT '[]'::jsonb NOT NULL,
  state text DEFAULT 'receiving'::text NOT NULL,
  is_live boolean DEFAULT false NOT NULL,
  cells jsonb DEFAULT '[]'::jsonb NOT NULL,
  created_at bigint DEFAULT ((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint NOT NULL,
  updated_at bigint DEFAULT ((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint NOT NULL,
  announced_bytes bigint,
  metadata text,
  CONSTRAINT chart_upload_filename_check CHECK (((length(filename) >= 1) AND (length(filename) <= 255))),
  CONSTRAINT chart_upload_pkey PRIMARY KEY (id),
  CONSTRAINT chart_upload_state_check CHECK ((state = ANY (ARRAY['receiving'::text, 'pending'::text, 'processing'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text, 'deleting'::text])))
);

CREATE TABLE chart_worker (
  id text NOT NULL,
  seen_at bigint NOT NULL,
  user_permit text,
  can_refresh boolean DEFAULT false NOT NULL,
  CONSTRAINT chart_worker_pkey PRIMARY KEY (id)
);

CREATE TABLE create_key (
  account_id text NOT NULL,
  subject text NOT NULL,
  kind text NOT NULL,
  key text NOT NULL,
  body_sha256 text NOT NULL,
  object_id uuid NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT create_key_body_sha256_check CHECK ((length(body_sha256) = 64)),
  CONSTRAINT create_key_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255))),
  CONSTRAINT create_key_kind_check CHECK ((kind = ANY (ARRAY['report'::text, 'style'::text]))),
  CONSTRAINT create_key_pkey PRIMARY KEY (account_id, subject, kind, key)
);

CREATE TABLE crowd_track (
  account_id text NOT NULL,
  subject text NOT NULL,
  track_id uuid NOT NULL,
  summary jsonb NOT NULL,
  CONSTRAINT crowd_track_pkey PRIMARY KEY (account_id, subject, track_id)
);

CREATE TABLE ingest_key (
  account_id text NOT NULL,
  subject text NOT NULL,
  key text NOT NULL,
  body_sha256 text NOT NULL,
  merged text,
  taken integer NOT NULL,
  ids uuid[] NOT NULL,
  stops integer[] NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT ingest_key_body_sha256_check CHECK ((length(body_sha256) = 64)),
  CONSTRAINT ingest_key_key_check CHECK (((length(key) >= 1) AND (length(key) <= 300))),
  CONSTRAINT ingest_key_pkey PRIMARY KEY (account_id, subject, key)
);

CREATE TABLE portal_challenge (
  id text NOT NULL,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT portal_challenge_pkey PRIMARY KEY (id)
);

CREATE TABLE portal_credential (
  id text NOT NULL,
  user_id text NOT NULL,
  provider_id text NOT NULL,
  account_id text NOT NULL,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at bigint,
  refresh_token_expires_at bigint,
  scope text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT portal_credential_pkey PRIMARY KEY (id),
  CONSTRAINT portal_credential_user_id_provider_id_key UNIQUE (user_id, provider_id)
);

CREATE TABLE portal_passkey (
  id text NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  credential_id text NOT NULL,
  public_key text NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  created_at bigint DEFAULT ((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint NOT NULL,
  last_used_at bigint,
  CONSTRAINT portal_passkey_credential_id_check CHECK (((length(credential_id) >= 1) AND (length(credential_id) <= 1364))),
  CONSTRAINT portal_passkey_credential_id_key UNIQUE (credential_id),
  CONSTRAINT portal_passkey_id_check CHECK (((length(id) >= 1) AND (length(id) <= 64))),
  CONSTRAINT portal_passkey_name_check CHECK (((length(name) >= 1) AND (length(name) <= 128))),
  CONSTRAINT portal_passkey_pkey PRIMARY KEY (id),
  CONSTRAINT portal_passkey_public_key_check CHECK (((length(public_key) >= 1) AND (length(public_key) <= 4096)))
);

CREATE TABLE portal_second_factor (
  id text NOT NULL,
  user_id text NOT NULL,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean DEFAULT false NOT NULL,
  failed_verification_count integer DEFAULT 0 NOT NULL,
  locked_until bigint,
  CONSTRAINT portal_second_factor_pkey PRIMARY KEY (id),
  CONSTRAINT portal_second_factor_user_id_key UNIQUE (user_id)
);

CREATE TABLE portal_session (
  id text NOT NULL,
  token text NOT NULL,
  user_id text NOT NULL,
  user_agent text,
  ip_address text,
  expires_at bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT portal_session_pkey PRIMARY KEY (id),
  CONSTRAINT portal_session_token_key UNIQUE (token)
);

CREATE TABLE portal_user (
  id text NOT NULL,
  account_id text NOT NULL,
  role text NOT NULL,
  email text NOT NULL,
  name text DEFAULT ''::text NOT NULL,
  email_verified boolean DEFAULT true NOT NULL,
  image text,
  created_at bigint DEFAULT ((EXTRACT(epoch FROM now()) * (1000)::numeric))::bigint NOT NULL,
  updated_at bigint DEFAULT ((EXTRACT(epoch FROM now()) * (1000)::numeric))::bigint NOT NULL,
  two_factor_enabled boolean DEFAULT false NOT NULL,
  suspended_at bigint,
  CONSTRAINT portal_user_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254)))),
  CONSTRAINT portal_user_email_key UNIQUE (email),
  CONSTRAINT portal_user_id_check CHECK (((length(id) >= 1) AND (length(id) <= 64))),
  CONSTRAINT portal_user_name_check CHECK ((length(name) <= 128)),
  CONSTRAINT portal_user_pkey PRIMARY KEY (id),
  CONSTRAINT portal_user_role_check CHECK ((role = ANY (ARRAY['member'::text, 'moderator'::text, 'owner'::text, 'administrator'::text])))
);

CREATE TABLE portal_verification (
  id text NOT NULL,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT portal_verification_pkey PRIMARY KEY (id)
);

CREATE TABLE report_block (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  account_id text NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  created_at bigint DEFAULT ((EXTRACT(epoch FROM now()) * (1000)::numeric))::bigint NOT NULL,
  CONSTRAINT report_block_account_id_kind_name_key UNIQUE (account_id, kind, name),
  CONSTRAINT report_block_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'stated'::text, 'subject'::text]))),
  CONSTRAINT report_block_name_check CHECK (((length(name) >= 1) AND (length(name) <= 256))),
  CONSTRAINT report_block_pkey PRIMARY KEY (id)
);

CREATE TABLE report_vote (
  report_id uuid NOT NULL,
  account_id text NOT NULL,
  subject text NOT NULL,
  external_user_id text DEFAULT ''::text NOT NULL,
  value smallint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT report_vote_pkey PRIMARY KEY (report_id, account_id, subject, external_user_id),
  CONSTRAINT report_vote_value_check CHECK ((value = ANY (ARRAY[1, '-1'::integer])))
);

CREATE TABLE saved_style (
  id uuid NOT NULL,
  account_id text NOT NULL,
  name text NOT NULL,
  base_theme text NOT NULL,
  parameters jsonb NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT saved_style_account_id_check CHECK (((length(account_id) >= 1) AND (length(account_id) <= 64))),
  CONSTRAINT saved_style_base_theme_check CHECK ((base_theme = ANY (ARRAY['day'::text, 'dusk'::text, 'night'::text]))),
  CONSTRAINT saved_style_name_check CHECK (((length(name) >= 1) AND (length(name) <= 128))),
  CONSTRAINT saved_style_name_once UNIQUE (account_id, name),
  CONSTRAINT saved_style_parameters_check CHECK ((jsonb_typeof(parameters) = 'object'::text)),
  CONSTRAINT saved_style_pkey PRIMARY KEY (id)
);

CREATE TABLE saved_style_version (
  style_id uuid NOT NULL,
  saved_at bigint NOT NULL,
  base_theme text NOT NULL,
  parameters jsonb NOT NULL,
  CONSTRAINT saved_style_version_pkey PRIMARY KEY (style_id, saved_at)
);

CREATE TABLE token_usage (
  day date NOT NULL,
  token_id text NOT NULL,
  account_id text NOT NULL,
  requests bigint NOT NULL,
  kind text DEFAULT 'Other'::text NOT NULL,
  refused bigint DEFAULT 0 NOT NULL,
  failed bigint DEFAULT 0 NOT NULL,
  CONSTRAINT token_usage_pkey PRIMARY KEY (day, token_id, kind)
);

CREATE TABLE track (
  account_id text NOT NULL,
  subject text NOT NULL,
  id uuid NOT NULL,
  about_id uuid NOT NULL,
  platform_key bigint,
  start_time bigint NOT NULL,
  end_time bigint NOT NULL,
  point_count integer NOT NULL,
  byte_size integer NOT NULL,
  west double precision NOT NULL,
  south double precision NOT NULL,
  east double precision NOT NULL,
  north double precision NOT NULL,
  points bytea STORAGE EXTERNAL NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  share text DEFAULT 'private'::text NOT NULL,
  CONSTRAINT track_check CHECK ((start_time <= end_time)),
  CONSTRAINT track_pkey PRIMARY KEY (account_id, subject, id),
  CONSTRAINT track_point_count_check CHECK ((point_count > 0)),
  CONSTRAINT track_points_check CHECK (((length(points) > 0) AND ((length(points) % 32) = 0))),
  CONSTRAINT track_share_check CHECK ((share = ANY (ARRAY['private'::text, 'aggregate'::text, 'open data'::text])))
);

CREATE TABLE track_about (
  id uuid NOT NULL,
  account_id text NOT NULL,
  subject text NOT NULL,
  external_user_id text NOT NULL,
  platform_uid text NOT NULL,
  platform jsonb,
  provider jsonb,
  time_units text,
  convention text,
  CONSTRAINT track_about_account_id_check CHECK (((length(account_id) >= 1) AND (length(account_id) <= 64))),
  CONSTRAINT track_about_external_user_id_check CHECK ((length(external_user_id) <= 256)),
  CONSTRAINT track_about_pkey PRIMARY KEY (id),
  CONSTRAINT track_about_platform_uid_check CHECK ((length(platform_uid) <= 128)),
  CONSTRAINT track_about_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 128)))
);

CREATE TABLE track_chunk (
  account_id text NOT NULL,
  subject text NOT NULL,
  track_id uuid NOT NULL,
  seq integer NOT NULL,
  points bytea STORAGE EXTERNAL NOT NULL,
  CONSTRAINT track_chunk_pkey PRIMARY KEY (account_id, subject, track_id, seq),
  CONSTRAINT track_chunk_points_check CHECK (((length(points) > 0) AND ((length(points) % 32) = 0))),
  CONSTRAINT track_chunk_seq_check CHECK ((seq > 0))
);

CREATE TABLE usage_report (
  id uuid NOT NULL,
  received_at bigint NOT NULL,
  CONSTRAINT usage_report_pkey PRIMARY KEY (id)
);

CREATE TABLE user_report (
  id uuid NOT NULL,
  sent_id text,
  account_id text NOT NULL,
  owner_subject text NOT NULL,
  external_user_id text,
  namespace text DEFAULT 'public'::text NOT NULL,
  report_type text NOT NULL,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL,
  place double precision NOT NULL,
  properties json NOT NULL,
  upvotes integer DEFAULT 0 NOT NULL,
  downvotes integer DEFAULT 0 NOT NULL,
  lifetime_ms bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  sweep_at bigint NOT NULL,
  expired_at bigint,
  deleted_at bigint,
  erased_at bigint,
  last_request uuid NOT NULL,
  user_is_stated boolean DEFAULT false NOT NULL,
  CONSTRAINT user_report_account_id_check CHECK (((length(account_id) >= 1) AND (length(account_id) <= 64))),
  CONSTRAINT user_report_check CHECK ((lower(sent_id) = (id)::text)),
  CONSTRAINT user_report_downvotes_check CHECK ((downvotes >= 0)),
  CONSTRAINT user_report_external_user_id_check CHECK ((length(external_user_id) <= 256)),
  CONSTRAINT user_report_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  CONSTRAINT user_report_lifetime_ms_check CHECK ((lifetime_ms > 0)),
  CONSTRAINT user_report_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
  CONSTRAINT user_report_owner_subject_check CHECK (((length(owner_subject) >= 1) AND (length(owner_subject) <= 128))),
  CONSTRAINT user_report_pkey PRIMARY KEY (id),
  CONSTRAINT user_report_place_check CHECK (((place >= (0)::double precision) AND (place <= (4000000)::double precision))),
  CONSTRAINT user_report_properties_check CHECK ((json_typeof(properties) = 'object'::text)),
  CONSTRAINT user_report_report_type_check CHECK ((report_type = ANY (ARRAY['hazard'::text, 'accident'::text, 'weather'::text, 'wildlife'::text]))),
  CONSTRAINT user_report_upvotes_check CHECK ((upvotes >= 0))
) WITH (fillfactor=85);

-- References between tables

ALTER TABLE api_token ADD CONSTRAINT api_token_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);

ALTER TABLE api_token ADD CONSTRAINT api_token_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES api_token(id);

ALTER TABLE crowd_track ADD CONSTRAINT crowd_track_account_id_subject_track_id_fkey FOREIGN KEY (account_id, subject, track_id) REFERENCES track(account_id, subject, id) ON DELETE CASCADE;

ALTER TABLE portal_credential ADD CONSTRAINT portal_credential_user_id_fkey FOREIGN KEY (user_id) REFERENCES portal_user(id) ON DELETE CASCADE;

ALTER TABLE portal_passkey ADD CONSTRAINT portal_passkey_user_id_fkey FOREIGN KEY (user_id) REFERENCES portal_user(id) ON DELETE CASCADE;

ALTER TABLE portal_second_factor ADD CONSTRAINT portal_second_factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES portal_user(id) ON DELETE CASCADE;

ALTER TABLE portal_session ADD CONSTRAINT portal_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES portal_user(id) ON DELETE CASCADE;

ALTER TABLE portal_user ADD CONSTRAINT portal_user_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);

ALTER TABLE report_vote ADD CONSTRAINT report_vote_report_id_fkey FOREIGN KEY (report_id) REFERENCES user_report(id);

ALTER TABLE saved_style_version ADD CONSTRAINT saved_style_version_style_id_fkey FOREIGN KEY (style_id) REFERENCES saved_style(id) ON DELETE CASCADE;

ALTER TABLE track_chunk ADD CONSTRAINT track_chunk_account_id_subject_track_id_fkey FOREIGN KEY (account_id, subject, track_id) REFERENCES track(account_id, subject, id) ON DELETE CASCADE;

-- Indexes

CREATE INDEX admin_act_by_act ON public.admin_act USING btree (act, id DESC);

CREATE INDEX admin_act_by_actor ON public.admin_act USING btree (actor, id DESC);

CREATE INDEX admin_act_of_account ON public.admin_act USING btree (account_id, id DESC);

CREATE INDEX api_token_by_beginning ON public.api_token USING btree (lower(note) COLLATE "C");

CREATE INDEX api_token_by_page ON public.api_token USING btree (account_id, issued_at DESC, id DESC);

CREATE INDEX api_token_by_time ON public.api_token USING btree (issued_at DESC, id DESC);

CREATE INDEX chart_job_active ON public.chart_job USING btree (created_at) WHERE (state = ANY (ARRAY['pending'::text, 'processing'::text]));

CREATE INDEX chart_job_by_page ON public.chart_job USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX chart_upload_by_page ON public.chart_upload USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX create_key_by_age ON public.create_key USING btree (created_at);

CREATE INDEX ingest_key_by_age ON public.ingest_key USING btree (created_at);

CREATE INDEX portal_challenge_by_expiry ON public.portal_challenge USING btree (expires_at);

CREATE INDEX portal_challenge_by_identifier ON public.portal_challenge USING btree (identifier);

CREATE INDEX portal_passkey_of_user ON public.portal_passkey USING btree (user_id);

CREATE INDEX portal_session_by_expiry ON public.portal_session USING btree (expires_at);

CREATE INDEX portal_session_of_user ON public.portal_session USING btree (user_id);

CREATE INDEX portal_user_by_address ON public.portal_user USING btree (account_id, email COLLATE "C");

CREATE INDEX portal_user_by_beginning ON public.portal_user USING btree (email COLLATE "C");

CREATE INDEX portal_user_of_account ON public.portal_user USING btree (account_id);

CREATE INDEX portal_verification_by_identifier ON public.portal_verification USING btree (identifier);

CREATE INDEX report_block_by_page ON public.report_block USING btree (account_id, id DESC);

CREATE INDEX report_vote_of_voter ON public.report_vote USING btree (account_id, subject);

CREATE INDEX token_usage_of_account ON public.token_usage USING btree (account_id, day);

CREATE INDEX token_usage_of_token ON public.token_usage USING btree (token_id, day);

CREATE INDEX track_about_of_user ON public.track_about USING btree (account_id, subject, external_user_id, platform_uid);

CREATE INDEX track_of_about ON public.track USING btree (about_id);

CREATE INDEX track_of_account ON public.track USING btree (account_id, id DESC);

CREATE INDEX track_of_platform ON public.track USING btree (platform_key, end_time) WHERE (platform_key IS NOT NULL);

CREATE INDEX track_shared ON public.track USING btree (id) WHERE (share <> 'private'::text);

CREATE INDEX usage_report_by_age ON public.usage_report USING btree (received_at);

CREATE INDEX user_report_active ON public.user_report USING gist (point(place, ((created_at / 1000))::double precision), point(longitude, latitude)) WHERE ((deleted_at IS NULL) AND (expired_at IS NULL));

CREATE INDEX user_report_by_page ON public.user_report USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX user_report_by_time ON public.user_report USING btree (created_at DESC, id DESC);

CREATE INDEX user_report_of_owner ON public.user_report USING btree (account_id, owner_subject);

CREATE INDEX user_report_past ON public.user_report USING gist (point(place, ((created_at / 1000))::double precision), point(longitude, latitude)) WHERE ((deleted_at IS NOT NULL) OR (expired_at IS NOT NULL));

CREATE INDEX user_report_to_sweep ON public.user_report USING btree (sweep_at) WHERE ((deleted_at IS NULL) AND (expired_at IS NULL));

-- Functions

CREATE OR REPLACE FUNCTION public.account_to_change(of_account text)
 RETURNS account
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  known account;
BEGIN
  SELECT * INTO known FROM account WHERE id = of_account FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('account_missing'); END IF;
  RETURN known;
END
$function$
;

CREATE OR REPLACE FUNCTION public.active_on_stretch(now_ms bigint, low double precision, high double precision, kinds text[], west double precision, south double precision, east double precision, north double precision, since bigint, before_time bigint, before_id uuid)
 RETURNS TABLE(ahead double precision, created_at bigint, id uuid, report user_report)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT point(place, one.created_at / 1000) <-> point(0, 8e15), one.created_at, one.id, one
  FROM user_report AS one
  WHERE deleted_at IS NULL AND expired_at IS NULL AND expires_at > now_ms
    AND point(place, one.created_at / 1000)
      <@ box(point(low, since / 1000), point(high, before_time / 1000))
    AND point(longitude, latitude) <@ box(point(west, south), point(east, north))
    AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
    AND longitude BETWEEN west AND east
    AND one.created_at >= since AND (one.created_at, one.id) < (before_time, before_id)
  ORDER BY 1, 2 DESC, 3 DESC
$function$
;

CREATE OR REPLACE FUNCTION public.add_usage(report uuid, days date[], tokens text[], accounts text[], kinds text[], requests bigint[], refusals bigint[], failures bigint[])
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.answer_with(outcome text, report user_report)
 RETURNS report_answer
 LANGUAGE sql
 STABLE
AS $function$
  SELECT (
    outcome, coalesce(report.sent_id, report.id::text), report.account_id, report.owner_subject,
    report.external_user_id, report.namespace, report.report_type, report.latitude,
    report.longitude, report.properties::text, report.upvotes, report.downvotes, report.created_at,
    report.updated_at, report.expires_at, report.expired_at, report.deleted_at
  )::report_answer
$function$
;

CREATE OR REPLACE FUNCTION public.append_tracks(p_token_id text, p_generation integer, p_account_id text, p_subject text, p_external_user_id text, p_key text, p_body_sha256 text, p_now bigint, p_platform_uid text, p_platform jsonb, p_provider jsonb, p_time_units text, p_convention text, p_points bytea, p_about_id uuid, p_ids uuid[], p_stops integer[], p_sizes integer[], p_wests double precision[], p_souths double precision[], p_easts double precision[], p_norths double precision[], p_running integer[], p_running_box double precision[], p_gap_ms bigint, p_max_bytes integer, p_share text DEFAULT NULL::text)
 RETURNS TABLE(outcome text, merged text, taken integer, ids text, stops text)
 LANGUAGE plpgsql
AS $function$
DECLARE
  c_list_bytes CONSTANT integer := 2;
  c_key_ms CONSTANT bigint := 86400000;
  v_known ingest_key;
  -- Two platforms of one key would only wait for one another.
  v_platform_key bigint := CASE WHEN p_platform_uid <> '' THEN hashtextextended(
    concat_ws(chr(31), p_account_id, p_subject, p_external_user_id, p_platform_uid), 2) END;
  v_open record;
  v_first integer := cardinality(p_running);
  v_taken integer := 0;
  v_at integer;
  v_stop integer;
  v_rest integer := 1;
  v_stops integer[] := '{}';
  v_sizes integer[] := '{}';
  v_boxed integer[];
  v_ids uuid[];
  v_merged text;
  v_share text := coalesce(p_share,
    (SELECT one.share FROM account AS one WHERE one.id = p_account_id), 'private');
BEGIN
  PERFORM require_standing(p_token_id, p_account_id, p_generation);
  PERFORM pg_advisory_xact_lock(
    hashtextextended(concat_ws(chr(31), p_account_id, p_subject, p_key), 1));
  SELECT * INTO v_known FROM ingest_key k
    WHERE k.account_id = p_account_id AND k.subject = p_subject AND k.key = p_key;
  IF FOUND AND v_known.created_at > p_now - c_key_ms THEN
    IF v_known.body_sha256 = p_body_sha256 THEN
      RETURN QUERY SELECT 'repeated', v_known.merged, v_known.taken,
        array_to_string(v_known.ids, ','), array_to_string(v_known.stops, ',');
    ELSE
      RETURN QUERY SELECT 'other-body', NULL, 0, '', '';
    END IF;
    RETURN;
  END IF;

  IF v_platform_key IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(v_platform_key);
    -- As many points as fit, if these too are within the gap of the track.
    SELECT t.id, fits INTO v_open
      FROM track t JOIN track_about a ON a.id = t.about_id,
        width_bucket(p_max_bytes - t.byte_size, p_running) AS fits,
        lower(coalesce(nullif(a.platform ->> 'depthReference', ''),
          nullif(a.provider ->> 'verticalReferenceOfDepth', ''), 'transducer')) AS zero
      WHERE t.platform_key = v_platform_key AND t.share = v_share
        AND a.account_id = p_account_id AND a.subject = p_subject
        AND a.external_user_id = p_external_user_id AND a.platform_uid = p_platform_uid
        AND lower(coalesce(nullif(p_platform ->> 'depthReference', ''),
          nullif(p_provider ->> 'verticalReferenceOfDepth', ''), zero)) = zero
        AND NOT EXISTS (SELECT FROM
            unnest(CASE zero WHEN 'keel' THEN ARRAY['draft'] WHEN 'transducer' THEN ARRAY['transducerDepth'] END) AS field
          WHERE p_platform ->> field IS NOT NULL AND a.platform -> field IS DISTINCT FROM p_platform -> field)
        AND t.end_time >= sounding_time(p_points, 0) - p_gap_ms
        AND t.start_time <= sounding_time(p_points, v_first - 1) + p_gap_ms
        AND fits > 0
        AND t.start_time <= sounding_time(p_points, fits - 1) + p_gap_ms
      ORDER BY t.end_time DESC, t.id DESC
      LIMIT 1
      FOR NO KEY UPDATE OF t;
    IF FOUND THEN
      v_taken := v_open.fits;
      INSERT INTO track_chunk
        SELECT p_account_id, p_subject, v_open.id, coalesce(max(c.seq), 0) + 1,
          substr(p_points, 1, 32 * v_taken)
        FROM track_chunk c
        WHERE c.account_id = p_account_id AND c.subject = p_subject AND c.track_id = v_open.id;
      UPDATE track t SET
          start_time = least(t.start_time, sounding_time(p_points, 0)),
          end_time = greatest(t.end_time, sounding_time(p_points, v_taken - 1)),
          point_count = t.point_count + v_taken,
          byte_size = t.byte_size + p_running[v_taken],
          west = least(t.west, p_running_box[1]),
          south = least(t.south, p_running_box[2]),
          east = greatest(t.east, p_running_box[3]),
          north = greatest(t.north, p_running_box[4]),
          updated_at = greatest(t.updated_at, p_now)
        WHERE t.account_id = p_account_id AND t.subject = p_subject AND t.id = v_open.id
        RETURNING json_build_object('id', t.id, 'pointCount', t.point_count,
          'startTime', t.start_time, 'endTime', t.end_time) INTO v_merged;
      v_rest := array_position(p_stops, v_first) + 1;
      v_at := v_taken;
      WHILE v_at < v_first LOOP
        v_stop := greatest(v_at + 1,
          width_bucket(p_running[v_at] + p_max_bytes - c_list_bytes, p_running));
        v_stops := v_stops || v_stop;
        v_sizes := v_sizes || c_list_bytes + p_running[v_stop] - p_running[v_at];
        v_at := v_stop;
      END LOOP;
    END IF;
  END IF;

  v_boxed := ARRAY[cardinality(v_stops)];
  v_stops := v_stops || p_stops[v_rest :];
  v_sizes := v_sizes || p_sizes[v_rest :];
  IF cardinality(v_stops) > 0 THEN
    INSERT INTO track_about VALUES (p_about_id, p_account_id, p_subject, p_external_user_id,
      p_platform_uid, p_platform, p_provider, p_time_units, p_convention);
  END IF;
  v_ids := p_ids[: cardinality(v_stops)];
  INSERT INTO track
    SELECT p_account_id, p_subject, id, p_about_id, v_platform_key,
      sounding_time(p_points, start), sounding_time(p_points, stop - 1), stop - start, size,
      west, south, east, north,
      substr(p_points, 32 * start + 1, 32 * (stop - start)), p_now, p_now, v_share
    FROM (
      SELECT lag(stop, 1, v_taken) OVER (ORDER BY n) AS start, u.*
      -- Lists, not places in lists: each look into a long one would copy it.
      FROM unnest(v_ids, v_stops, v_sizes,
        array_fill(p_running_box[1], v_boxed) || p_wests[v_rest :],
        array_fill(p_running_box[2], v_boxed) || p_souths[v_rest :],
        array_fill(p_running_box[3], v_boxed) || p_easts[v_rest :],
        array_fill(p_running_box[4], v_boxed) || p_norths[v_rest :]
      ) WITH ORDINALITY AS u (id, stop, size, west, south, east, north, n)
    ) AS cut;

  INSERT INTO ingest_key VALUES
    (p_account_id, p_subject, p_key, p_body_sha256, v_merged, v_taken, v_ids, v_stops, p_now)
    ON CONFLICT (account_id, subject, key) DO UPDATE SET
      body_sha256 = excluded.body_sha256, merged = excluded.merged, taken = excluded.taken,
      ids = excluded.ids, stops = excluded.stops, created_at = excluded.created_at;
  -- Each request takes away some that are past their time.
  DELETE FROM ingest_key k USING (
    SELECT old.account_id, old.subject, old.key FROM ingest_key old
    WHERE old.created_at <= p_now - c_key_ms
    ORDER BY old.created_at LIMIT 20 FOR UPDATE SKIP LOCKED
  ) gone
  WHERE k.account_id = gone.account_id AND k.subject = gone.subject AND k.key = gone.key;

  RETURN QUERY SELECT 'made', v_merged, v_taken, array_to_string(v_ids, ','),
    array_to_string(v_stops, ',');
END
$function$
;

CREATE OR REPLACE FUNCTION public.begins_with(whole text, beginning text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT whole COLLATE "C" >= beginning AND whole COLLATE "C" < beginning || chr(1114111)
$function$
;

CREATE OR REPLACE FUNCTION public.block_of(of_account text, of_subject text, of_user text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT id FROM report_block WHERE account_id = of_account AND (
    kind = 'subject' AND name = of_subject OR kind = 'user' AND name = of_user
    OR kind = 'user' AND name = CASE WHEN of_subject LIKE 'user:%' THEN substr(of_subject, 6) END
  ) LIMIT 1
$function$
;

CREATE OR REPLACE FUNCTION public.block_of(of_account text, of_subject text, of_user text, is_stated boolean)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce(block_of(of_account, of_subject, of_user), (SELECT id FROM report_block
    WHERE is_stated AND account_id = of_account AND kind = 'stated' AND name = of_user))
$function$
;

CREATE OR REPLACE FUNCTION public.cast_vote(request uuid, now_ms bigint, caller_token text, caller_account text, caller_generation integer, caller_subject text, caller_user text, of_report uuid, vote smallint, own_too boolean, net_to_expire integer)
 RETURNS report_answer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  report user_report;
  former smallint;
BEGIN
  PERFORM require_standing(caller_token, caller_account, caller_generation);
  SELECT * INTO report FROM user_report WHERE id = of_report FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN answer_with('missing', NULL);
  END IF;
  IF report.last_request = request THEN
    RETURN answer_with('done', report);
  END IF;
  IF report.deleted_at IS NOT NULL OR report.expired_at IS NOT NULL OR report.expires_at <= now_ms
  THEN
    RETURN answer_with('gone', report);
  END IF;
  IF NOT own_too
    AND report.account_id = caller_account AND report.owner_subject = caller_subject
    AND (caller_user = '' OR report.external_user_id IS NOT DISTINCT FROM caller_user)
  THEN
    RETURN answer_with('forbidden', report);
  END IF;

  SELECT value INTO former FROM report_vote
    WHERE report_id = of_report AND account_id = caller_account AND subject = caller_subject
      AND external_user_id = caller_user;
  former := coalesce(former, 0);
  INSERT INTO report_vote VALUES (
    of_report, caller_account, caller_subject, caller_user, vote, now_ms
  )
  ON CONFLICT (report_id, account_id, subject, external_user_id)
    DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at;
  report.upvotes := report.upvotes + (vote = 1)::int - (former = 1)::int;
  report.downvotes := report.downvotes + (vote = -1)::int - (former = -1)::int;
  report.updated_at := greatest(now_ms, report.updated_at + 1);
  IF vote = 1 THEN
    report.expires_at := greatest(report.expires_at, now_ms + report.lifetime_ms);
  END IF;
  IF net_to_expire > 0 AND report.downvotes - report.upvotes >= net_to_expire THEN
    report.expires_at := now_ms;
    report.expired_at := now_ms;
  END IF;
  UPDATE user_report SET
    upvotes = report.upvotes, downvotes = report.downvotes, updated_at = report.updated_at,
    expires_at = report.expires_at, expired_at = report.expired_at, last_request = request
    WHERE id = of_report;
  RETURN answer_with('done', report);
END
$function$
;

CREATE OR REPLACE FUNCTION public.change_account(by_actor text, of_account text, new_plan text, new_pilot boolean, new_admin boolean, new_note text)
 RETURNS account
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  known account := account_to_change(of_account);
BEGIN
  IF known.erased_at IS NOT NULL THEN PERFORM refuse('account_gone'); END IF;
  UPDATE account SET plan = coalesce(new_plan, plan), pilot = coalesce(new_pilot, pilot),
    admin = coalesce(new_admin, admin), note = coalesce(new_note, note) WHERE id = of_account RETURNING * INTO known;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (by_actor, 'account set', of_account,
    jsonb_strip_nulls(jsonb_build_object('plan', new_plan, 'pilot', new_pilot, 'admin', new_admin)));
  RETURN known;
END
$function$
;

CREATE OR REPLACE FUNCTION public.change_token(by_actor text, token_id text, new_note text, new_origins text[])
 RETURNS api_token
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  known api_token := token_to_change(token_id);
BEGIN
  IF known.revoked_at IS NOT NULL THEN PERFORM refuse('token_revoked'); END IF;
  IF new_origins IS NOT NULL AND known.token_hash IS NULL THEN PERFORM refuse('token_signed'); END IF;
  UPDATE api_token SET note = coalesce(new_note, note), origins = coalesce(new_origins, origins)
    WHERE id = known.id RETURNING * INTO known;
  INSERT INTO admin_act (actor, act, account_id, token_id, detail) VALUES (
    by_actor, 'token change', known.account_id, known.id,
    jsonb_build_object('changed', array_remove(ARRAY[
      CASE WHEN new_note IS NOT NULL THEN 'name' END,
      CASE WHEN new_origins IS NOT NULL THEN 'origins' END], NULL)));
  RETURN known;
END
$function$
;

CREATE OR REPLACE FUNCTION public.chart_caller(who jsonb, at_least text, OUT account text, OUT actor text, OUT is_admin boolean)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  member portal_user;
BEGIN
  IF who ? 'session' THEN
    member := require_member(who ->> 'session', at_least);
    account := member.account_id;
    actor := 'user:' || member.id;
    is_admin := member.role = 'administrator';
  ELSE
    account := who ->> 'account';
    PERFORM require_standing(who ->> 'token', account, (who ->> 'generation')::integer);
    actor := 'token:' || (who ->> 'token');
    is_admin := false;
  END IF;
END
$function$
;

CREATE OR REPLACE FUNCTION public.chart_upload_of(of_account text, of_id uuid)
 RETURNS chart_upload
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  known chart_upload;
BEGIN
  SELECT * INTO known FROM chart_upload WHERE id = of_id AND account_id = of_account FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('upload_unknown'); END IF;
  RETURN known;
END
$function$
;

CREATE OR REPLACE FUNCTION public.charts_abandon(who jsonb, of_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_upload := chart_upload_of(caller.account, of_id);
BEGIN
  IF known.is_public AND NOT caller.is_admin THEN PERFORM refuse('role_missing'); END IF;
  UPDATE chart_upload SET updated_at = 0 WHERE id = of_id AND state = 'receiving';
END
$function$
;

CREATE OR REPLACE FUNCTION public.charts_append(who jsonb, of_id uuid, at bigint, piece text, size bigint, new_job uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  known chart_upload := resumable_upload_of(who, of_id);
  all_files jsonb := jsonb_set(known.files, '{0,pieces}', known.files #> '{0,pieces}' || to_jsonb(piece));
BEGIN
  -- A retry after a lost response.
  IF known.files #>> '{0,pieces,-1}' = piece THEN RETURN; END IF;
  IF known.state <> 'receiving' OR known.updated_at = 0 OR known.bytes <> at OR at + size > known.announced_bytes THEN
    PERFORM refuse('upload_continued');
  END IF;
  IF jsonb_array_length(all_files #> '{0,pieces}') > 5000 THEN PERFORM refuse('upload_pieces'); END IF;
  UPDATE chart_upload SET files = all_files, bytes = at + size, updated_at = now_ms() WHERE id = of_id;
  IF at + size = known.announced_bytes THEN
    PERFORM charts_received(who, of_id, all_files, at + size, new_job);
  END IF;
END
$function$
;

CREATE OR REPLACE FUNCTION public.charts_begin(who jsonb, new_id uuid, to_public boolean, file_name text, most integer, length bigint DEFAULT NULL::bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller record := chart_caller(who, CASE WHEN to_public THEN 'administrator' ELSE 'owner' END);
  kept record;
BEGIN
  IF to_public AND NOT caller.is_admin THEN PERFORM refuse('role_missing'); END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(caller.account, 6));
  IF EXISTS (SELECT FROM chart_upload WHERE id = new_id) THEN RETURN; END IF;
  SELECT count(*) AS uploads, coalesce(sum(greatest(bytes, announced_bytes)), 0) AS bytes,
      count(*) FILTER (WHERE state IN ('receiving', 'pending', 'processing', 'deleting')) AS open
    INTO kept FROM chart_upload WHERE account_id = caller.account;
  IF kept.open >= most THEN PERFORM refuse('uploads_full'); END IF;
  IF kept.uploads >= 1000 OR kept.bytes + coalesce(length, 0) > 100 * 1073741824::bigint THEN
    PERFORM refuse('uploads_kept');
  END IF;
  IF (SELECT count(*) FROM chart_job WHERE account_id = caller.account AND kind = 'upload'
      AND created_at > now_ms() - 3600000) >= 100 THEN
    PERFORM refuse('uploads_frequent');
  END IF;
  INSERT INTO chart_upload (id, account_id, is_public, actor, filename, announced_bytes, files)
    VALUES (new_id, caller.account, to_public, caller.actor, file_name, length,
      CASE WHEN length IS NULL THEN '[]'
        ELSE jsonb_build_array(jsonb_build_object('name', file_name, 'bytes', length, 'pieces', '[]'::jsonb)) END);
END
$function$
;

CREATE OR REPLACE FUNCTION public.charts_begin(who jsonb, new_id uuid, to_public boolean, file_name text, most integer, length bigint, sent_metadata text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM charts_begin(who, new_id, to_public, file_name, most, length);
  UPDATE chart_upload SET metadata = sent_metadata WHERE id = new_id AND state = 'receiving';
END
$function$
;

CREATE OR REPLACE FUNCTION public.charts_change_job(who jsonb, of_id uuid, to_state text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_job;
BEGIN
  SELECT * INTO known FROM chart_job WHERE id = of_id AND account_id = caller.account FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('job_unknown'); END IF;
  IF known.is_public AND NOT caller.is_admin THEN PERFORM refuse('role_missing'); END IF;
  IF to_state = 'cancelled' THEN
    IF known.kind <> 'upload' OR known.state NOT IN ('pending', 'processing') THEN
      PERFORM refuse('job_over');
    END IF;
    -- A job in progress ends when its worker reads this.
    UPDATE chart_job SET is_cancelled = true, updated_at = now_ms(),
      state = CASE WHEN state = 'pending' THEN 'cancelled' ELSE state END WHERE id = of_id;
    UPDATE chart_upload SET state = 'cancelled', updated_at = now_ms()
      WHERE id = known.upload_id AND state = 'pending';
  ELSE
    IF known.state NOT IN ('failed', 'cancelled') OR (known.kind = 'upload' AND NOT EXISTS (
      SELECT FROM chart_upload WHERE id = known.upload_id AND state IN ('failed', 'cancelled'))) THEN
      PERFORM refuse('job_running');
    END IF;
    UPDATE chart_job SET state = 'pending', percent = 0, steps = '[]', result = NULL, attempts = 0,
      furthest = 0, is_cancelled = false, updated_at = now_ms() WHERE id = of_id;
    UPDATE chart_upload SET state = 'pending', updated_at = now_ms()
      WHERE id = known.upload_id AND known.kind = 'upload';
  END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (caller.actor,
    CASE WHEN to_state = 'cancelled' THEN 'job cancel' ELSE 'job retry' END, caller.account,
    jsonb_build_object('jobId', of_id));
END
$function$
;

CREATE OR REPLACE FUNCTION public.charts_delete(who jsonb, of_id uuid, new_job uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_upload := chart_upload_of(caller.account, of_id);
BEGIN
  IF known.is_public AND NOT caller.is_admin THEN PERFORM refuse('role_missing'); END IF;
  IF known.state = 'deleting' THEN RETURN; END IF;
  UPDATE chart_job SET is_cancelled = true, updated_at = now_ms()
    WHERE upload_id = of_id AND state IN ('pending', 'processing');
  UPDATE chart_upload SET state = 'deleting', updated_at = now_ms() WHERE id = of_id;
  INSERT INTO chart_job (id, account_id, is_public, kind, upload_id)
    VALUES (new_job, caller.account, known.is_public, 'delete', of_id);
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (caller.actor, 'charts delete', caller.account,
    jsonb_build_object('uploadId', of_id, 'isPublic', known.is_public));
END
$function$
;

CREATE OR REPLACE FUNCTION public.charts_jobs(who jsonb, only_id uuid, only_active boolean, most integer, skip integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller record := chart_caller(who, 'member');
BEGIN
  RETURN jsonb_build_object('workerSeenAt', (SELECT max(seen_at) FROM chart_worker),
    'now', now_ms(),
    'total', (SELECT count(*) FROM chart_job WHERE account_id = caller.account
      AND (NOT only_active OR state IN ('pending', 'processing'))),
    'jobs', (SELECT coalesce(jsonb_agg(page.one ORDER BY page.created_at DESC, page.id DESC), '[]') FROM (
      SELECT job.created_at, job.id, jsonb_build_object('id', job.id, 'jobType', job.kind,
        'jobState', job.state, 'accountId', job.account_id, 'uploadId', job.upload_id,
        'isPublic', job.is_public, 'filename', upload.filename, 'result', job.result, 'logs', job.logs,
        'percentComplete', job.percent, 'attempts', job.attempts, 'isCancelled', job.is_cancelled,
        'createdAt', job.created_at, 'updatedAt', job.updated_at, 'steps', job.steps) AS one
      FROM chart_job AS job LEFT JOIN chart_upload AS upload ON upload.id = job.upload_id
      WHERE job.account_id = caller.account AND (only_id IS NULL OR job.id = only_id)
        AND (NOT only_active OR job.state IN ('pending', 'processing'))
      ORDER BY job.created_at DESC, job.id DESC LIMIT most OFFSET skip) AS page));
END
$function$
;

CREATE OR REPLACE FUNCTION public.charts_permit(who jsonb)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller record := chart_caller(who, 'member');
BEGIN
  RETURN (SELECT user_permit FROM chart_worker WHERE user_permit IS NOT NULL ORDER BY seen_at DESC LIMIT 1);
END
$function$
;

CREATE OR REPLACE FUNCTION public.charts_received(who jsonb, of_id uuid, with_files jsonb, size bigint, new_job uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_upload := chart_upload_of(caller.account, of_id);
BEGIN
  IF known.state <> 'receiving' THEN RETURN; END IF;
  UPDATE chart_upload SET files = with_files, bytes = size, state = 'pending', updated_at = now_ms()
    WHERE id = of_id;
  INSERT INTO chart_job (id, account_id, is_public, kind, upload_id)
    VALUES (new_job, caller.account, known.is_public, 'upload', of_id);
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (caller.actor, 'charts upload', caller.account,
    jsonb_build_object('uploadId', of_id, 'bytes', size, 'isPublic', known.is_public));
END
$function$
;

CREATE OR REPLACE FUNCTION public.charts_refresh(who jsonb, new_job uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller record := chart_caller(who, 'administrator');
  started uuid;
  job chart_job;
BEGIN
  IF NOT caller.is_admin AND NOT EXISTS (SELECT FROM portal_user
    WHERE account_id = caller.account AND role = 'administrator') THEN PERFORM refuse('role_missing'); END IF;
  IF NOT EXISTS (SELECT FROM chart_worker WHERE can_refresh) THEN PERFORM refuse('producer_missing'); END IF;
  started := start_refresh(caller.account, new_job);
  SELECT * INTO job FROM chart_job WHERE id = started;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (caller.actor, 'charts refresh', caller.account,
    jsonb_build_object('jobId', job.id));
  RETURN jsonb_build_object('jobId', job.id, 'jobState', job.state);
END
$function$
;

CREATE OR REPLACE FUNCTION public.charts_resumable(who jsonb, of_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  known chart_upload := resumable_upload_of(who, of_id);
BEGIN
  RETURN jsonb_build_object('filename', known.filename, 'length', known.announced_bytes, 'offset', known.bytes,
    'updatedAt', known.updated_at, 'metadata', known.metadata);
END
$function$
;

CREATE OR REPLACE FUNCTION public.charts_return(who jsonb, to_build text, new_job uuid)
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
$function$
;

CREATE OR REPLACE FUNCTION public.charts_schedule(who jsonb, new_every text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller record := chart_caller(who, 'administrator');
  known chart_schedule;
BEGIN
  IF new_every IS NOT NULL THEN
    DELETE FROM chart_schedule;
    IF new_every <> 'never' THEN
      INSERT INTO chart_schedule (account_id, every, next_at)
        VALUES (caller.account, new_every, now_ms() + schedule_ms(new_every));
    END IF;
    INSERT INTO admin_act (actor, act, account_id, detail) VALUES (caller.actor, 'charts schedule', caller.account,
      jsonb_build_object('every', new_every));
  END IF;
  SELECT * INTO known FROM chart_schedule;
  RETURN jsonb_build_object('every', coalesce(known.every, 'never'), 'nextAt', known.next_at,
    'hasProducers', EXISTS (SELECT FROM chart_worker WHERE can_refresh));
END
$function$
;

CREATE OR REPLACE FUNCTION public.charts_sets(who jsonb)
 RETURNS SETOF jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller record := chart_caller(who, 'member');
BEGIN
  RETURN QUERY SELECT jsonb_build_object('id', one.build_id, 'publishedAt', one.published_at,
    'cells', to_jsonb(one.cells), 'isCurrent', one.position = 1,
    'canReturn', one.position > 1 AND has_uploads(caller.account, one.uploads))
  FROM (SELECT *, row_number() OVER (ORDER BY published_at DESC, build_id) AS position
    FROM chart_set_build WHERE account_id = caller.account) AS one ORDER BY one.position;
END
$function$
;

CREATE OR REPLACE FUNCTION public.charts_uploads(who jsonb, only_id uuid, most integer, skip integer)
 RETURNS SETOF jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller record := chart_caller(who, 'member');
BEGIN
  RETURN QUERY SELECT jsonb_build_object('id', one.id, 'filename', one.filename, 'fileSize', one.bytes,
    'status', one.state, 'isPublic', one.is_public, 'isLive', one.is_live, 'createdAt', one.created_at,
    'updatedAt', one.updated_at, 'uploaderEmail', (
      SELECT email FROM portal_user AS member WHERE one.actor = 'user:' || member.id),
    'cells', one.cells, 'logs', coalesce(job.logs, '[]'), 'jobId', job.id)
  FROM chart_upload AS one LEFT JOIN LATERAL (
    SELECT * FROM chart_job WHERE upload_id = one.id AND account_id = one.account_id
      ORDER BY created_at DESC LIMIT 1) AS job ON true
  WHERE one.account_id = caller.account AND one.state <> 'receiving' AND (only_id IS NULL OR one.id = only_id)
  ORDER BY one.created_at DESC, one.id DESC LIMIT most OFFSET skip;
END
$function$
;

CREATE OR REPLACE FUNCTION public.cluster_reports(now_ms bigint, lows double precision[], highs double precision[], wests double precision[], easts double precision[], kinds text[], south double precision, north double precision, zoom integer, tile_x integer, tile_y integer, grid integer, most integer)
 RETURNS TABLE(number bigint, hazards bigint, u double precision, v double precision, is_cut boolean, answer report_answer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$#variable_conflict use_column
      DECLARE
        size CONSTANT double precision := 2 ^ zoom;
      BEGIN RETURN QUERY
        WITH newest AS (
          SELECT found.id, (found.report).report_type AS kind, (found.report).longitude AS lon,
            sin(radians((found.report).latitude)) AS sine
          FROM (SELECT * FROM active_on_stretch(now_ms, lows[1], highs[1], kinds, wests[1], south, easts[1],
        north, 0, 4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') UNION ALL SELECT * FROM active_on_stretch(now_ms, lows[2], highs[2], kinds, wests[2], south, easts[2],
        north, 0, 4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') UNION ALL SELECT * FROM active_on_stretch(now_ms, lows[3], highs[3], kinds, wests[3], south, easts[3],
        north, 0, 4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') UNION ALL SELECT * FROM active_on_stretch(now_ms, lows[4], highs[4], kinds, wests[4], south, easts[4],
        north, 0, 4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') UNION ALL SELECT * FROM active_on_stretch(now_ms, lows[5], highs[5], kinds, wests[5], south, easts[5],
        north, 0, 4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') UNION ALL SELECT * FROM active_on_stretch(now_ms, lows[6], highs[6], kinds, wests[6], south, easts[6],
        north, 0, 4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') UNION ALL SELECT * FROM active_on_stretch(now_ms, lows[7], highs[7], kinds, wests[7], south, easts[7],
        north, 0, 4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') UNION ALL SELECT * FROM active_on_stretch(now_ms, lows[8], highs[8], kinds, wests[8], south, easts[8],
        north, 0, 4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff')) AS found ORDER BY ahead, found.created_at DESC, found.id DESC LIMIT most + 1
        ), turned AS (
          -- Turns east of the west side of the tile: 180 and -180 degrees are one meridian.
          SELECT id, kind, lon / 360 + 0.5 - tile_x / size AS turn,
            (0.5 - ln((1 + sine) / (1 - sine)) / (4 * pi())) * size - tile_y AS south_of FROM newest
        ), placed AS (
          SELECT id, kind, (turn - round(turn - 0.5 / size)) * size AS east_of, south_of FROM turned
        ), clusters AS (
          SELECT count(*) AS many, count(*) FILTER (WHERE kind = 'hazard') AS hazardous,
            avg(east_of) AS mean_u, avg(south_of) AS mean_v, (array_agg(id))[1] AS any_id
          FROM placed
          GROUP BY greatest(0, least(floor(east_of * grid), grid - 1)),
            greatest(0, least(floor(south_of * grid), grid - 1))
        )
        SELECT many, hazardous, mean_u, mean_v, (SELECT count(*) > most FROM newest),
          answer_with('done', one)
        FROM clusters LEFT JOIN user_report AS one ON many = 1 AND one.id = any_id;
      END$function$
;

CREATE OR REPLACE FUNCTION public.count_active(now_ms bigint, lows double precision[], highs double precision[], kinds text[], wests double precision[], south double precision, easts double precision[], north double precision, since bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  first_west CONSTANT double precision := wests[1];
  first_east CONSTANT double precision := easts[1];
  last_west CONSTANT double precision := wests[cardinality(wests)];
  last_east CONSTANT double precision := easts[cardinality(easts)];
  width CONSTANT double precision := first_east - first_west
    + CASE WHEN first_west = last_west THEN 0 ELSE last_east - last_west END;
BEGIN
  IF width >= 360 AND north - south >= 180 AND cardinality(kinds) = 4 AND since <= 0 THEN
    RETURN (
      SELECT count(*) FROM user_report
      WHERE deleted_at IS NULL AND expired_at IS NULL AND sweep_at > now_ms
    ) + (
      SELECT count(*) FROM user_report
      WHERE deleted_at IS NULL AND expired_at IS NULL AND sweep_at <= now_ms AND expires_at > now_ms
    );
  ELSIF width * (north - south) > 10000 THEN
    RETURN (
      SELECT count(*) FROM user_report AS one
      WHERE deleted_at IS NULL AND expired_at IS NULL AND expires_at > now_ms AND sweep_at > 0
        AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
        AND one.created_at >= since
        AND (longitude BETWEEN first_west AND first_east
          OR longitude BETWEEN last_west AND last_east)
    );
  END IF;
  RETURN (
    SELECT count(*)
    FROM unnest(lows, highs, wests, easts) AS stretch (low, high, west, east)
    JOIN user_report AS one
      ON point(place, one.created_at / 1000)
        <@ box(point(stretch.low, since / 1000), point(stretch.high, 8e15))
      AND point(longitude, latitude)
        <@ box(point(stretch.west, south), point(stretch.east, north))
      AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
      AND longitude BETWEEN stretch.west AND stretch.east AND one.created_at >= since
    WHERE deleted_at IS NULL AND expired_at IS NULL AND expires_at > now_ms
  );
END
$function$
;

CREATE OR REPLACE FUNCTION public.count_past(with_expired boolean, with_deleted boolean, lows double precision[], highs double precision[], kinds text[], wests double precision[], south double precision, easts double precision[], north double precision, since bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT count(*)
  FROM unnest(lows, highs, wests, easts) AS stretch (low, high, west, east)
  JOIN user_report AS one
    ON point(place, one.created_at / 1000)
      <@ box(point(stretch.low, since / 1000), point(stretch.high, 8e15))
    AND point(longitude, latitude) <@ box(point(stretch.west, south), point(stretch.east, north))
    AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
    AND longitude BETWEEN stretch.west AND stretch.east AND one.created_at >= since
  WHERE (deleted_at IS NOT NULL OR expired_at IS NOT NULL)
    AND CASE WHEN deleted_at IS NULL THEN with_expired ELSE with_deleted END
$function$
;

CREATE OR REPLACE FUNCTION public.count_reports(now_ms bigint, lows double precision[], highs double precision[], wests double precision[], easts double precision[], kinds text[], south double precision, north double precision, since bigint, with_expired boolean, deleted_of text, caller_account text, caller_subject text)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT
    -- A report that has expired stays among the active ones until the sweep.
    count_active(
      CASE WHEN with_expired THEN 0 ELSE now_ms END,
      lows, highs, kinds, wests, south, easts, north, since
    )
    + CASE WHEN with_expired OR deleted_of = 'all' THEN count_past(
        with_expired, deleted_of = 'all', lows, highs, kinds, wests, south, easts, north, since
      ) ELSE 0 END
    + (SELECT count(*) FROM own_deleted(
        deleted_of, caller_account, caller_subject, kinds, wests, south, easts, north, since
      ))
$function$
;

CREATE OR REPLACE FUNCTION public.create_account(by_actor text, new_id text, new_plan text, new_pilot boolean, new_admin boolean, new_note text)
 RETURNS account
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  made account;
BEGIN
  INSERT INTO account (id, plan, pilot, admin, note)
    VALUES (new_id, new_plan, new_pilot, new_admin, new_note)
    ON CONFLICT (id) DO NOTHING RETURNING * INTO made;
  IF NOT FOUND THEN PERFORM refuse('account_exists'); END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (by_actor, 'account create', new_id,
    jsonb_build_object('plan', new_plan, 'pilot', new_pilot, 'admin', new_admin));
  RETURN made;
END
$function$
;

CREATE OR REPLACE FUNCTION public.create_report(request uuid, now_ms bigint, caller_token text, caller_account text, caller_generation integer, caller_subject text, with_key text, body_sha256 text, id_as_sent text, external_user text, report_kind text, at_latitude double precision, at_longitude double precision, at_place double precision, with_properties json, for_ms bigint, is_stated boolean DEFAULT false)
 RETURNS creation
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  new_id CONSTANT uuid := id_as_sent::uuid;
  answer creation;
  known user_report;
BEGIN
  PERFORM require_standing(caller_token, caller_account, caller_generation);
  answer := enter_create_key(
    caller_account, caller_subject, 'report', with_key, body_sha256, new_id, now_ms);
  IF answer.outcome IS NOT NULL THEN
    RETURN answer;
  END IF;
  INSERT INTO user_report (
    id, sent_id, account_id, owner_subject, external_user_id, report_type, latitude, longitude,
    place, properties, lifetime_ms, created_at, updated_at, expires_at, sweep_at, last_request, user_is_stated
  ) VALUES (
    new_id, nullif(id_as_sent, new_id::text), caller_account, caller_subject, external_user,
    report_kind, at_latitude, at_longitude, at_place, with_properties, for_ms, now_ms, now_ms,
    now_ms + for_ms, now_ms + for_ms, request, is_stated
  ) ON CONFLICT (id) DO NOTHING;
  IF FOUND THEN
    RETURN ('done', new_id, now_ms)::creation;
  END IF;
  SELECT * INTO known FROM user_report WHERE id = new_id;
  IF known.last_request = request THEN
    RETURN ('done', new_id, known.created_at)::creation;
  END IF;
  PERFORM free_create_key(caller_account, caller_subject, 'report', with_key);
  RETURN (CASE
    WHEN known.account_id = caller_account AND known.owner_subject = caller_subject
      THEN 'taken_by_caller'
    ELSE 'taken'
  END, NULL, NULL)::creation;
END
$function$
;

CREATE OR REPLACE FUNCTION public.create_style(now_ms bigint, caller_token text, caller_account text, caller_generation integer, caller_subject text, with_key text, body_sha256 text, new_id uuid, style_name text, from_theme text, with_parameters jsonb, most integer)
 RETURNS creation
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM require_standing(caller_token, caller_account, caller_generation);
  RETURN insert_style(now_ms, caller_account, caller_subject, with_key, body_sha256, new_id,
    style_name, from_theme, with_parameters, most);
END
$function$
;

CREATE OR REPLACE FUNCTION public.delete_report(request uuid, now_ms bigint, caller_token text, caller_account text, caller_generation integer, caller_subject text, is_admin boolean, of_report uuid)
 RETURNS report_answer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  report user_report;
BEGIN
  PERFORM require_standing(caller_token, caller_account, caller_generation);
  SELECT * INTO report FROM user_report WHERE id = of_report FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN answer_with('missing', NULL);
  END IF;
  IF report.deleted_at IS NOT NULL THEN
    RETURN answer_with(CASE WHEN report.last_request = request THEN 'done' ELSE 'gone' END, report);
  END IF;
  IF NOT is_admin
    AND NOT (report.account_id = caller_account AND report.owner_subject = caller_subject)
  THEN
    RETURN answer_with('forbidden', report);
  END IF;
  report.deleted_at := greatest(now_ms, report.created_at);
  UPDATE user_report SET deleted_at = report.deleted_at, last_request = request
    WHERE id = of_report;
  IF NOT (report.account_id = caller_account AND report.owner_subject = caller_subject) THEN
    INSERT INTO admin_act (actor, act, account_id, token_id, detail) VALUES (
      'token:' || caller_token, 'report delete', report.account_id, caller_token,
      jsonb_build_object('report', of_report)
    );
  END IF;
  RETURN answer_with('done', report);
END
$function$
;

CREATE OR REPLACE FUNCTION public.delete_track(p_token_id text, p_generation integer, p_account_id text, p_subject text, p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM require_standing(p_token_id, p_account_id, p_generation);
  RETURN remove_track(p_account_id, p_subject, p_id);
END
$function$
;

CREATE OR REPLACE FUNCTION public.end_second_factor()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM portal_second_factor WHERE user_id = OLD.user_id;
  UPDATE portal_user SET two_factor_enabled = false WHERE id = OLD.user_id;
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION public.enter_create_key(of_account text, of_subject text, of_kind text, with_key text, body text, new_id uuid, now_ms bigint)
 RETURNS creation
 LANGUAGE plpgsql
AS $function$
DECLARE
  day_ms CONSTANT bigint := 86400000;
  known create_key;
BEGIN
  IF with_key IS NULL THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock(
    hashtextextended(concat_ws(chr(31), of_account, of_subject, of_kind, with_key), 5));
  SELECT * INTO known FROM create_key
    WHERE account_id = of_account AND subject = of_subject AND kind = of_kind AND key = with_key;
  IF FOUND AND known.created_at > now_ms - day_ms THEN
    IF known.body_sha256 = body THEN
      RETURN ('repeated', known.object_id, known.created_at)::creation;
    END IF;
    RETURN ('other_body', NULL, NULL)::creation;
  END IF;
  INSERT INTO create_key VALUES (of_account, of_subject, of_kind, with_key, body, new_id, now_ms)
    ON CONFLICT (account_id, subject, kind, key) DO UPDATE SET body_sha256 = excluded.body_sha256,
      object_id = excluded.object_id, created_at = excluded.created_at;
  -- Each takes away some that are past their time.
  DELETE FROM create_key k USING (
    SELECT old.account_id, old.subject, old.kind, old.key FROM create_key old
    WHERE old.created_at <= now_ms - day_ms
    ORDER BY old.created_at LIMIT 20 FOR UPDATE SKIP LOCKED
  ) AS gone
  WHERE k.account_id = gone.account_id AND k.subject = gone.subject AND k.kind = gone.kind
    AND k.key = gone.key;
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION public.erase_charts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM chart_upload WHERE account_id = NEW.id AND NOT is_public;
  DELETE FROM chart_job WHERE account_id = NEW.id AND NOT is_public;
  DELETE FROM chart_set WHERE account_id = NEW.id;
  DELETE FROM chart_set_build WHERE account_id = NEW.id;
  INSERT INTO chart_job (id, account_id, is_public, kind)
    VALUES (gen_random_uuid(), NEW.id, false, 'erase');
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION public.erase_person(by_actor text, of_account text, of_subject text, of_user text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  traces jsonb;
  abouts uuid[];
  now_ms bigint;
BEGIN
  PERFORM hold_writes(of_account);
  now_ms := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  traces := person_traces(of_account, of_subject, of_user);
  -- Tokens signed with a shared secret may have an account that is not recorded.
  IF NOT EXISTS (SELECT 1 FROM jsonb_each_text(traces) WHERE value <> '0') THEN
    PERFORM account_to_change(of_account);
  END IF;

  DELETE FROM create_key WHERE account_id = of_account AND (of_subject IS NULL OR subject = of_subject)
    AND (of_user IS NULL OR object_id IN (
      SELECT id FROM user_report WHERE account_id = of_account
        AND (of_subject IS NULL OR owner_subject = of_subject)
        AND (external_user_id = of_user OR of_subject IS NULL AND owner_subject = 'user:' || of_user)));
  -- If only an end user is erased, the server stays the owner of the reports that it sent.
  UPDATE user_report SET external_user_id = NULL, properties = '{}', erased_at = now_ms,
    owner_subject = CASE WHEN of_user IS NULL OR owner_subject = 'user:' || of_user THEN 'erased-' || gen_random_uuid() ELSE owner_subject END
    WHERE account_id = of_account AND (of_subject IS NULL OR owner_subject = of_subject)
      AND (of_user IS NULL OR external_user_id = of_user
        OR of_subject IS NULL AND owner_subject = 'user:' || of_user);
  -- Votes are kept under a random name, so that counts do not change.
  UPDATE report_vote SET
    subject = CASE WHEN of_user IS NULL OR subject = 'user:' || of_user THEN 'erased-' || gen_random_uuid() ELSE subject END,
    external_user_id = CASE WHEN of_user IS NULL THEN '' ELSE 'erased-' || gen_random_uuid() END
    WHERE account_id = of_account AND (of_subject IS NULL OR subject = of_subject)
      AND (of_user IS NULL OR external_user_id = of_user
        OR of_subject IS NULL AND subject = 'user:' || of_user);

  abouts := ARRAY(SELECT id FROM track_about WHERE account_id = of_account
    AND (of_subject IS NULL OR subject = of_subject) AND (of_user IS NULL OR external_user_id = of_user
      OR of_subject IS NULL AND subject = 'user:' || of_user));
  -- Stored responses for repeated requests contain the ids of tracks.
  DELETE FROM ingest_key WHERE account_id = of_account AND (of_subject IS NULL OR subject = of_subject)
    AND (of_user IS NULL OR of_subject IS NULL AND subject = 'user:' || of_user
      OR ids && ARRAY(SELECT id FROM track WHERE about_id = ANY (abouts))
      OR (merged::json ->> 'id')::uuid IN (SELECT id FROM track WHERE about_id = ANY (abouts)));
  DELETE FROM track WHERE about_id = ANY (abouts);
  DELETE FROM track_about WHERE id = ANY (abouts);
  DELETE FROM report_block WHERE id IN (SELECT id FROM person_blocks(of_account, of_subject, of_user));

  IF of_user IS NULL THEN
    UPDATE api_token SET subject = 'erased-' || gen_random_uuid(), note = NULL, origins = '{}',
      revoked_at = least(revoked_at, now_ms)
      WHERE account_id = of_account AND (of_subject IS NULL OR subject = of_subject);
    -- Sessions and passwords are deleted with their user. Sign-in links contain the address.
    DELETE FROM portal_verification WHERE value::json ->> 'email' IN (
      SELECT email FROM portal_user WHERE account_id = of_account
        AND (of_subject IS NULL OR 'member:' || id = of_subject));
    DELETE FROM portal_user WHERE account_id = of_account
      AND (of_subject IS NULL OR 'member:' || id = of_subject);
  END IF;
  IF of_subject IS NULL AND of_user IS NULL THEN
    DELETE FROM saved_style WHERE account_id = of_account;
    INSERT INTO account (id, plan, erased_at, suspended_at)
      VALUES (of_account, 'standard', now_ms, now_ms)
    ON CONFLICT (id) DO UPDATE SET note = NULL, erased_at = excluded.erased_at,
      suspended_at = coalesce(account.suspended_at, excluded.suspended_at);
  END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (by_actor, 'erase', of_account, traces);
  RETURN traces;
END
$function$
;

CREATE OR REPLACE FUNCTION public.find_report(of_report uuid)
 RETURNS SETOF report_answer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT (answer_with('done', report)).* FROM user_report AS report WHERE id = of_report
$function$
;

CREATE OR REPLACE FUNCTION public.free_create_key(of_account text, of_subject text, of_kind text, with_key text)
 RETURNS void
 LANGUAGE sql
AS $function$
  DELETE FROM create_key
  WHERE account_id = of_account AND subject = of_subject AND kind = of_kind AND key = with_key
$function$
;

CREATE OR REPLACE FUNCTION public.has_uploads(of_account text, wanted uuid[])
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT NOT EXISTS (SELECT unnest(wanted)
    EXCEPT SELECT id FROM chart_upload WHERE account_id = of_account AND state <> 'deleting')
$function$
;

CREATE OR REPLACE FUNCTION public.hold_writes(of_account text)
 RETURNS void
 LANGUAGE sql
AS $function$
  SELECT pg_advisory_xact_lock(401, hashtext(of_account))
$function$
;

CREATE OR REPLACE FUNCTION public.insert_style(now_ms bigint, of_account text, of_subject text, with_key text, body_sha256 text, new_id uuid, style_name text, from_theme text, with_parameters jsonb, most integer)
 RETURNS creation
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.issue_token(by_actor text, this_act text, token api_token, more jsonb)
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
$function$
;

CREATE OR REPLACE FUNCTION public.keep_style_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO saved_style_version VALUES (OLD.id, OLD.updated_at, OLD.base_theme, OLD.parameters);
  DELETE FROM saved_style_version WHERE style_id = OLD.id AND saved_at NOT IN (
    SELECT kept.saved_at FROM saved_style_version AS kept WHERE kept.style_id = OLD.id
    ORDER BY kept.saved_at DESC LIMIT 10);
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION public.list_reports(now_ms bigint, lows double precision[], highs double precision[], wests double precision[], easts double precision[], kinds text[], south double precision, north double precision, since bigint, before_time bigint, before_id uuid, most integer, with_past boolean)
 RETURNS SETOF report_answer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$#variable_conflict use_column
      BEGIN IF with_past THEN RETURN QUERY
    SELECT (answer_with('done', found.report)).*
    FROM (SELECT * FROM active_on_stretch(0, lows[1], highs[1], kinds, wests[1], south, easts[1], north, since,
        before_time, before_id) UNION ALL SELECT * FROM active_on_stretch(0, lows[2], highs[2], kinds, wests[2], south, easts[2], north, since,
        before_time, before_id) UNION ALL SELECT * FROM active_on_stretch(0, lows[3], highs[3], kinds, wests[3], south, easts[3], north, since,
        before_time, before_id) UNION ALL SELECT * FROM active_on_stretch(0, lows[4], highs[4], kinds, wests[4], south, easts[4], north, since,
        before_time, before_id) UNION ALL SELECT * FROM active_on_stretch(0, lows[5], highs[5], kinds, wests[5], south, easts[5], north, since,
        before_time, before_id) UNION ALL SELECT * FROM active_on_stretch(0, lows[6], highs[6], kinds, wests[6], south, easts[6], north, since,
        before_time, before_id) UNION ALL SELECT * FROM active_on_stretch(0, lows[7], highs[7], kinds, wests[7], south, easts[7], north, since,
        before_time, before_id) UNION ALL SELECT * FROM active_on_stretch(0, lows[8], highs[8], kinds, wests[8], south, easts[8], north, since,
        before_time, before_id) UNION ALL SELECT * FROM past_on_stretch( lows[1], highs[1], kinds, wests[1], south, easts[1], north, since,
        before_time, before_id) UNION ALL SELECT * FROM past_on_stretch( lows[2], highs[2], kinds, wests[2], south, easts[2], north, since,
        before_time, before_id) UNION ALL SELECT * FROM past_on_stretch( lows[3], highs[3], kinds, wests[3], south, easts[3], north, since,
        before_time, before_id) UNION ALL SELECT * FROM past_on_stretch( lows[4], highs[4], kinds, wests[4], south, easts[4], north, since,
        before_time, before_id) UNION ALL SELECT * FROM past_on_stretch( lows[5], highs[5], kinds, wests[5], south, easts[5], north, since,
        before_time, before_id) UNION ALL SELECT * FROM past_on_stretch( lows[6], highs[6], kinds, wests[6], south, easts[6], north, since,
        before_time, before_id) UNION ALL SELECT * FROM past_on_stretch( lows[7], highs[7], kinds, wests[7], south, easts[7], north, since,
        before_time, before_id) UNION ALL SELECT * FROM past_on_stretch( lows[8], highs[8], kinds, wests[8], south, easts[8], north, since,
        before_time, before_id)) AS found ORDER BY ahead, found.created_at DESC, found.id DESC LIMIT most; ELSE RETURN QUERY
    SELECT (answer_with('done', found.report)).*
    FROM (SELECT * FROM active_on_stretch(now_ms, lows[1], highs[1], kinds, wests[1], south, easts[1], north, since,
        before_time, before_id) UNION ALL SELECT * FROM active_on_stretch(now_ms, lows[2], highs[2], kinds, wests[2], south, easts[2], north, since,
        before_time, before_id) UNION ALL SELECT * FROM active_on_stretch(now_ms, lows[3], highs[3], kinds, wests[3], south, easts[3], north, since,
        before_time, before_id) UNION ALL SELECT * FROM active_on_stretch(now_ms, lows[4], highs[4], kinds, wests[4], south, easts[4], north, since,
        before_time, before_id) UNION ALL SELECT * FROM active_on_stretch(now_ms, lows[5], highs[5], kinds, wests[5], south, easts[5], north, since,
        before_time, before_id) UNION ALL SELECT * FROM active_on_stretch(now_ms, lows[6], highs[6], kinds, wests[6], south, easts[6], north, since,
        before_time, before_id) UNION ALL SELECT * FROM active_on_stretch(now_ms, lows[7], highs[7], kinds, wests[7], south, easts[7], north, since,
        before_time, before_id) UNION ALL SELECT * FROM active_on_stretch(now_ms, lows[8], highs[8], kinds, wests[8], south, easts[8], north, since,
        before_time, before_id)) AS found ORDER BY ahead, found.created_at DESC, found.id DESC LIMIT most; END IF; END$function$
;

CREATE OR REPLACE FUNCTION public.member_to_change(who portal_user, of_user text)
 RETURNS portal_user
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  found_user portal_user;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('team ' || one.account_id, 0)) FROM portal_user AS one
    WHERE id = of_user AND (account_id = who.account_id OR who.role = 'administrator');
  SELECT * INTO found_user FROM portal_user
    WHERE id = of_user AND (account_id = who.account_id OR who.role = 'administrator') FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('user_unknown'); END IF;
  IF found_user.role = 'administrator' AND who.role <> 'administrator' THEN
    PERFORM refuse('team_role_missing');
  END IF;
  RETURN found_user;
END
$function$
;

CREATE OR REPLACE FUNCTION public.moderated_account(who portal_user)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE WHEN who.role <> 'administrator' THEN who.account_id END
$function$
;

CREATE OR REPLACE FUNCTION public.now_ms()
 RETURNS bigint
 LANGUAGE sql
AS $function$
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
$function$
;

CREATE OR REPLACE FUNCTION public.own_deleted(deleted_of text, caller_account text, caller_subject text, kinds text[], wests double precision[], south double precision, easts double precision[], north double precision, since bigint)
 RETURNS TABLE(ahead double precision, created_at bigint, id uuid, report user_report)
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT point(place, one.created_at / 1000) <-> point(0, 8e15), one.created_at, one.id, one
  FROM user_report AS one
  WHERE deleted_of = 'own' AND account_id = caller_account AND owner_subject = caller_subject
    AND deleted_at IS NOT NULL AND report_type = ANY (kinds)
    AND latitude BETWEEN south AND north AND one.created_at >= since
    -- A box across 180 degrees is two: the first stretches are of one, the last of the other.
    AND (longitude BETWEEN wests[1] AND easts[1]
      OR longitude BETWEEN wests[cardinality(wests)] AND easts[cardinality(easts)])
$function$
;

CREATE OR REPLACE FUNCTION public.page_reports(now_ms bigint, lows double precision[], highs double precision[], wests double precision[], easts double precision[], kinds text[], south double precision, north double precision, since bigint, with_expired boolean, deleted_of text, caller_account text, caller_subject text, skip bigint, most integer)
 RETURNS SETOF report_answer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$#variable_conflict use_column
      BEGIN
        IF with_expired OR deleted_of = 'all' THEN RETURN QUERY
    SELECT (answer_with('done', found.report)).*
    FROM ((SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[1], highs[1], kinds, wests[1], south, easts[1], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[2], highs[2], kinds, wests[2], south, easts[2], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[3], highs[3], kinds, wests[3], south, easts[3], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[4], highs[4], kinds, wests[4], south, easts[4], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[5], highs[5], kinds, wests[5], south, easts[5], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[6], highs[6], kinds, wests[6], south, easts[6], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[7], highs[7], kinds, wests[7], south, easts[7], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[8], highs[8], kinds, wests[8], south, easts[8], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM past_on_stretch( lows[1], highs[1], kinds, wests[1], south, easts[1], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') WHERE CASE WHEN (report).deleted_at IS NULL THEN with_expired
      ELSE deleted_of = 'all' END ORDER BY 1, 2 DESC, 3 DESC) UNION ALL (SELECT * FROM past_on_stretch( lows[2], highs[2], kinds, wests[2], south, easts[2], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') WHERE CASE WHEN (report).deleted_at IS NULL THEN with_expired
      ELSE deleted_of = 'all' END ORDER BY 1, 2 DESC, 3 DESC) UNION ALL (SELECT * FROM past_on_stretch( lows[3], highs[3], kinds, wests[3], south, easts[3], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') WHERE CASE WHEN (report).deleted_at IS NULL THEN with_expired
      ELSE deleted_of = 'all' END ORDER BY 1, 2 DESC, 3 DESC) UNION ALL (SELECT * FROM past_on_stretch( lows[4], highs[4], kinds, wests[4], south, easts[4], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') WHERE CASE WHEN (report).deleted_at IS NULL THEN with_expired
      ELSE deleted_of = 'all' END ORDER BY 1, 2 DESC, 3 DESC) UNION ALL (SELECT * FROM past_on_stretch( lows[5], highs[5], kinds, wests[5], south, easts[5], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') WHERE CASE WHEN (report).deleted_at IS NULL THEN with_expired
      ELSE deleted_of = 'all' END ORDER BY 1, 2 DESC, 3 DESC) UNION ALL (SELECT * FROM past_on_stretch( lows[6], highs[6], kinds, wests[6], south, easts[6], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') WHERE CASE WHEN (report).deleted_at IS NULL THEN with_expired
      ELSE deleted_of = 'all' END ORDER BY 1, 2 DESC, 3 DESC) UNION ALL (SELECT * FROM past_on_stretch( lows[7], highs[7], kinds, wests[7], south, easts[7], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') WHERE CASE WHEN (report).deleted_at IS NULL THEN with_expired
      ELSE deleted_of = 'all' END ORDER BY 1, 2 DESC, 3 DESC) UNION ALL (SELECT * FROM past_on_stretch( lows[8], highs[8], kinds, wests[8], south, easts[8], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') WHERE CASE WHEN (report).deleted_at IS NULL THEN with_expired
      ELSE deleted_of = 'all' END ORDER BY 1, 2 DESC, 3 DESC) UNION ALL (SELECT * FROM own_deleted(
    deleted_of, caller_account, caller_subject, kinds, wests, south, easts, north, since)
    ORDER BY 1, 2 DESC, 3 DESC)) AS found ORDER BY ahead, found.created_at DESC, found.id DESC
    OFFSET skip LIMIT most;
        ELSIF deleted_of = 'own' THEN RETURN QUERY
    SELECT (answer_with('done', found.report)).*
    FROM ((SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[1], highs[1], kinds, wests[1], south, easts[1], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[2], highs[2], kinds, wests[2], south, easts[2], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[3], highs[3], kinds, wests[3], south, easts[3], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[4], highs[4], kinds, wests[4], south, easts[4], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[5], highs[5], kinds, wests[5], south, easts[5], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[6], highs[6], kinds, wests[6], south, easts[6], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[7], highs[7], kinds, wests[7], south, easts[7], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[8], highs[8], kinds, wests[8], south, easts[8], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM own_deleted(
    deleted_of, caller_account, caller_subject, kinds, wests, south, easts, north, since)
    ORDER BY 1, 2 DESC, 3 DESC)) AS found ORDER BY ahead, found.created_at DESC, found.id DESC
    OFFSET skip LIMIT most;
        ELSE RETURN QUERY
    SELECT (answer_with('done', found.report)).*
    FROM ((SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[1], highs[1], kinds, wests[1], south, easts[1], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[2], highs[2], kinds, wests[2], south, easts[2], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[3], highs[3], kinds, wests[3], south, easts[3], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[4], highs[4], kinds, wests[4], south, easts[4], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[5], highs[5], kinds, wests[5], south, easts[5], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[6], highs[6], kinds, wests[6], south, easts[6], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[7], highs[7], kinds, wests[7], south, easts[7], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ) UNION ALL (SELECT * FROM active_on_stretch(CASE WHEN with_expired THEN 0 ELSE now_ms END, lows[8], highs[8], kinds, wests[8], south, easts[8], north, since,
        4000000000000, 'ffffffff-ffff-ffff-ffff-ffffffffffff') )) AS found ORDER BY ahead, found.created_at DESC, found.id DESC
    OFFSET skip LIMIT most; END IF;
      END$function$
;

CREATE OR REPLACE FUNCTION public.past_on_stretch(low double precision, high double precision, kinds text[], west double precision, south double precision, east double precision, north double precision, since bigint, before_time bigint, before_id uuid)
 RETURNS TABLE(ahead double precision, created_at bigint, id uuid, report user_report)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT point(place, one.created_at / 1000) <-> point(0, 8e15), one.created_at, one.id, one
  FROM user_report AS one
  WHERE (deleted_at IS NOT NULL OR expired_at IS NOT NULL)
    AND point(place, one.created_at / 1000)
      <@ box(point(low, since / 1000), point(high, before_time / 1000))
    AND point(longitude, latitude) <@ box(point(west, south), point(east, north))
    AND report_type = ANY (kinds) AND latitude BETWEEN south AND north
    AND longitude BETWEEN west AND east
    AND one.created_at >= since AND (one.created_at, one.id) < (before_time, before_id)
  ORDER BY 1, 2 DESC, 3 DESC
$function$
;

CREATE OR REPLACE FUNCTION public.person_blocks(of_account text, of_subject text, of_user text)
 RETURNS SETOF report_block
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT * FROM report_block WHERE account_id = of_account AND CASE
    WHEN of_user IS NOT NULL THEN kind <> 'subject' AND name = of_user
    WHEN of_subject IS NOT NULL THEN CASE kind WHEN 'user' THEN 'user:' || name WHEN 'subject' THEN name END = of_subject
    ELSE true END
$function$
;

CREATE OR REPLACE FUNCTION public.person_token_hashes(of_account text, of_subject text, of_user text)
 RETURNS text[]
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT coalesce(array_agg(token_hash), '{}') FROM api_token
  WHERE account_id = of_account AND of_user IS NULL AND token_hash IS NOT NULL
    AND (of_subject IS NULL OR subject = of_subject)
$function$
;

CREATE OR REPLACE FUNCTION public.person_traces(of_account text, of_subject text, of_user text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
BEGIN
  RETURN jsonb_build_object(
    'reports', (SELECT count(*) FROM user_report WHERE account_id = of_account
      AND (of_subject IS NULL OR owner_subject = of_subject)
      AND (of_user IS NULL OR external_user_id = of_user
        OR of_subject IS NULL AND owner_subject = 'user:' || of_user)),
    'votes', (SELECT count(*) FROM report_vote WHERE account_id = of_account
      AND (of_subject IS NULL OR subject = of_subject)
      AND (of_user IS NULL OR external_user_id = of_user
        OR of_subject IS NULL AND subject = 'user:' || of_user)),
    'tracks', (SELECT count(*) FROM track WHERE about_id IN (
      SELECT id FROM track_about WHERE account_id = of_account
        AND (of_subject IS NULL OR subject = of_subject)
        AND (of_user IS NULL OR external_user_id = of_user
          OR of_subject IS NULL AND subject = 'user:' || of_user))),
    'tokens', (SELECT count(*) FROM api_token WHERE account_id = of_account AND of_user IS NULL
      AND (of_subject IS NULL OR subject = of_subject)),
    'styles', (SELECT count(*) FROM saved_style WHERE account_id = of_account
      AND of_subject IS NULL AND of_user IS NULL),
    'blocks', (SELECT count(*) FROM person_blocks(of_account, of_subject, of_user)),
    'users', (SELECT count(*) FROM portal_user WHERE account_id = of_account AND of_user IS NULL
      AND (of_subject IS NULL OR 'member:' || id = of_subject)));
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_add_passkey(of_session text, new_id text, new_name text, new_credential text, new_key text, new_counter bigint, new_transports text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_member(of_session, 'member');
BEGIN
  -- A retry after a lost response.
  PERFORM 1 FROM portal_passkey WHERE id = new_id AND user_id = who.id;
  IF FOUND THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('passkeys ' || who.id, 0));
  IF (SELECT count(*) FROM portal_passkey WHERE user_id = who.id) >= 20 THEN
    PERFORM refuse('passkeys_full');
  END IF;
  INSERT INTO portal_passkey (id, user_id, name, credential_id, public_key, counter, transports)
    VALUES (new_id, who.id, new_name, new_credential, new_key, new_counter, new_transports)
    ON CONFLICT (credential_id) DO NOTHING;
  IF NOT FOUND THEN PERFORM refuse('passkey_exists'); END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'passkey add',
    who.account_id, jsonb_build_object('userId', who.id, 'passkeyId', new_id));
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_block_author(of_session text, of_report uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who constant portal_user := require_member(of_session, 'moderator');
  found_report user_report := report_to_moderate(who, of_report);
  made bigint;
BEGIN
  PERFORM hold_writes(found_report.account_id);
  found_report := report_to_moderate(who, of_report);
  -- Its author is not known any more.
  IF found_report.erased_at IS NOT NULL THEN PERFORM refuse('report_over'); END IF;
  INSERT INTO report_block (account_id, kind, name) VALUES (found_report.account_id,
    CASE WHEN found_report.external_user_id <> '' THEN CASE WHEN found_report.user_is_stated THEN 'stated' ELSE 'user' END ELSE 'subject' END,
    coalesce(nullif(found_report.external_user_id, ''), found_report.owner_subject))
    ON CONFLICT DO NOTHING RETURNING id INTO made;
  IF made IS NULL THEN RETURN; END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'report block',
    found_report.account_id, jsonb_build_object('report', of_report, 'block', made));
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_change_account(of_session text, of_account text, new_plan text, new_pilot boolean, new_admin boolean, suspends boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_member(of_session, 'administrator');
BEGIN
  IF suspends AND of_account = who.account_id THEN PERFORM refuse('own_account'); END IF;
  IF suspends IS NOT NULL THEN
    PERFORM suspend_account('user:' || who.id, of_account, suspends);
  END IF;
  IF coalesce(new_plan, new_pilot::text, new_admin::text) IS NOT NULL THEN
    PERFORM change_account('user:' || who.id, of_account, new_plan, new_pilot, new_admin, NULL);
  END IF;
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_change_member(of_session text, of_user text, new_role text, new_suspended boolean DEFAULT NULL::boolean)
 RETURNS SETOF portal_user
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  IF new_role NOT IN ('member', 'moderator', 'owner') THEN PERFORM refuse('team_role_missing'); END IF;
  IF new_suspended AND known.id = who.id THEN PERFORM refuse('own_user'); END IF;
  IF known.role <> new_role THEN
    PERFORM require_other_owner(known);
    UPDATE portal_user SET role = new_role,
      updated_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint WHERE id = of_user;
    INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user change',
      known.account_id, jsonb_build_object('userId', of_user, 'role', new_role));
  END IF;
  IF new_suspended IS NOT NULL THEN
    PERFORM suspend_user('user:' || who.id, of_user, new_suspended);
  END IF;
  RETURN QUERY SELECT * FROM portal_user WHERE id = of_user;
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_change_style(now_ms bigint, of_session text, of_style uuid, new_name text, new_theme text, new_parameters jsonb)
 RETURNS SETOF saved_style
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.portal_change_token(of_session text, token_id text, new_note text, new_origins text[])
 RETURNS SETOF api_token
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_token_member(of_session, token_id);
BEGIN
  RETURN NEXT change_token('user:' || who.id, token_id, new_note, new_origins);
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_count_person(of_session text, of_account text, of_subject text, of_user text)
 RETURNS TABLE(traces jsonb, hashes text[])
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM require_eraser(of_session, of_account, of_subject, of_user);
  RETURN QUERY SELECT person_traces(of_account, of_subject, of_user),
    person_token_hashes(of_account, of_subject, of_user);
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_create_account(of_session text, new_id text, new_plan text, new_pilot boolean, new_admin boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.portal_create_style(now_ms bigint, of_session text, with_key text, body_sha256 text, new_id uuid, style_name text, from_theme text, with_parameters jsonb, most integer)
 RETURNS creation
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.portal_default_share(of_session text, new_share text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_member(of_session, CASE WHEN new_share IS NULL THEN 'member' ELSE 'owner' END);
BEGIN
  IF new_share IS NOT NULL THEN
    UPDATE account SET share = new_share WHERE id = who.account_id;
    INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'account share',
      who.account_id, jsonb_build_object('share', new_share));
  END IF;
  RETURN (SELECT share FROM account WHERE id = who.account_id);
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_delete_report(of_session text, now_ms bigint, of_report uuid, deletes boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who constant portal_user := require_member(of_session, 'moderator');
  found_report user_report := report_to_moderate(who, of_report);
BEGIN
  SELECT * INTO found_report FROM user_report WHERE id = of_report FOR NO KEY UPDATE;
  -- Also a retry after a lost response.
  IF (found_report.deleted_at IS NOT NULL) = deletes THEN RETURN; END IF;
  IF NOT deletes AND (found_report.erased_at IS NOT NULL OR found_report.expired_at IS NOT NULL
    OR found_report.expires_at <= now_ms)
  THEN PERFORM refuse('report_over'); END IF;
  UPDATE user_report SET deleted_at = CASE WHEN deletes THEN greatest(now_ms, created_at) END
    WHERE id = of_report;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id,
    CASE WHEN deletes THEN 'report delete' ELSE 'report restore' END, found_report.account_id,
    jsonb_build_object('report', of_report));
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_delete_style(of_session text, of_style uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_style_member(of_session);
BEGIN
  DELETE FROM saved_style WHERE id = of_style AND account_id = who.account_id;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'style delete',
    who.account_id, jsonb_build_object('styleId', of_style));
  RETURN NEXT of_style;
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_delete_track(of_session text, of_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_member(of_session, 'moderator');
  known record;
BEGIN
  SELECT subject, point_count INTO known FROM track WHERE account_id = who.account_id AND id = of_id;
  IF NOT FOUND OR NOT remove_track(who.account_id, known.subject, of_id) THEN
    PERFORM refuse('track_unknown');
  END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'track delete',
    who.account_id, jsonb_build_object('trackId', of_id, 'points', known.point_count));
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_erase_person(of_session text, of_account text, of_subject text, of_user text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_eraser(of_session, of_account, of_subject, of_user);
BEGIN
  PERFORM erase_person('user:' || who.id, of_account, of_subject, of_user);
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_find_report(of_session text, of_report uuid, most integer)
 RETURNS TABLE(block bigint, report user_report, votes json)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who constant portal_user := require_member(of_session, 'moderator');
  own constant text := moderated_account(who);
  found_report constant user_report := report_to_moderate(who, of_report);
BEGIN
  RETURN QUERY SELECT
    block_of(found_report.account_id, found_report.owner_subject, found_report.external_user_id, found_report.user_is_stated),
    found_report, (
      SELECT coalesce(json_agg(latest), '[]') FROM (
        SELECT value, updated_at,
          CASE WHEN account_id = coalesce(own, account_id) THEN subject END AS subject,
          CASE WHEN account_id = coalesce(own, account_id) THEN nullif(external_user_id, '') END
            AS external_user_id
        FROM (SELECT * FROM report_vote WHERE report_id = of_report
          ORDER BY updated_at DESC LIMIT most) AS one
        ORDER BY updated_at DESC
      ) AS latest
    );
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_invite(of_session text, new_id text, new_email text, new_role text)
 RETURNS SETOF portal_user
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_team_owner(of_session);
  made portal_user;
BEGIN
  -- A retry after a lost response.
  SELECT * INTO made FROM portal_user WHERE id = new_id AND account_id = who.account_id;
  IF FOUND THEN RETURN NEXT made; RETURN; END IF;
  IF new_role NOT IN ('member', 'moderator', 'owner') THEN PERFORM refuse('team_role_missing'); END IF;
  IF (SELECT count(*) FROM portal_user WHERE account_id = who.account_id) >= 1000 THEN
    PERFORM refuse('team_full');
  END IF;
  INSERT INTO portal_user (id, account_id, role, email)
    VALUES (new_id, who.account_id, new_role, new_email) ON CONFLICT (email) DO NOTHING
    RETURNING * INTO made;
  IF NOT FOUND THEN PERFORM refuse('user_exists'); END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user create',
    who.account_id, jsonb_build_object('userId', new_id, 'role', new_role));
  RETURN NEXT made;
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_invite_owner(of_session text, of_account text, new_id text, new_email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.portal_issue_token(of_session text, new_id text, new_hash text, new_kind text, new_scopes text[], new_origins text[], new_note text, issued bigint, expires bigint)
 RETURNS SETOF api_token
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_member(of_session, role_for_token(new_scopes, false));
  token api_token;
BEGIN
  -- A retry after a lost response.
  SELECT * INTO token FROM api_token WHERE id = new_id AND account_id = who.account_id;
  IF FOUND THEN RETURN NEXT token; RETURN; END IF;
  token.id := new_id;
  token.account_id := who.account_id;
  token.subject := 'member:' || who.id;
  token.kind := new_kind;
  token.scopes := new_scopes;
  token.origins := new_origins;
  token.votes_for_users := false;
  token.note := new_note;
  token.issued_at := issued;
  token.expires_at := expires;
  token.token_hash := new_hash;
  RETURN NEXT issue_token('user:' || who.id, 'token mint', token, '{}');
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_list_accounts(of_session text, only_id text, after_id text, most integer)
 RETURNS TABLE(listed account, users bigint, tokens bigint, requests bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  PERFORM require_member(of_session, 'administrator');
  RETURN QUERY
  -- First the page, so that only its accounts are counted.
  WITH page AS MATERIALIZED (
    SELECT one.id FROM account AS one
    WHERE (only_id IS NULL OR one.id = only_id) AND (after_id IS NULL OR one.id > after_id)
    ORDER BY one.id LIMIT most
  )
  SELECT one,
    (SELECT count(*) FROM (
      SELECT 1 FROM portal_user WHERE account_id = one.id LIMIT 10000) AS counted),
    (SELECT count(*) FROM (
      SELECT 1 FROM api_token WHERE account_id = one.id AND revoked_at IS NULL
        AND coalesce(expires_at > extract(epoch FROM now()) * 1000, true) LIMIT 10000) AS counted),
    (SELECT coalesce(sum(used.requests), 0)::bigint FROM token_usage AS used
      WHERE used.account_id = one.id AND day > (now() AT TIME ZONE 'UTC')::date - 30)
  FROM page JOIN account AS one ON one.id = page.id ORDER BY one.id;
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_list_acts(of_session text, of_account text, by_actor text, of_act text, before_id bigint, most integer)
 RETURNS SETOF admin_act
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
BEGIN
  PERFORM require_member(of_session, 'administrator');
  RETURN QUERY SELECT one.* FROM admin_act AS one
    WHERE (of_account IS NULL OR one.account_id = of_account)
      AND (by_actor IS NULL OR one.actor = by_actor)
      AND (of_act IS NULL OR one.act = of_act)
      AND (before_id IS NULL OR one.id < before_id)
    ORDER BY one.id DESC LIMIT most;
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_list_blocks(of_session text, before_id bigint, most integer)
 RETURNS SETOF report_block
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  who constant portal_user := require_member(of_session, 'moderator');
  own constant text := moderated_account(who);
BEGIN
  RETURN QUERY SELECT * FROM report_block
    WHERE (own IS NULL OR account_id = own) AND (before_id IS NULL OR id < before_id)
    ORDER BY id DESC LIMIT most;
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_list_members(of_session text, only_id text, after_address text, most integer, of_all boolean DEFAULT false, of_account text DEFAULT NULL::text, beginning text DEFAULT NULL::text)
 RETURNS TABLE(member portal_user, has_password boolean, last_seen bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  who portal_user := require_member(of_session, CASE WHEN of_all THEN 'administrator' ELSE 'owner' END);
  only_account constant text := CASE WHEN of_all OR (only_id IS NOT NULL AND who.role = 'administrator')
    THEN of_account ELSE who.account_id END;
BEGIN
  RETURN QUERY
  WITH page AS MATERIALIZED (
    SELECT one FROM portal_user AS one
    WHERE (only_account IS NULL OR one.account_id = only_account) AND (only_id IS NULL OR one.id = only_id)
      AND (beginning IS NULL OR begins_with(one.email, beginning))
      AND (after_address IS NULL OR one.email COLLATE "C" > after_address)
    ORDER BY one.email COLLATE "C" LIMIT most
  )
  SELECT page.one,
    EXISTS (SELECT 1 FROM portal_credential AS key
      WHERE key.user_id = (page.one).id AND password IS NOT NULL),
    (SELECT max(seen.updated_at) FROM portal_session AS seen WHERE seen.user_id = (page.one).id)
  FROM page ORDER BY (page.one).email COLLATE "C";
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_list_reports(of_session text, now_ms bigint, of_account text, of_kind text, in_state text, since bigint, until bigint, with_text text, before_id uuid, most integer)
 RETURNS TABLE(matches boolean, block bigint, report user_report)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  who constant portal_user := require_member(of_session, 'moderator');
  listed constant text := coalesce(moderated_account(who), of_account);
  needle constant text := lower(substr(to_json(with_text)::text, 2, length(to_json(with_text)::text) - 2));
  before_time bigint;
BEGIN
  IF of_account <> listed THEN RETURN; END IF;
  SELECT created_at INTO before_time FROM user_report
    WHERE id = before_id AND account_id = coalesce(listed, account_id);
  RETURN QUERY
  SELECT page.matches, block_of((page.one).account_id, (page.one).owner_subject, (page.one).external_user_id, (page.one).user_is_stated),
    page.one
  FROM (
    SELECT examined.one, examined.created_at, examined.id,
      row_number() OVER (ORDER BY examined.created_at DESC, examined.id DESC) AS number, (
      (of_kind IS NULL OR examined.report_type = of_kind)
      AND (in_state IS NULL OR in_state = CASE WHEN examined.deleted_at IS NOT NULL THEN 'deleted'
        WHEN examined.expired_at IS NOT NULL OR examined.expires_at <= now_ms THEN 'expired'
        ELSE 'active' END)
      AND (with_text IS NULL OR position(needle IN lower(concat_ws(chr(10),
        examined.properties, to_json(examined.external_user_id), examined.owner_subject))) > 0)
    ) AS matches
    FROM (
      SELECT one, one.* FROM user_report AS one
      WHERE (listed IS NULL OR one.account_id = listed)
        AND one.created_at >= coalesce(since, 0) AND one.created_at < coalesce(until, 9007199254740991)
        AND (before_time IS NULL OR (one.created_at, one.id) < (before_time, before_id))
      ORDER BY one.created_at DESC, one.id DESC LIMIT 10000
    ) AS examined
  ) AS page
  WHERE page.matches OR page.number = 10000
  ORDER BY page.created_at DESC, page.id DESC LIMIT most;
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_list_tokens(of_session text, only_id text, with_ended boolean, before_id text, most integer, of_all boolean DEFAULT false, of_account text DEFAULT NULL::text, searched text DEFAULT NULL::text)
 RETURNS TABLE(token api_token, user_id text, user_email text, standing text, last_used_on date, requests bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  who portal_user := require_member(of_session, CASE WHEN of_all THEN 'administrator' ELSE 'member' END);
  only_account constant text := CASE WHEN of_all OR (only_id IS NOT NULL AND who.role = 'administrator')
    THEN of_account ELSE who.account_id END;
  before_time bigint := 9007199254740991;
  now_ms constant bigint := extract(epoch FROM clock_timestamp()) * 1000;
  month_ago constant date := (now() AT TIME ZONE 'UTC')::date - 30;
BEGIN
  SELECT issued_at INTO before_time FROM api_token
    WHERE id = before_id AND (only_account IS NULL OR account_id = only_account);
  RETURN QUERY
  WITH page AS MATERIALIZED (
    SELECT one FROM api_token AS one
    WHERE (only_account IS NULL OR one.account_id = only_account) AND (only_id IS NULL OR one.id = only_id)
      AND (searched IS NULL OR one.id = searched OR begins_with(lower(one.note), lower(searched)))
      AND (before_id IS NULL OR (one.issued_at, one.id) < (before_time, before_id))
      AND (with_ended OR (coalesce(one.revoked_at > now_ms, true) AND coalesce(one.expires_at > now_ms, true)))
    ORDER BY one.issued_at DESC, one.id DESC LIMIT most
  )
  SELECT (page.one), creator.id, creator.email,
    CASE WHEN (page.one).revoked_at <= now_ms THEN 'revoked'
      WHEN (page.one).expires_at <= now_ms THEN 'expired'
      ELSE token_standing((page.one).id, (page.one).account_id, (page.one).generation) END,
    (SELECT max(day) FROM token_usage WHERE token_usage.token_id = (page.one).id),
    (SELECT coalesce(sum(used.requests), 0)::bigint FROM token_usage AS used
      WHERE used.token_id = (page.one).id AND day > month_ago)
  FROM page LEFT JOIN LATERAL (
    SELECT known.id, known.email FROM portal_user AS known
    WHERE (page.one).subject LIKE 'member:%' AND known.id = substr((page.one).subject, 8)
      AND known.account_id = (page.one).account_id
  ) AS creator ON true
  ORDER BY (page.one).issued_at DESC, (page.one).id DESC;
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_list_tracks(of_session text, before_id uuid, most integer, most_points integer)
 RETURNS TABLE(listed jsonb, packed text, is_last boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  who portal_user := require_member(of_session, 'member');
BEGIN
  RETURN QUERY
  WITH page AS MATERIALIZED (
    SELECT one.subject, one.id, one.about_id, one.point_count, one.start_time, one.end_time, one.share
    FROM track AS one
    WHERE one.account_id = who.account_id AND (before_id IS NULL OR one.id < before_id)
    ORDER BY one.id DESC LIMIT most + 1
  ), counted AS (
    SELECT page.*, row_number() OVER newest AS place, count(*) OVER () AS places,
      sum(page.point_count) OVER newest AS so_far
    FROM page WINDOW newest AS (ORDER BY page.id DESC)
  )
  SELECT jsonb_build_object('id', counted.id, 'subject', counted.subject,
      'platform', coalesce(nullif(about.platform ->> 'name', ''), nullif(about.platform_uid, '')),
      'externalUserId', nullif(about.external_user_id, ''), 'pointCount', counted.point_count,
      'startTime', counted.start_time, 'endTime', counted.end_time, 'share', counted.share),
    encode(whole.points || coalesce((
      SELECT string_agg(chunk.points, ''::bytea ORDER BY chunk.seq) FROM track_chunk AS chunk
      WHERE chunk.account_id = who.account_id AND chunk.subject = counted.subject
        AND chunk.track_id = counted.id), ''::bytea), 'base64'),
    counted.place = counted.places
  FROM counted JOIN track_about AS about ON about.id = counted.about_id
  JOIN track AS whole ON whole.account_id = who.account_id AND whole.subject = counted.subject
    AND whole.id = counted.id
  WHERE counted.place <= most AND (counted.place = 1 OR counted.so_far <= most_points)
  ORDER BY counted.id DESC;
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_remove_member(of_session text, of_user text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  PERFORM require_other_owner(known);
  DELETE FROM portal_verification WHERE value::jsonb ->> 'email' = known.email;
  DELETE FROM portal_user WHERE id = of_user;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user remove',
    known.account_id, jsonb_build_object('userId', of_user));
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_remove_passkey(of_session text, of_passkey text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.portal_replace_token(of_session text, old_id text, grace_ms bigint, new_id text, new_hash text, issued bigint)
 RETURNS SETOF api_token
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_token_member(of_session, old_id);
  token api_token;
BEGIN
  SELECT * INTO token FROM api_token WHERE id = new_id AND token_hash = new_hash;
  IF FOUND THEN RETURN NEXT token; RETURN; END IF;
  RETURN NEXT replace_token('user:' || who.id, old_id, grace_ms, new_id, new_hash, NULL, issued);
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_require_administrator(of_session text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM require_member(of_session, 'administrator');
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_reset_member(of_session text, of_user text)
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
$function$
;

CREATE OR REPLACE FUNCTION public.portal_revoke_token(of_session text, token_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_token_member(of_session, token_id);
BEGIN
  PERFORM revoke_token('user:' || who.id, token_id);
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_share_tracks(of_session text, of_user text, of_id uuid, new_share text, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_member(of_session, 'moderator');
  changed integer := set_track_share(who.account_id, NULL, of_user, of_id, new_share, most);
BEGIN
  IF changed > 0 THEN
    INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'track share',
      who.account_id, jsonb_build_object('share', new_share, 'tracks', changed, 'trackId', of_id));
  END IF;
  RETURN changed;
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_sign_out_member(of_session text, of_user text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_team_owner(of_session);
  known portal_user := member_to_change(who, of_user);
BEGIN
  DELETE FROM portal_session WHERE user_id = of_user AND id <> of_session;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'user sign-out',
    known.account_id, jsonb_build_object('userId', of_user));
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_unblock(of_session text, of_block bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who constant portal_user := require_member(of_session, 'moderator');
  of_account text;
BEGIN
  DELETE FROM report_block
    WHERE id = of_block AND account_id = coalesce(moderated_account(who), account_id)
    RETURNING account_id INTO of_account;
  IF NOT FOUND THEN PERFORM refuse('block_unknown'); END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES ('user:' || who.id, 'report unblock',
    of_account, jsonb_build_object('block', of_block));
END
$function$
;

CREATE OR REPLACE FUNCTION public.portal_usage(of_session text, since date, of_all boolean DEFAULT false, of_account text DEFAULT NULL::text)
 RETURNS TABLE(day date, requests bigint, refused bigint, failed bigint, kinds jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.refuse(reason text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '%', reason USING ERRCODE = 'LL409';
END
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_blocked()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM refuse('user_blocked');
END
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'what was done stays written: % on % is refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = '42501';
END
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_suspended_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  suspended bigint;
BEGIN
  SELECT suspended_at INTO suspended FROM portal_user WHERE id = NEW.user_id FOR SHARE;
  IF suspended IS NOT NULL THEN PERFORM refuse('user_suspended'); END IF;
  RETURN NEW;
END
$function$
;

CREATE OR REPLACE FUNCTION public.remove_track(of_account text, of_subject text, of_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  known_about uuid;
  is_gone boolean;
BEGIN
  SELECT about_id INTO known_about FROM track
    WHERE account_id = of_account AND subject = of_subject AND id = of_id;
  IF NOT FOUND THEN RETURN false; END IF;
  -- Of two deletions at once, the second must see that it deletes the last track.
  PERFORM pg_advisory_xact_lock(hashtextextended(known_about::text, 3));
  DELETE FROM track WHERE account_id = of_account AND subject = of_subject AND id = of_id;
  is_gone := FOUND;
  DELETE FROM track_about AS about WHERE about.id = known_about AND NOT EXISTS (
    SELECT FROM track AS other WHERE other.account_id = of_account
      AND other.subject = of_subject AND other.about_id = known_about);
  RETURN is_gone;
END
$function$
;

CREATE OR REPLACE FUNCTION public.replace_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  address constant text := NEW.value::jsonb ->> 'email';
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('link ' || address, 0));
  DELETE FROM portal_verification WHERE value::jsonb ->> 'email' = address;
  RETURN NEW;
END
$function$
;

CREATE OR REPLACE FUNCTION public.replace_token(by_actor text, old_id text, grace_ms bigint, new_id text, new_hash text, new_key text, issued bigint)
 RETURNS api_token
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  old api_token := token_to_change(old_id);
  made api_token;
BEGIN
  IF old.replaced_by IS NOT NULL THEN PERFORM refuse('token_replaced'); END IF;
  IF old.revoked_at IS NOT NULL THEN PERFORM refuse('token_revoked'); END IF;
  IF (old.token_hash IS NULL) <> (new_hash IS NULL) THEN PERFORM refuse('token_signed'); END IF;
  made := old;
  made.id := new_id;
  made.token_hash := new_hash;
  made.key_id := new_key;
  made.issued_at := issued;
  made.expires_at := issued + (old.expires_at - old.issued_at);
  made := issue_token(by_actor, 'token rotate', made, jsonb_build_object('replaces', old_id));
  UPDATE api_token SET replaced_by = new_id,
    revoked_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + grace_ms WHERE id = old_id;
  RETURN made;
END
$function$
;

CREATE OR REPLACE FUNCTION public.report_to_moderate(who portal_user, of_report uuid)
 RETURNS user_report
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  report user_report;
BEGIN
  SELECT * INTO report FROM user_report
    WHERE id = of_report AND account_id = coalesce(moderated_account(who), account_id);
  IF NOT FOUND THEN PERFORM refuse('report_unknown'); END IF;
  RETURN report;
END
$function$
;

CREATE OR REPLACE FUNCTION public.require_eraser(of_session text, of_account text, of_subject text, of_user text)
 RETURNS portal_user
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_member(of_session, 'administrator');
BEGIN
  IF of_account = who.account_id AND of_user IS NULL
    AND coalesce(of_subject = 'member:' || who.id, true) THEN PERFORM refuse('own_data'); END IF;
  RETURN who;
END
$function$
;

CREATE OR REPLACE FUNCTION public.require_member(of_session text, at_least text)
 RETURNS portal_user
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.require_other_owner(leaving portal_user)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF leaving.role IN ('owner', 'administrator') AND NOT EXISTS (
    SELECT 1 FROM portal_user
    WHERE account_id = leaving.account_id AND role IN (leaving.role, 'administrator')
      AND id <> leaving.id AND suspended_at IS NULL
  ) THEN PERFORM refuse('last_owner'); END IF;
END
$function$
;

CREATE OR REPLACE FUNCTION public.require_standing(of_token text, of_account text, of_generation integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  standing text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(401, hashtext(of_account));
  standing := token_standing(of_token, of_account, of_generation);
  IF standing <> 'good' THEN
    RAISE EXCEPTION 'the token is %', standing USING ERRCODE = 'LL401';
  END IF;
END
$function$
;

CREATE OR REPLACE FUNCTION public.require_style_member(of_session text)
 RETURNS portal_user
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.require_team_owner(of_session text)
 RETURNS portal_user
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('team ' || one.account_id, 0)) FROM portal_user AS one
    WHERE id = (SELECT user_id FROM portal_session WHERE id = of_session);
  RETURN require_member(of_session, 'owner');
END
$function$
;

CREATE OR REPLACE FUNCTION public.require_token_member(of_session text, token_id text)
 RETURNS portal_user
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  who portal_user := require_member(of_session, 'member');
  token api_token;
BEGIN
  SELECT * INTO token FROM api_token
    WHERE id = token_id AND (account_id = who.account_id OR who.role = 'administrator');
  IF NOT FOUND THEN PERFORM refuse('token_unknown'); END IF;
  RETURN require_member(of_session, role_for_token(token.scopes, token.votes_for_users));
END
$function$
;

CREATE OR REPLACE FUNCTION public.resumable_upload_of(who jsonb, of_id uuid)
 RETURNS chart_upload
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller record := chart_caller(who, 'owner');
  known chart_upload := chart_upload_of(caller.account, of_id);
BEGIN
  IF known.announced_bytes IS NULL OR known.state = 'deleting' THEN PERFORM refuse('upload_unknown'); END IF;
  IF known.is_public AND NOT caller.is_admin THEN PERFORM refuse('role_missing'); END IF;
  RETURN known;
END
$function$
;

CREATE OR REPLACE FUNCTION public.revocation_list(tolerance_ms bigint)
 RETURNS json
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms),
  revoked AS (
    SELECT id, revoked_at, revoked_at <= now_ms AS has_ended FROM api_token, clock
    WHERE revoked_at IS NOT NULL AND (expires_at IS NULL OR expires_at > now_ms - tolerance_ms)
  )
  SELECT json_build_object(
    'tokens', (SELECT coalesce(json_agg(id ORDER BY id), '[]') FROM revoked WHERE has_ended),
    'ending', (SELECT coalesce(json_object_agg(id, revoked_at), '{}') FROM revoked WHERE NOT has_ended),
    'suspended', (SELECT coalesce(json_agg(id ORDER BY id), '[]') FROM account WHERE suspended_at IS NOT NULL),
    'generations', (SELECT coalesce(json_object_agg(id, generation), '{}') FROM account WHERE generation > 0),
    'charts', (SELECT coalesce(json_agg(DISTINCT account_id ORDER BY account_id), '[]') FROM chart_upload
      WHERE NOT is_public))
$function$
;

CREATE OR REPLACE FUNCTION public.revoke_token(by_actor text, token_id text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  known api_token := token_to_change(token_id);
BEGIN
  UPDATE api_token
    SET revoked_at = least(revoked_at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    WHERE id = known.id;
  INSERT INTO admin_act (actor, act, account_id, token_id)
    VALUES (by_actor, 'token revoke', known.account_id, known.id);
END
$function$
;

CREATE OR REPLACE FUNCTION public.role_for_token(scopes text[], votes_for_users boolean)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE WHEN votes_for_users OR 'charts:write' = ANY (scopes) THEN 'owner'
    WHEN 'reports:admin' = ANY (scopes) THEN 'moderator' ELSE 'member' END
$function$
;

CREATE OR REPLACE FUNCTION public.schedule_ms(every text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE every WHEN 'day' THEN 86400000 ELSE 604800000 END::bigint
$function$
;

CREATE OR REPLACE FUNCTION public.set_track_share(of_account text, of_subject text, of_user text, of_id uuid, new_share text, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  changed integer;
BEGIN
  UPDATE track AS t SET share = new_share FROM (
    SELECT one.account_id, one.subject, one.id FROM track AS one
    JOIN track_about AS about ON about.id = one.about_id
    WHERE one.account_id = of_account AND (of_subject IS NULL OR one.subject = of_subject)
      AND (of_id IS NULL OR one.id = of_id) AND (of_user IS NULL OR about.external_user_id = of_user
        OR of_subject IS NULL AND one.subject = 'user:' || of_user)
      AND one.share <> new_share
    ORDER BY one.id LIMIT most FOR NO KEY UPDATE OF one
  ) AS due
  WHERE t.account_id = due.account_id AND t.subject = due.subject AND t.id = due.id;
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END
$function$
;

CREATE OR REPLACE FUNCTION public.share_tracks(p_token_id text, p_generation integer, p_account_id text, p_subject text, of_user text, of_id uuid, new_share text, most integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM require_standing(p_token_id, p_account_id, p_generation);
  RETURN set_track_share(p_account_id, p_subject, of_user, of_id, new_share, most);
END
$function$
;

CREATE OR REPLACE FUNCTION public.sounding_time(points bytea, at integer)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT ('x' || encode(substr(points, 32 * at + 1, 8), 'hex'))::bit(64)::bigint $function$
;

CREATE OR REPLACE FUNCTION public.start_refresh(of_account text, new_job uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  active uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('refresh', 6));
  -- Also a retry after a lost response.
  SELECT id INTO active FROM chart_job
    WHERE id = new_job OR kind = 'refresh' AND state IN ('pending', 'processing') LIMIT 1;
  IF FOUND THEN RETURN active; END IF;
  INSERT INTO chart_job (id, account_id, is_public, kind) VALUES (new_job, of_account, true, 'refresh');
  RETURN new_job;
END
$function$
;

CREATE OR REPLACE FUNCTION public.suspend_account(by_actor text, of_account text, suspends boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  known account;
BEGIN
  IF suspends THEN PERFORM hold_writes(of_account); END IF;
  known := account_to_change(of_account);
  IF NOT suspends AND known.erased_at IS NOT NULL THEN PERFORM refuse('account_gone'); END IF;
  IF (known.suspended_at IS NOT NULL) = suspends THEN RETURN false; END IF;
  UPDATE account SET suspended_at =
    CASE WHEN suspends THEN (extract(epoch FROM clock_timestamp()) * 1000)::bigint END
    WHERE id = of_account;
  INSERT INTO admin_act (actor, act, account_id) VALUES (by_actor,
    CASE WHEN suspends THEN 'account suspend' ELSE 'account resume' END, of_account);
  RETURN true;
END
$function$
;

CREATE OR REPLACE FUNCTION public.suspend_user(by_actor text, of_user text, suspends boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  known portal_user;
  now_ms constant bigint := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('team ' || one.account_id, 0)) FROM portal_user AS one
    WHERE id = of_user;
  SELECT * INTO known FROM portal_user WHERE id = of_user FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('user_unknown'); END IF;
  IF (known.suspended_at IS NOT NULL) = suspends THEN RETURN false; END IF;
  IF suspends THEN PERFORM require_other_owner(known); END IF;
  UPDATE portal_user SET suspended_at = CASE WHEN suspends THEN now_ms END, updated_at = now_ms
    WHERE id = of_user;
  IF suspends THEN DELETE FROM portal_session WHERE user_id = of_user; END IF;
  INSERT INTO admin_act (actor, act, account_id, detail) VALUES (by_actor,
    CASE WHEN suspends THEN 'user suspend' ELSE 'user resume' END,
    known.account_id, jsonb_build_object('userId', of_user));
  RETURN true;
END
$function$
;

CREATE OR REPLACE FUNCTION public.sweep_reports(now_ms bigint, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  looked_at integer;
BEGIN
  UPDATE user_report AS report SET
    expired_at = CASE WHEN due.expires_at <= now_ms THEN due.expires_at END,
    sweep_at = due.expires_at
  FROM (
    SELECT id, expires_at FROM user_report
    WHERE sweep_at <= now_ms AND deleted_at IS NULL AND expired_at IS NULL
    ORDER BY sweep_at LIMIT most FOR NO KEY UPDATE SKIP LOCKED
  ) AS due
  WHERE report.id = due.id;
  GET DIAGNOSTICS looked_at = ROW_COUNT;
  RETURN looked_at;
END
$function$
;

CREATE OR REPLACE FUNCTION public.token_standing(of_token text, of_account text, of_generation integer)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT CASE
    WHEN EXISTS (
      SELECT 1 FROM api_token
      WHERE id = of_token AND revoked_at <= extract(epoch FROM clock_timestamp()) * 1000
    ) THEN 'revoked'
    ELSE coalesce((
      SELECT CASE
        WHEN suspended_at IS NOT NULL THEN 'suspended'
        WHEN of_generation < generation THEN 'outdated'
      END
      FROM account WHERE id = of_account
    ), 'good')
  END
$function$
;

CREATE OR REPLACE FUNCTION public.token_to_change(token_id text)
 RETURNS api_token
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  found_token api_token;
BEGIN
  SELECT * INTO found_token FROM api_token WHERE id = token_id;
  IF NOT FOUND THEN PERFORM refuse('token_unknown'); END IF;
  PERFORM hold_writes(found_token.account_id);
  SELECT * INTO found_token FROM api_token WHERE id = token_id FOR UPDATE;
  RETURN found_token;
END
$function$
;

CREATE OR REPLACE FUNCTION public.use_passkey(of_passkey text, new_counter bigint)
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM refuse('account_suspended') FROM portal_passkey AS one
    JOIN portal_user ON portal_user.id = one.user_id JOIN account ON account.id = portal_user.account_id
    WHERE one.id = of_passkey AND account.suspended_at IS NOT NULL;
  RETURN QUERY UPDATE portal_passkey SET counter = new_counter,
    last_used_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
    WHERE id = of_passkey AND (counter < new_counter OR counter = 0 AND new_counter = 0)
    RETURNING user_id;
END
$function$
;

CREATE OR REPLACE FUNCTION public.work_abandoned()
 RETURNS SETOF chart_upload
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  UPDATE chart_job SET state = 'pending', attempts = 0, furthest = 0, updated_at = now_ms()
    WHERE kind = 'erase' AND state = 'failed' AND updated_at < now_ms() - 600000;
  DELETE FROM chart_upload WHERE state = 'receiving' AND updated_at < now_ms() - 86400000 RETURNING *
$function$
;

CREATE OR REPLACE FUNCTION public.work_end(of_job uuid, new_state text, with_result jsonb, with_cells jsonb, over_build text, kept text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  job chart_job;
BEGIN
  UPDATE chart_job SET state = new_state, result = with_result, updated_at = now_ms(),
    percent = CASE WHEN new_state = 'succeeded' THEN 100 ELSE percent END
    WHERE id = of_job AND state = 'processing' RETURNING * INTO job;
  IF NOT FOUND THEN RETURN; END IF;
  IF job.kind = 'upload' THEN
    UPDATE chart_upload SET cells = coalesce(with_cells, cells), updated_at = now_ms(),
      state = CASE WHEN state = 'deleting' THEN state ELSE new_state END,
      is_live = is_live OR new_state = 'succeeded' WHERE id = job.upload_id;
  ELSIF job.kind = 'delete' AND new_state = 'succeeded' THEN
    DELETE FROM chart_upload WHERE id = job.upload_id;
  END IF;
  IF new_state <> 'succeeded' OR job.is_public OR job.kind = 'erase' THEN RETURN; END IF;
  IF job.kind = 'rollback' THEN
    UPDATE chart_upload AS one SET is_live = one.id = ANY (known.uploads), updated_at = now_ms()
      FROM chart_set_build AS known
      WHERE known.account_id = job.account_id AND known.build_id = job.build_id
        AND one.account_id = job.account_id AND NOT one.is_public
        AND one.is_live <> (one.id = ANY (known.uploads));
  END IF;
  DELETE FROM chart_set WHERE account_id = job.account_id;
  IF over_build IS NOT NULL THEN INSERT INTO chart_set VALUES (job.account_id, over_build); END IF;
  IF kept IS NULL THEN RETURN; END IF;
  DELETE FROM chart_set_build WHERE account_id = job.account_id AND build_id <> ALL (kept);
  IF cardinality(kept) = 0 THEN RETURN; END IF;
  INSERT INTO chart_set_build (account_id, build_id, published_at, uploads, cells)
  SELECT job.account_id, with_result ->> 'buildId', now_ms(), coalesce(array_agg(DISTINCT one.id), '{}'),
    coalesce(array_agg(DISTINCT cell ->> 'name') FILTER (WHERE cell ->> 'outcome' <> 'refused'), '{}')
  FROM (SELECT * FROM chart_upload WHERE account_id = job.account_id AND is_live AND NOT is_public) AS one
    LEFT JOIN LATERAL jsonb_array_elements(one.cells) AS cell ON true
  ON CONFLICT (account_id, build_id) DO UPDATE SET published_at = excluded.published_at,
    uploads = excluded.uploads, cells = excluded.cells;
END
$function$
;

CREATE OR REPLACE FUNCTION public.work_jobs(of_worker text, permit text, has_producers boolean DEFAULT false)
 RETURNS SETOF chart_job
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO chart_worker VALUES (of_worker, now_ms(), permit, has_producers)
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at;
  DELETE FROM chart_worker WHERE seen_at < now_ms() - 86400000;
  RETURN QUERY SELECT (found_job).* FROM (
    SELECT DISTINCT ON (CASE WHEN job.is_public THEN '' ELSE job.account_id END) job AS found_job
    FROM chart_job AS job WHERE state IN ('pending', 'processing')
    ORDER BY CASE WHEN job.is_public THEN '' ELSE job.account_id END, job.created_at, job.id) AS first_jobs
  ORDER BY (SELECT max(earlier.taken_at) FROM chart_job AS earlier WHERE earlier.is_public = (found_job).is_public
      AND (earlier.is_public OR earlier.account_id = (found_job).account_id)) NULLS FIRST,
    (found_job).created_at;
END
$function$
;

CREATE OR REPLACE FUNCTION public.work_note(of_job uuid, new_percent integer, new_steps jsonb, lines jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  goes_on boolean;
BEGIN
  UPDATE chart_job SET percent = new_percent, steps = new_steps, updated_at = now_ms(),
    logs = CASE WHEN jsonb_array_length(logs) < 1000 THEN logs || lines ELSE logs END
    WHERE id = of_job AND state = 'processing' RETURNING NOT is_cancelled INTO goes_on;
  RETURN coalesce(goes_on, false);
END
$function$
;

CREATE OR REPLACE FUNCTION public.work_public()
 RETURNS SETOF chart_upload
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT * FROM chart_upload WHERE is_public AND is_live ORDER BY created_at, id
$function$
;

CREATE OR REPLACE FUNCTION public.work_rebuild(over_build text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  INSERT INTO chart_job (id, account_id, is_public, kind)
  SELECT gen_random_uuid(), account_id, false, 'rebuild' FROM chart_set AS one
  WHERE public_build <> over_build AND NOT EXISTS (SELECT FROM chart_job AS job
    WHERE job.account_id = one.account_id AND NOT is_public AND (state IN ('pending', 'processing')
      -- A failed one is repeated after an hour.
      OR kind = 'rebuild' AND state = 'failed' AND updated_at > now_ms() - 3600000))
$function$
;

CREATE OR REPLACE FUNCTION public.work_schedule()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  due chart_schedule;
BEGIN
  UPDATE chart_schedule SET next_at = now_ms() + schedule_ms(every) WHERE next_at <= now_ms() RETURNING * INTO due;
  IF FOUND THEN PERFORM start_refresh(due.account_id, gen_random_uuid()); END IF;
END
$function$
;

CREATE OR REPLACE FUNCTION public.work_take(of_job uuid)
 RETURNS SETOF chart_job
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE chart_upload SET state = 'processing', updated_at = now_ms()
    WHERE state = 'pending' AND id = (SELECT upload_id FROM chart_job WHERE id = of_job AND kind = 'upload');
  RETURN QUERY UPDATE chart_job SET state = 'processing', updated_at = now_ms(), taken_at = now_ms(),
    attempts = CASE WHEN percent > furthest THEN 1 ELSE attempts + 1 END, furthest = greatest(furthest, percent)
    WHERE id = of_job AND state IN ('pending', 'processing') RETURNING *;
END
$function$
;

CREATE OR REPLACE FUNCTION public.work_uploads(of_job uuid)
 RETURNS SETOF chart_upload
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT one.* FROM chart_upload AS one, chart_job AS job WHERE job.id = of_job AND (one.id = job.upload_id
    OR one.is_live AND one.is_public = job.is_public
      AND (job.is_public OR one.account_id = job.account_id))
  ORDER BY one.created_at, one.id
$function$
;

-- Triggers

CREATE TRIGGER erase_charts AFTER INSERT OR UPDATE ON public.account FOR EACH ROW WHEN ((new.erased_at IS NOT NULL)) EXECUTE FUNCTION erase_charts();

CREATE TRIGGER admin_act_stays BEFORE DELETE OR UPDATE OR TRUNCATE ON public.admin_act FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER end_second_factor AFTER DELETE ON public.portal_credential FOR EACH ROW EXECUTE FUNCTION end_second_factor();

CREATE TRIGGER refuse_suspended_user BEFORE INSERT ON public.portal_session FOR EACH ROW EXECUTE FUNCTION refuse_suspended_user();

CREATE TRIGGER newest_link_only BEFORE INSERT ON public.portal_verification FOR EACH ROW EXECUTE FUNCTION replace_links();

CREATE TRIGGER report_vote_of_blocked BEFORE INSERT ON public.report_vote FOR EACH ROW WHEN ((block_of(new.account_id, new.subject, new.external_user_id) IS NOT NULL)) EXECUTE FUNCTION refuse_blocked();

CREATE TRIGGER saved_style_versions AFTER UPDATE ON public.saved_style FOR EACH ROW WHEN (((old.base_theme IS DISTINCT FROM new.base_theme) OR (old.parameters IS DISTINCT FROM new.parameters))) EXECUTE FUNCTION keep_style_version();

CREATE TRIGGER user_report_of_blocked BEFORE INSERT ON public.user_report FOR EACH ROW WHEN ((block_of(new.account_id, new.owner_subject, new.external_user_id, new.user_is_stated) IS NOT NULL)) EXECUTE FUNCTION refuse_blocked();

-- What the service may do

GRANT DELETE, INSERT, SELECT ON portal_challenge TO leadline_runtime;

GRANT DELETE, INSERT, SELECT ON portal_verification TO leadline_runtime;

GRANT DELETE, INSERT, SELECT ON track_about TO leadline_runtime;

GRANT DELETE, INSERT, SELECT ON track_chunk TO leadline_runtime;

GRANT DELETE, INSERT, SELECT, UPDATE (body_sha256, merged, taken, ids, stops, created_at) ON ingest_key TO leadline_runtime;

GRANT DELETE, INSERT, SELECT, UPDATE (expires_at, updated_at) ON portal_session TO leadline_runtime;

GRANT DELETE, INSERT, SELECT, UPDATE (start_time, end_time, point_count, byte_size, west, south, east, north, updated_at, share) ON track TO leadline_runtime;

GRANT DELETE, INSERT, SELECT, UPDATE ON portal_second_factor TO leadline_runtime;

GRANT DELETE, SELECT, UPDATE (name, base_theme, parameters, updated_at) ON saved_style TO leadline_runtime;

GRANT EXECUTE ON FUNCTION add_usage(uuid,date[],text[],text[],text[],bigint[],bigint[],bigint[]) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION append_tracks(text,integer,text,text,text,text,text,bigint,text,jsonb,jsonb,text,text,bytea,uuid,uuid[],integer[],integer[],double precision[],double precision[],double precision[],double precision[],integer[],double precision[],bigint,integer,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION cast_vote(uuid,bigint,text,text,integer,text,text,uuid,smallint,boolean,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION charts_abandon(jsonb,uuid) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION charts_append(jsonb,uuid,bigint,text,bigint,uuid) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION charts_begin(jsonb,uuid,boolean,text,integer,bigint) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION charts_begin(jsonb,uuid,boolean,text,integer,bigint,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION charts_change_job(jsonb,uuid,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION charts_delete(jsonb,uuid,uuid) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION charts_jobs(jsonb,uuid,boolean,integer,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION charts_permit(jsonb) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION charts_received(jsonb,uuid,jsonb,bigint,uuid) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION charts_refresh(jsonb,uuid) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION charts_resumable(jsonb,uuid) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION charts_return(jsonb,text,uuid) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION charts_schedule(jsonb,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION charts_sets(jsonb) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION charts_uploads(jsonb,uuid,integer,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION cluster_reports(bigint,double precision[],double precision[],double precision[],double precision[],text[],double precision,double precision,integer,integer,integer,integer,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION count_reports(bigint,double precision[],double precision[],double precision[],double precision[],text[],double precision,double precision,bigint,boolean,text,text,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION create_report(uuid,bigint,text,text,integer,text,text,text,text,text,text,double precision,double precision,double precision,json,bigint,boolean) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION create_style(bigint,text,text,integer,text,text,text,uuid,text,text,jsonb,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION delete_report(uuid,bigint,text,text,integer,text,boolean,uuid) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION delete_track(text,integer,text,text,uuid) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION find_report(uuid) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION list_reports(bigint,double precision[],double precision[],double precision[],double precision[],text[],double precision,double precision,bigint,bigint,uuid,integer,boolean) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION page_reports(bigint,double precision[],double precision[],double precision[],double precision[],text[],double precision,double precision,bigint,boolean,text,text,text,bigint,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_add_passkey(text,text,text,text,text,bigint,text[]) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_block_author(text,uuid) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_change_account(text,text,text,boolean,boolean,boolean) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_change_member(text,text,text,boolean) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_change_style(bigint,text,uuid,text,text,jsonb) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_change_token(text,text,text,text[]) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_count_person(text,text,text,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_create_account(text,text,text,boolean,boolean) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_create_style(bigint,text,text,text,uuid,text,text,jsonb,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_default_share(text,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_delete_report(text,bigint,uuid,boolean) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_delete_style(text,uuid) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_delete_track(text,uuid) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_erase_person(text,text,text,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_find_report(text,uuid,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_invite(text,text,text,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_invite_owner(text,text,text,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_issue_token(text,text,text,text,text[],text[],text,bigint,bigint) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_list_accounts(text,text,text,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_list_acts(text,text,text,text,bigint,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_list_blocks(text,bigint,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_list_members(text,text,text,integer,boolean,text,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_list_reports(text,bigint,text,text,text,bigint,bigint,text,uuid,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_list_tokens(text,text,boolean,text,integer,boolean,text,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_list_tracks(text,uuid,integer,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_remove_member(text,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_remove_passkey(text,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_replace_token(text,text,bigint,text,text,bigint) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_require_administrator(text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_reset_member(text,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_revoke_token(text,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_share_tracks(text,text,uuid,text,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_sign_out_member(text,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_unblock(text,bigint) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION portal_usage(text,date,boolean,text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION remove_track(text,text,uuid) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION require_standing(text,text,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION revocation_list(bigint) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION set_track_share(text,text,text,uuid,text,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION share_tracks(text,integer,text,text,text,uuid,text,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION sounding_time(bytea,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION sweep_reports(bigint,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION token_standing(text,text,integer) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION use_passkey(text,bigint) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION work_abandoned() TO leadline_runtime;

GRANT EXECUTE ON FUNCTION work_end(uuid,text,jsonb,jsonb,text,text[]) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION work_jobs(text,text,boolean) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION work_note(uuid,integer,jsonb,jsonb) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION work_public() TO leadline_runtime;

GRANT EXECUTE ON FUNCTION work_rebuild(text) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION work_schedule() TO leadline_runtime;

GRANT EXECUTE ON FUNCTION work_take(uuid) TO leadline_runtime;

GRANT EXECUTE ON FUNCTION work_uploads(uuid) TO leadline_runtime;

GRANT INSERT, SELECT, UPDATE (password, updated_at) ON portal_credential TO leadline_runtime;

GRANT SELECT (id, share) ON account TO leadline_runtime;

GRANT SELECT ON crowd_track TO leadline_runtime;

GRANT SELECT ON portal_passkey TO leadline_runtime;

GRANT SELECT ON saved_style_version TO leadline_runtime;

GRANT SELECT, UPDATE (updated_at, two_factor_enabled) ON portal_user TO leadline_runtime;
