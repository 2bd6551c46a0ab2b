-- The number of an ISBN is the row's own: the table itself stands in the order of ISBNs.
-- The body is last, so that nothing but a body's reader follows a long row into its overflow pages.
CREATE TABLE record (
  isbn INTEGER PRIMARY KEY,
  imprint TEXT,
  imprint_name TEXT,
  -- Each code between two U+001F, a character that XML cannot carry, so that a whole code can be searched for.
  languages TEXT NOT NULL,
  -- YYYYMMDD
  published INTEGER,
  reference TEXT NOT NULL,
  etag TEXT NOT NULL,
  origin TEXT NOT NULL,
  body BLOB NOT NULL
) STRICT;

-- What a list of all ISBNs and an import ask of a record: read from here, without a page of bodies.
CREATE INDEX record_outline ON record (isbn, etag, reference);
-- With the languages, so that the filter on them reads only the records it lets through.
CREATE INDEX record_by_imprint ON record (imprint, isbn, languages) WHERE imprint IS NOT NULL;
CREATE INDEX record_by_day ON record (published DESC, isbn) WHERE published IS NOT NULL;
CREATE INDEX record_by_reference ON record (reference, isbn);

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
