-- The history of imports: one row for each of the last imports, also those that failed or changed nothing. From now on,
-- the number of an import is also that of its changes in `change_run`.
ALTER TABLE import_run RENAME COLUMN place TO number;
ALTER TABLE import_run ADD COLUMN duration_ms INTEGER NOT NULL DEFAULT 0;
-- NULL: not known.
ALTER TABLE import_run ADD COLUMN revision_before TEXT;
ALTER TABLE import_run ADD COLUMN revision_after TEXT;
ALTER TABLE import_run ADD COLUMN feeds INTEGER NOT NULL DEFAULT 0;
ALTER TABLE import_run ADD COLUMN complaints INTEGER NOT NULL DEFAULT 0;
ALTER TABLE import_run ADD COLUMN complaint_groups INTEGER NOT NULL DEFAULT 0;
-- JSON. Stands last, so that lists do not read it.
ALTER TABLE import_run ADD COLUMN complaint_list TEXT NOT NULL DEFAULT '[]';
UPDATE import_run SET duration_ms =
  max(0, coalesce(CAST(round((julianday(ended) - julianday(started)) * 86400000) AS INTEGER), 0));

-- Requests read the last import that was applied, and thousands may have failed since.
CREATE INDEX import_run_applied ON import_run (number, id) WHERE outcome <> 'failed';

-- The feeds that an import has read: files, or messages of archives.
CREATE TABLE import_feed (
  import_number INTEGER NOT NULL,
  -- Counted from 1 within the import.
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- Of the file as it was given. NULL: it was not read to its end.
  sha256 TEXT,
  bytes INTEGER NOT NULL,
  sender TEXT,
  -- SentDateTime and MessageNumber, as written.
  sent TEXT,
  message_number TEXT,
  PRIMARY KEY (import_number, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_feed_by_digest ON import_feed (sha256) WHERE sha256 IS NOT NULL;

-- The import of a change. Before this format, both were counted apart. The last imports that changed records are those
-- of the last changes. The first change may stand for all imports before format 9. NULL: not known.
ALTER TABLE change_run ADD COLUMN import_number INTEGER;
WITH
  run AS (
    SELECT number, ended, row_number() OVER (ORDER BY number DESC) AS place FROM import_run WHERE outcome = 'changed'
  ),
  numbered AS (SELECT number, at, row_number() OVER (ORDER BY number DESC) AS place FROM change_run)
UPDATE change_run SET import_number = (
  SELECT run.number FROM run JOIN numbered USING (place)
  WHERE numbered.number = change_run.number AND run.ended <= numbered.at
    AND (change_run.number > 1 OR run.place = (SELECT max(place) FROM run))
);

-- Where the record comes from: the feed of the import that has changed it last, and of the one that has added it. These
-- columns stand after the body, as `changed` does. NULL: not known.
ALTER TABLE body ADD COLUMN feed INTEGER;
ALTER TABLE body ADD COLUMN added_feed INTEGER;
-- The names of the top-level elements that the last change has changed, separated by spaces. NULL: the change has added
-- the record, or it is not known.
ALTER TABLE body ADD COLUMN blocks TEXT;
