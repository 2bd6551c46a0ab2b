-- Everything has its place in a schema of its own: a database may be shared, and rights are given by schema.
-- Text that is ordered or looked up is compared by the bytes of its UTF-8, as SQLite does: COLLATE "C".
CREATE TABLE colophon.record (
  isbn BIGINT PRIMARY KEY,
  -- Bytes of the body, so that a page of a list can be cut to size before a body is read.
  size INTEGER NOT NULL,
  -- Minus YYYYMMDD: the order of the news, newest first and then by ISBN, is ascending in both.
  recency INTEGER,
  etag TEXT NOT NULL,
  imprint TEXT COLLATE "C",
  imprint_name TEXT COLLATE "C",
  languages TEXT[] NOT NULL,
  reference TEXT COLLATE "C" NOT NULL,
  origin TEXT NOT NULL,
  body BYTEA NOT NULL
);
-- A record of the usual size stays in its row as it is, rather than compressed and in pieces in another table:
-- it took the server half the time to take in 50,000 (two runs of each, in turn), and a lookup reads one page.
ALTER TABLE colophon.record SET (toast_tuple_target = 8160);

-- Of what a feed may make as long as it likes, the beginning is indexed: an entry of an index has 2.7 kB at most.
CREATE INDEX record_by_imprint ON colophon.record (left(imprint, 256), isbn) WHERE imprint IS NOT NULL;
CREATE INDEX record_by_recency ON colophon.record (recency, isbn) WHERE recency IS NOT NULL;
CREATE INDEX record_by_reference ON colophon.record (left(reference, 256), isbn);

-- How many records use which spelling of an imprint. The key is a digest of slug and name.
CREATE TABLE colophon.imprint (
  spelling TEXT COLLATE "C" PRIMARY KEY,
  slug TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  records BIGINT NOT NULL
);
CREATE INDEX imprint_by_slug ON colophon.imprint (left(slug, 256));

-- One row. An import locks it from its beginning to its end, so that there is one at a time.
CREATE TABLE colophon.catalog (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision TEXT NOT NULL,
  records BIGINT NOT NULL,
  imported TEXT,
  -- Another number after every import that wrote anything, be it a reference alone, which the revision ignores.
  generation BIGINT NOT NULL
);
INSERT INTO colophon.catalog VALUES (1, '00000000000000000000000000000000', 0, NULL, 0);
