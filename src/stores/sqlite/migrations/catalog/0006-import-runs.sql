-- One row for each of the last imports, also those that failed or changed nothing.
CREATE TABLE import_run (
  -- The order in which the imports ended.
  place INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  -- ISO 8601
  started TEXT NOT NULL,
  ended TEXT NOT NULL,
  outcome TEXT NOT NULL,
  message TEXT,
  -- JSON
  counts TEXT NOT NULL
) STRICT;
