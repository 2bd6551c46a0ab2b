CREATE TABLE token (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  issued TEXT NOT NULL,
  expires TEXT NOT NULL,
  revoked TEXT
) STRICT;
