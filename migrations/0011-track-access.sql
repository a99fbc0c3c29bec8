-- Deletion of tracks, their list in the portal, and changes of the consent. Users of the portal see the
-- tracks that any token of their account sent.

-- Returns whether there was such a track. Its metadata is deleted with the last track that has it.
CREATE FUNCTION remove_track(of_account text, of_subject text, of_id uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
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
$$;

CREATE FUNCTION delete_track(
  p_token_id text, p_generation integer, p_account_id text, p_subject text, p_id uuid
) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM require_standing(p_token_id, p_account_id, p_generation);
  RETURN remove_track(p_account_id, p_subject, p_id);
END
$$;

-- A page of the tracks of the user's account, newest first, with their points. It ends before `most` if the
-- tracks together have more than `most_points` points.
CREATE FUNCTION portal_list_tracks(
  of_session text, before_id uuid, most integer, most_points integer
) RETURNS TABLE (listed jsonb, packed text, is_last boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
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
$$;

-- Moderators can delete the tracks of every sender of their account.
CREATE FUNCTION portal_delete_track(of_session text, of_id uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
$$;

-- Changes the consent of at most `most` tracks, and returns their number. NULL selects all. An end user with
-- a user token is the subject `user:` and the id of the user.
CREATE FUNCTION set_track_share(
  of_account text, of_subject text, of_user text, of_id uuid, new_share text, most integer
) RETURNS integer
LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
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
$$;

CREATE FUNCTION share_tracks(
  p_token_id text, p_generation integer, p_account_id text, p_subject text, of_user text, of_id uuid,
  new_share text, most integer
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_standing(p_token_id, p_account_id, p_generation);
  RETURN set_track_share(p_account_id, p_subject, of_user, of_id, new_share, most);
END
$$;

-- The same for all senders of the account of a user of the portal.
CREATE FUNCTION portal_share_tracks(
  of_session text, of_user text, of_id uuid, new_share text, most integer
) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
$$;

-- NULL returns the default of the account for uploads without `share`; otherwise owners change it.
CREATE FUNCTION portal_default_share(of_session text, new_share text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
$$;

GRANT EXECUTE ON FUNCTION remove_track, delete_track, portal_list_tracks, portal_delete_track,
  set_track_share, share_tracks, portal_share_tracks, portal_default_share TO leadline_runtime;
