-- What the depths from the crowd contain of a track, as JSON (`shared/crowd/contribution.ts`). `charts crowd`
-- writes it. It disappears with the track.

CREATE TABLE crowd_track (
  account_id text NOT NULL,
  subject text NOT NULL,
  track_id uuid NOT NULL,
  summary jsonb NOT NULL,
  PRIMARY KEY (account_id, subject, track_id),
  FOREIGN KEY (account_id, subject, track_id) REFERENCES track (account_id, subject, id) ON DELETE CASCADE
);
GRANT SELECT ON crowd_track TO leadline_runtime;
