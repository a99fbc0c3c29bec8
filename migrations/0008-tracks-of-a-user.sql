-- Tracks of one user of a sender, and those that came with one request, found without looking at all
-- that the sender has: an application's server sends for very many users.

CREATE INDEX track_about_of_user
  ON track_about (account_id, subject, external_user_id, platform_uid);
CREATE INDEX track_of_about ON track (about_id);
