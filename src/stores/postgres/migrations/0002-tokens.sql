CREATE TABLE colophon.token (
  id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT NOT NULL,
  -- ISO 8601
  issued TEXT COLLATE "C" NOT NULL,
  expires TEXT NOT NULL,
  revoked TEXT,
  -- The order in which the tokens were added.
  place BIGINT GENERATED ALWAYS AS IDENTITY
);
