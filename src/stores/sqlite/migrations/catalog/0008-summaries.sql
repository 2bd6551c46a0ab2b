-- The summary of each record, in a table of its own: a lookup of a record does not read it, and the other way round.
CREATE TABLE summary (
  id INTEGER PRIMARY KEY,
  etag TEXT NOT NULL,
  body BLOB NOT NULL
) STRICT;
