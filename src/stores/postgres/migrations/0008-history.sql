-- A running import ends before the numbers of imports and changes become one.
SELECT revision FROM colophon.catalog FOR UPDATE;

-- The history of imports: one row for each of the last imports, also those that failed or changed nothing. From now on,
-- the number of an import is also that of its changes in `change_run`. An import takes its number when it begins, and its
-- place when it ends.
ALTER TABLE colophon.import_run
  ADD COLUMN number INTEGER,
  ADD COLUMN duration_ms BIGINT NOT NULL DEFAULT 0,
  -- NULL: not known.
  ADD COLUMN revision_before TEXT,
  ADD COLUMN revision_after TEXT,
  ADD COLUMN feeds INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN complaints INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN complaint_groups INTEGER NOT NULL DEFAULT 0,
  -- JSON
  ADD COLUMN complaint_list TEXT NOT NULL DEFAULT '[]';
UPDATE colophon.import_run SET number = place,
  duration_ms = greatest(0, extract(epoch FROM ended::timestamptz - started::timestamptz) * 1000);
ALTER TABLE colophon.import_run
  ALTER COLUMN number SET NOT NULL,
  ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY,
  DROP CONSTRAINT import_run_pkey,
  ADD PRIMARY KEY (number),
  ADD CONSTRAINT import_run_place UNIQUE (place);
SELECT setval(pg_get_serial_sequence('colophon.import_run', 'number'), greatest(
  (SELECT max(number) FROM colophon.import_run), (SELECT max(number) FROM colophon.change_run), 0) + 1, false);

-- Requests read the last import that was applied, and thousands may have failed since.
CREATE INDEX import_run_applied ON colophon.import_run (place) INCLUDE (id) WHERE outcome <> 'failed';

-- The feeds that an import has read: files, or messages of archives.
CREATE TABLE colophon.import_feed (
  import_number INTEGER NOT NULL,
  -- Counted from 1 within the import.
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- Of the file as it was given. NULL: it was not read to its end.
  sha256 TEXT COLLATE "C",
  bytes BIGINT NOT NULL,
  sender TEXT,
  -- SentDateTime and MessageNumber, as written.
  sent TEXT,
  message_number TEXT,
  PRIMARY KEY (import_number, number)
);
CREATE INDEX import_feed_by_digest ON colophon.import_feed (sha256) WHERE sha256 IS NOT NULL;

-- The import of a change. Before this migration, both were counted apart. The last imports that changed records are those
-- of the last changes. The first change may stand for all imports before version 6. NULL: not known.
ALTER TABLE colophon.change_run ADD COLUMN import_number INTEGER;
WITH
  run AS (
    SELECT number, ended, row_number() OVER (ORDER BY place DESC) AS back FROM colophon.import_run
    WHERE outcome = 'changed'
  ),
  numbered AS (SELECT number, at, row_number() OVER (ORDER BY number DESC) AS back FROM colophon.change_run)
UPDATE colophon.change_run SET import_number = (
  SELECT run.number FROM run JOIN numbered USING (back)
  WHERE numbered.number = change_run.number AND run.ended <= numbered.at
    AND (change_run.number > 1 OR run.back = (SELECT max(back) FROM run))
);

ALTER TABLE colophon.record
  -- Where the record comes from: the feed of the import that has changed it last, and of the one that has added it.
  -- NULL: not known.
  ADD COLUMN feed INTEGER,
  ADD COLUMN added_feed INTEGER,
  -- The names of the top-level elements that the last change has changed, separated by spaces. NULL: the change has
  -- added the record, or it is not known.
  ADD COLUMN blocks TEXT;

-- Whoever may read or write the records may do the same with the feeds.
DO $$
DECLARE
  statement TEXT;
BEGIN
  FOR statement IN
    SELECT format(
      'GRANT %s ON colophon.import_feed TO %s',
      privilege_type,
      CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END
    )
    FROM pg_class, aclexplode(relacl)
    WHERE pg_class.oid = 'colophon.record'::regclass
      AND privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
  LOOP
    EXECUTE statement;
  END LOOP;
END
$$;
