-- An import that has changed records. The numbers are in the order of the commits. The id is random: another history
-- with the same number, such as that of a restored backup, has another one.
CREATE TABLE change_run (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  -- ISO 8601
  at TEXT NOT NULL
) STRICT;

-- The number of the import that has changed the record last. An update rewrites this row anyway. The column stands after
-- the body, so that existing rows stay as they are; only an import that changes the record reads it.
ALTER TABLE body ADD COLUMN changed INTEGER NOT NULL DEFAULT 1;

-- One row for each record, in the order in which clients follow changes.
CREATE TABLE change (
  number INTEGER NOT NULL,
  isbn INTEGER NOT NULL,
  -- The number of the import that has added the record.
  added INTEGER NOT NULL,
  PRIMARY KEY (number, isbn)
) STRICT, WITHOUT ROWID;

-- The books that were deleted, and are not in the catalog again.
CREATE TABLE deletion (
  isbn INTEGER PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT;
CREATE INDEX deletion_by_number ON deletion (number, isbn);

-- The last import whose deletions were removed from the table because of their age.
ALTER TABLE catalog ADD COLUMN forgotten_change INTEGER NOT NULL DEFAULT 0;

-- To clients, the existing records come with one import.
INSERT INTO change_run
  SELECT 1, lower(hex(randomblob(8))), coalesce(imported, strftime('%Y-%m-%dT%H:%M:%fZ')) FROM catalog WHERE records > 0;
INSERT OR IGNORE INTO change SELECT 1, isbn, 1 FROM record INDEXED BY record_outline ORDER BY isbn;
