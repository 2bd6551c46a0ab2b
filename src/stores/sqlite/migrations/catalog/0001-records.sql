-- What a record is found by. Rows stand in the order in which records came: an import appends, in whatever order
-- its feed has the books, and reads nothing of what is there already.
CREATE TABLE record (
  id INTEGER PRIMARY KEY,
  isbn INTEGER NOT NULL,
  imprint TEXT,
  imprint_name TEXT,
  -- Each code between two U+001F, a character that XML cannot carry, so that a whole code can be searched for.
  languages TEXT NOT NULL,
  -- YYYYMMDD
  published INTEGER,
  reference TEXT NOT NULL,
  etag TEXT NOT NULL,
  origin TEXT NOT NULL
) STRICT;

-- Its bytes, apart: so that the indexes of a catalog of gigabytes are made from a table of megabytes.
CREATE TABLE body (
  id INTEGER PRIMARY KEY,
  body BLOB NOT NULL
) STRICT;

-- How many records use which spelling of an imprint.
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
