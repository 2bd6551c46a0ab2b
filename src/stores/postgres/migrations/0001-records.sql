-- All tables are in a schema of their own, because the database may be shared and privileges are granted by schema.
-- COLLATE "C" compares text by its UTF-8 bytes, as SQLite does.
CREATE TABLE colophon.record (
  isbn BIGINT PRIMARY KEY,
  -- Bytes of the body, so that a page of a list can be limited in size without reading bodies.
  size INTEGER NOT NULL,
  -- Minus YYYYMMDD: the order of the news, newest first and then by ISBN, is ascending in both columns.
  recency INTEGER,
  etag TEXT NOT NULL,
  imprint TEXT COLLATE "C",
  imprint_name TEXT COLLATE "C",
  languages TEXT[] NOT NULL,
  reference TEXT COLLATE "C" NOT NULL,
  origin TEXT NOT NULL,
  body BYTEA NOT NULL
);
-- A record of the usual size stays uncompressed in its row, and is not moved to a TOAST table: importing 50,000 took
-- the server half the time (two alternating runs of each), and a lookup reads one page.
ALTER TABLE colophon.record SET (toast_tuple_target = 8160);

-- Indexes have only the beginning of texts of unlimited length, because an index entry has at most 2.7 kB.
CREATE INDEX record_by_imprint ON colophon.record (left(imprint, 256), isbn) WHERE imprint IS NOT NULL;
CREATE INDEX record_by_recency ON colophon.record (recency, isbn) WHERE recency IS NOT NULL;
CREATE INDEX record_by_reference ON colophon.record (left(reference, 256), isbn);

-- The number of records that use a spelling of an imprint. The key is a digest of slug and name.
CREATE TABLE colophon.imprint (
  spelling TEXT COLLATE "C" PRIMARY KEY,
  slug TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  records BIGINT NOT NULL
);
CREATE INDEX imprint_by_slug ON colophon.imprint (left(slug, 256));

-- One row. An import locks it from beginning to end, so that only one runs at a time.
CREATE TABLE colophon.catalog (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision TEXT NOT NULL,
  records BIGINT NOT NULL,
  imported TEXT,
  -- Changes with every import that writes anything, also a sender reference, which the revision does not include.
  generation BIGINT NOT NULL
);
INSERT INTO colophon.catalog VALUES (1, '00000000000000000000000000000000', 0, NULL, 0);
