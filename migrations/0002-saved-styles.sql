-- Styles that an account saved, for styleId and styleName of base.json.

CREATE TABLE saved_style (
  id uuid PRIMARY KEY,
  account_id text NOT NULL CHECK (length(account_id) BETWEEN 1 AND 64),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  base_theme text NOT NULL CHECK (base_theme IN ('day', 'dusk', 'night')),
  -- Colours by token and settings by parameter; keys of other clients are kept.
  parameters jsonb NOT NULL CHECK (jsonb_typeof(parameters) = 'object'),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT saved_style_name_once UNIQUE (account_id, name)
);

GRANT SELECT, INSERT, DELETE ON saved_style TO leadline_runtime;
GRANT UPDATE (name, base_theme, parameters, updated_at) ON saved_style TO leadline_runtime;
