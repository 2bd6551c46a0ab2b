-- The fields that a record is found by. Rows are in the order of import: an import appends records in the order of
-- its feed, without reading the existing rows.
CREATE TABLE record (
  id INTEGER PRIMARY KEY,
  isbn INTEGER NOT NULL,
  imprint TEXT,
  imprint_name TEXT,
  -- Each code is enclosed in U+001F, a character that XML does not allow, so that whole codes can be searched for.
  languages TEXT NOT NULL,
  -- YYYYMMDD
  published INTEGER,
  reference TEXT NOT NULL,
  etag TEXT NOT NULL,
  origin TEXT NOT NULL
) STRICT;

-- The bytes of a record, in a table of their own: the indexes of a catalog of gigabytes are then built from megabytes.
CREATE TABLE body (
  id INTEGER PRIMARY KEY,
  body BLOB NOT NULL
) STRICT;

-- The number of records that use a spelling of an imprint.
CREATE TABLE imprint (
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  records INTEGER NOT NULL,
  PRIMARY KEY (slug, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE catalog (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision TEXT NOT NULL,
  records INTEGER NOT NULL,
  imported TEXT
) STRICT;

INSERT INTO catalog VALUES (1, '00000000000000000000000000000000', 0, NULL);
