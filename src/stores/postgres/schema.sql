-- The catalog: the schema `colophon` of a PostgreSQL database. It is apart because the database may be shared, and because
-- privileges are granted by schema. COLLATE "C" compares text by its UTF-8 bytes, as SQLite does. Indexes have only the
-- beginning of texts of unlimited length, because an index entry has at most 2.7 kB.
-- A large import into an empty catalog drops the indexes of searches, and creates them at its end.
-- The tables of books are vacuumed when 5 % of their rows are old, not 20 %: the space of one import is then free for the
-- next one (docs/postgres.md has the sizes).

-- One row: which version of Colophon can open the catalog. Versions before 1.0.0 have made a table `format` instead.
CREATE TABLE colophon.catalog_format (
  number INTEGER NOT NULL -- grows by one with each change of the tables (schema.ts)
);

-- One row: the state of the catalog. An import locks it from beginning to end, so that only one runs at a time.
CREATE TABLE colophon.catalog (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision TEXT NOT NULL, -- the sum of all etags, in 32 hexadecimal digits (src/catalog/revision.ts)
  records BIGINT NOT NULL, -- the number of records
  imported TEXT, -- the time of the last import that changed a record (ISO 8601); NULL before the first
  generation BIGINT NOT NULL, -- grows with every import that writes anything, also what the revision does not include
  forgotten_change INTEGER NOT NULL -- the last import whose deletions were removed because of their age
);
INSERT INTO colophon.catalog VALUES (1, '00000000000000000000000000000000', 0, NULL, 0, 0);

-- The records. One of the usual size stays uncompressed in its row, and is not moved to a TOAST table: importing 50,000
-- took the server half the time (two alternating runs of each), and a lookup reads one page.
CREATE TABLE colophon.record (
  isbn BIGINT PRIMARY KEY, -- 13 digits
  size INTEGER NOT NULL, -- bytes of the body, so that a page of a list can be limited in size without reading bodies
  recency INTEGER, -- minus YYYYMMDD: the order of news, newest first and then by ISBN, is ascending in both columns
  etag TEXT NOT NULL, -- 128 bits of SHA-256 of the body
  imprint TEXT COLLATE "C", -- the slug
  imprint_name TEXT COLLATE "C", -- the name as the feed spells it
  languages TEXT[] NOT NULL, -- codes
  reference TEXT COLLATE "C" NOT NULL, -- RecordReference
  origin TEXT NOT NULL, -- JSON: what an export needs beside the record (src/onix/record/origin.ts)
  body BYTEA NOT NULL, -- the record as JSON in UTF-8, as responses have it
  sender INTEGER NOT NULL, -- the id of its sender: references of different senders are independent of each other
  changed INTEGER NOT NULL, -- the import that has changed the record last
  added INTEGER NOT NULL, -- the import that has added it
  feed INTEGER, -- the feed of the last change; NULL: the import restored the record, and its feed is not remembered
  added_feed INTEGER, -- the feed of the import that has added the record; NULL as above
  blocks TEXT -- top-level elements that the last change has changed, separated by spaces; NULL: it added or restored it
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX record_by_imprint ON colophon.record (left(imprint, 256), isbn) WHERE imprint IS NOT NULL;
CREATE INDEX record_by_recency ON colophon.record (recency, isbn) WHERE recency IS NOT NULL;
CREATE INDEX record_by_reference ON colophon.record (sender, left(reference, 256), isbn);
CREATE INDEX record_by_change ON colophon.record (changed, isbn);

-- The summary of each record: a list of summaries reads no records.
CREATE TABLE colophon.summary (
  isbn BIGINT PRIMARY KEY, -- of the record
  size INTEGER NOT NULL, -- bytes of the body, as in `record`
  etag TEXT NOT NULL, -- XXH3 of the summary (summaryEtagOf in src/catalog/entry.ts)
  body BYTEA NOT NULL -- the summary as JSON in UTF-8
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.05);

-- The links between the editions of a work (src/catalog/editions). Most records have none.
CREATE TABLE colophon.edition_link (
  isbn BIGINT NOT NULL, -- of the record
  target TEXT COLLATE "C" NOT NULL, -- an ISBN that it names as another edition, or the name of its work
  PRIMARY KEY (isbn, target)
);
CREATE INDEX edition_link_by_target ON colophon.edition_link (target, isbn);

-- The spellings of imprints that records use.
CREATE TABLE colophon.imprint (
  spelling TEXT COLLATE "C" PRIMARY KEY, -- a digest of slug and name, because an index holds no long texts
  slug TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  records BIGINT NOT NULL -- how many use it
);
CREATE INDEX imprint_by_slug ON colophon.imprint (left(slug, 256));

-- Who has sent the records. A key of any length occurs once, because only one import runs at a time.
CREATE TABLE colophon.sender (
  id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key TEXT COLLATE "C" NOT NULL, -- identifies the sender; empty for messages without one
  sent TEXT, -- SentDateTime of the last message, as written
  message_number TEXT -- MessageNumber of the last message, as written
);
CREATE INDEX sender_by_key ON colophon.sender (left(key, 256));

-- The imports that have changed records.
CREATE TABLE colophon.change_run (
  number INTEGER PRIMARY KEY, -- that of the import, in the order of the commits
  id TEXT COLLATE "C" NOT NULL, -- random: another history with the same number, as after a failover, has another one
  at TEXT COLLATE "C" NOT NULL -- the time of the commit (ISO 8601)
);

-- The books that were deleted, and are not in the catalog again.
CREATE TABLE colophon.deletion (
  isbn BIGINT PRIMARY KEY,
  number INTEGER NOT NULL -- the import that has deleted it
);
CREATE INDEX deletion_by_number ON colophon.deletion (number, isbn);

-- The history: one row for each of the last imports, also those that failed or changed nothing. An import takes its
-- number when it begins, with defaults for what is known at its end.
CREATE TABLE colophon.import_run (
  number INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- also that of its changes
  place BIGINT GENERATED ALWAYS AS IDENTITY CONSTRAINT import_run_place UNIQUE, -- the order in which the imports ended
  id TEXT COLLATE "C" NOT NULL UNIQUE, -- of the run, in logs and reports
  started TEXT NOT NULL, -- ISO 8601
  ended TEXT NOT NULL, -- ISO 8601
  outcome TEXT NOT NULL, -- changed, unchanged or failed; running, until the commit
  message TEXT, -- why it failed
  counts TEXT NOT NULL, -- JSON: the numbers of the report (src/catalog/report.ts)
  duration_ms BIGINT NOT NULL DEFAULT 0,
  revision_before TEXT, -- NULL: it failed before it began
  revision_after TEXT,
  feeds INTEGER NOT NULL DEFAULT 0, -- how many it has read
  quality TEXT, -- JSON: the totals of `book_count` after it; NULL: it failed
  complaints INTEGER NOT NULL DEFAULT 0, -- how many there were
  complaint_groups INTEGER NOT NULL DEFAULT 0, -- how many groups `complaint_list` has
  state INTEGER, -- the import whose state the catalog had afterwards: this one or, for an undo, an earlier one; NULL: it failed
  undoes INTEGER, -- the import that this one has undone; NULL: it is no undo
  undone_by INTEGER, -- the import that has undone this one; NULL: it is not undone
  undo_bytes BIGINT, -- the size of its chunks in `undo`; NULL: they are not kept
  complaint_list TEXT NOT NULL DEFAULT '[]' -- JSON
);
-- Requests read the last import that was applied, and thousands may have failed since.
CREATE INDEX import_run_applied ON colophon.import_run (place) INCLUDE (id) WHERE outcome <> 'failed';


-- What the last imports have replaced, so that they can be undone (src/catalog/undo). Rows are appended.
CREATE TABLE colophon.undo (
  id BIGINT PRIMARY KEY, -- the number of the import × 2²², plus that of the chunk within it
  chunk BYTEA NOT NULL -- many steps, compressed, after a checksum
);
ALTER TABLE colophon.undo ALTER COLUMN chunk SET STORAGE EXTERNAL;

-- The feeds that an import has read: files, or messages of archives.
CREATE TABLE colophon.import_feed (
  import_number INTEGER NOT NULL,
  number INTEGER NOT NULL, -- counted from 1 within the import
  name TEXT NOT NULL, -- of the file
  sha256 TEXT COLLATE "C", -- of the file as it was given; NULL: it was not read to its end
  bytes BIGINT NOT NULL, -- read of the file
  sender TEXT, -- the name in the header
  sent TEXT, -- SentDateTime, as written
  message_number TEXT, -- MessageNumber, as written
  PRIMARY KEY (import_number, number)
);
CREATE INDEX import_feed_by_digest ON colophon.import_feed (sha256) WHERE sha256 IS NOT NULL;

-- The search index has two rows for each record. docs/search.md has the rules, and docs/postgres.md the reasons.
-- The words. They stay uncompressed in their row, where reading them in order takes a few microseconds.
CREATE TABLE colophon.search (
  id BIGINT PRIMARY KEY, -- newest first, then by ISBN, which is a part of it (src/catalog/search/search-id.ts)
  sample SMALLINT NOT NULL, -- a random number below 1024: a sample tells how common the words of a search are
  title_key TEXT COLLATE "C" NOT NULL, -- sorts by title
  words TSVECTOR NOT NULL -- made by Colophon, not by to_tsvector: no dictionary and no setting of the server matters
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.05);
-- Searches choose their plans by samples. Statistics of words would be most of the work of ANALYZE.
ALTER TABLE colophon.search ALTER COLUMN words SET STATISTICS 0;
-- The pending list of a GIN index makes small imports cheap, and every search reads it. So it is small. Autovacuum and
-- ANALYZE empty it.
CREATE INDEX search_by_words ON colophon.search USING gin (words) WITH (gin_pending_list_limit = 512);
CREATE INDEX search_by_title ON colophon.search (title_key, (id % 20000000000));
CREATE INDEX search_by_sample ON colophon.search (sample);

-- What facets count by, and what feeds change every night. A change of prices alone writes no index: there is space for
-- it on the page of the row. Vacuum removes the old entries of changed facts, which searches would read.
CREATE TABLE colophon.search_book (
  id BIGINT PRIMARY KEY, -- as above
  digest TEXT NOT NULL, -- of the search document without what feeds change every night
  imprint TEXT COLLATE "C", -- the slug
  languages TEXT[] NOT NULL, -- codes
  form TEXT COLLATE "C", -- ProductForm
  audience TEXT[] NOT NULL, -- codes of list 28
  facts TSVECTOR NOT NULL, -- terms of the filters that feeds change every night, without positions
  availability TEXT COLLATE "C", -- ProductAvailability
  lacks SMALLINT NOT NULL, -- bits: what the book lacks (src/onix/completeness/book-needs.ts)
  prices TEXT[] NOT NULL -- the price bands that the book is counted in
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX search_book_by_facts ON colophon.search_book USING gin (facts) WITH (gin_pending_list_limit = 512);

-- The words of titles, names, collections, imprints and publishers, from which corrections are chosen. Imports only add
-- words: one that no book has any more is not chosen.
CREATE TABLE colophon.word (
  word TEXT COLLATE "C" PRIMARY KEY, -- folded
  id INTEGER GENERATED ALWAYS AS IDENTITY -- ascending: a search reads the words that were added since
);
CREATE INDEX word_by_id ON colophon.word (id);

-- How many books have a value (src/catalog/quality/book-counts.ts). Imports keep it up to date, and the totals that
-- the history has.
CREATE TABLE colophon.book_count (
  key TEXT COLLATE "C" PRIMARY KEY, -- a digest of kind and value, because an index holds no long texts
  kind TEXT COLLATE "C" NOT NULL, -- of what: a language, a form, a price band, a thing that is lacking, and so on
  value TEXT COLLATE "C" NOT NULL,
  books BIGINT NOT NULL
);

-- Words for the codes of Thema (src/catalog/subjects), which `colophon subjects` loads: one row for each language.
CREATE TABLE colophon.subject_labels (
  language TEXT COLLATE "C" PRIMARY KEY, -- eng or spa
  digest TEXT NOT NULL, -- of the list; stands before it, so that reading it reads no further page
  list TEXT NOT NULL -- a line for each code, with its label and its broader code
);

-- The tokens that were issued here, and those of other issuers that were revoked here.
CREATE TABLE colophon.token (
  id TEXT COLLATE "C" PRIMARY KEY, -- the claim `jti`
  name TEXT NOT NULL, -- of the client; empty for a token of another issuer
  issued TEXT COLLATE "C" NOT NULL, -- ISO 8601; the time of the revocation for a token of another issuer
  expires TEXT NOT NULL, -- ISO 8601; empty for a token of another issuer
  revoked TEXT, -- ISO 8601; NULL: it is valid
  place BIGINT GENERATED ALWAYS AS IDENTITY -- the order in which the tokens were added
);
