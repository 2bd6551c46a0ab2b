-- The catalog: a SQLite file. `schema.ts` has the number of its format (`PRAGMA user_version`) and its application id.
-- An import into an empty catalog drops the indexes of `record`, `book_search` and `edition_link`, and creates them at its end.

-- One row: the state of the catalog.
CREATE TABLE catalog (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision TEXT NOT NULL, -- the sum of all etags, in 32 hexadecimal digits (src/catalog/revision.ts)
  records INTEGER NOT NULL, -- the number of records
  imported TEXT, -- the time of the last import that changed a record (ISO 8601); NULL before the first
  has_registry INTEGER NOT NULL, -- 1: it has had a token registry, without which revoked tokens would be valid again
  forgotten_change INTEGER NOT NULL -- the last import whose deletions were removed because of their age
) STRICT;
INSERT INTO catalog VALUES (1, '00000000000000000000000000000000', 0, NULL, 0, 0);

-- The fields that a record is found by. Rows are in the order of import: an import appends records in the order of its
-- feed, without reading the existing rows.
CREATE TABLE record (
  id INTEGER PRIMARY KEY, -- also that of its body and its summary
  isbn INTEGER NOT NULL, -- 13 digits; every ISBN occurs once
  imprint TEXT, -- the slug
  imprint_name TEXT, -- the name as the feed spells it
  languages TEXT NOT NULL, -- codes, each enclosed in U+001F, which XML does not allow: whole codes can be searched for
  published INTEGER, -- YYYYMMDD
  sender INTEGER NOT NULL, -- the id of its sender: references of different senders are independent of each other
  reference TEXT NOT NULL -- RecordReference
) STRICT;
-- For lookups, the list of all ISBNs, and imports. Has nothing but the ISBN: 15 MB for a million records stay in the page
-- cache. No index has the etag, which changes with every update of a book.
CREATE INDEX record_by_isbn ON record (isbn);
-- Includes the languages, so that a filter by language reads only the bodies that match.
CREATE INDEX record_by_imprint ON record (imprint, isbn, languages) WHERE imprint IS NOT NULL;
CREATE INDEX record_by_day ON record (published DESC, isbn) WHERE published IS NOT NULL;
CREATE INDEX record_by_reference ON record (sender, reference, isbn);

-- What changes with every update, in one row: an update of a book rewrites it, and no index. The indexes of a catalog of
-- gigabytes are built from the small table `record`.
CREATE TABLE body (
  id INTEGER PRIMARY KEY, -- of the record
  etag TEXT NOT NULL, -- 128 bits of SHA-256 of the body; stands before it, so that reading it reads no further page
  origin TEXT NOT NULL, -- JSON: what an export needs beside the record (src/onix/record/origin.ts)
  body BLOB NOT NULL, -- the record as JSON in UTF-8, as responses have it
  changed INTEGER NOT NULL, -- the import that has changed the record last
  feed INTEGER, -- the feed of that import; NULL: the import restored the record, and its feed is not remembered
  added_feed INTEGER, -- the feed of the import that has added the record; NULL as above
  blocks TEXT, -- top-level elements that the last change has changed, separated by spaces; NULL: it added or restored it
  checksum INTEGER NOT NULL -- of etag and body, checked on every read (rows.ts)
) STRICT;

-- The summary of each record. A lookup of a record does not read it. Its description, which is most of it, is left out
-- where the record has the same bytes, and fields that most books have are abbreviated (rows.ts). `whole_summary` is what
-- is read.
CREATE TABLE summary (
  id INTEGER PRIMARY KEY, -- of the record
  etag TEXT NOT NULL, -- XXH3 of the whole summary (summaryEtagOf in src/catalog/entry.ts), checked on every read
  body BLOB NOT NULL, -- the summary as JSON in UTF-8, abbreviated
  shared_at INTEGER NOT NULL, -- the place in `body` of the bytes that the record has, too
  shared_from INTEGER NOT NULL, -- their place in the record
  shared_bytes INTEGER NOT NULL -- their number; 0 when none are left out
) STRICT;
-- A subquery, because SQLite would read a whole view with a join in it for each LEFT JOIN.
CREATE VIEW whole_summary (id, etag, body, checksum) AS
  SELECT id, etag, CAST(
      replace(replace(replace(substr(body, 1, shared_at),
        char(1), '"from":null,"until":null,"territory":'),
        char(2), '"qualifier":null,"conditions":[],"minimumQuantity":null,"taxes":['),
        char(3), '"role":"A01","roles":["A01"]')
      || CASE shared_bytes WHEN 0 THEN '' ELSE
        substr((SELECT body.body FROM body WHERE body.id = summary.id), shared_from + 1, shared_bytes) END
      || replace(replace(replace(substr(body, shared_at + 1),
        char(1), '"partNumber":null,"partTitle":null,"collectionNumber":null,"formDetail":['),
        char(2), '"editionNumber":null,"editionTypes":[],"duration":null,"markets":['),
        char(3), '"rights":null,"workId":null')
      AS BLOB), NULL
  FROM summary;

-- The links between the editions of a work (src/catalog/editions). Most records have none.
CREATE TABLE edition_link (
  isbn INTEGER NOT NULL, -- of the record
  target TEXT NOT NULL -- an ISBN that it names as another edition, or the name of its work
) STRICT;
CREATE INDEX edition_link_by_isbn ON edition_link (isbn, target);
CREATE INDEX edition_link_by_target ON edition_link (target, isbn);

-- The spellings of imprints that records use.
CREATE TABLE imprint (
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  records INTEGER NOT NULL, -- how many use it
  PRIMARY KEY (slug, name)
) STRICT, WITHOUT ROWID;

-- Who has sent the records.
CREATE TABLE sender (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE, -- identifies the sender; empty for messages without one
  sent TEXT, -- SentDateTime of the last message, as written
  message_number TEXT -- MessageNumber of the last message, as written
) STRICT;

-- The imports that have changed records.
CREATE TABLE change_run (
  number INTEGER PRIMARY KEY, -- that of the import, in the order of the commits
  id TEXT NOT NULL, -- random: another history with the same number, such as that of a restored backup, has another one
  at TEXT NOT NULL -- the time of the commit (ISO 8601)
) STRICT;

-- One row for each record, in the order in which clients follow changes.
CREATE TABLE change (
  number INTEGER NOT NULL, -- the import that has changed the record last, as in `body`
  isbn INTEGER NOT NULL,
  added INTEGER NOT NULL, -- the import that has added the record
  PRIMARY KEY (number, isbn)
) STRICT, WITHOUT ROWID;

-- The books that were deleted, and are not in the catalog again.
CREATE TABLE deletion (
  isbn INTEGER PRIMARY KEY,
  number INTEGER NOT NULL -- the import that has deleted it
) STRICT;
CREATE INDEX deletion_by_number ON deletion (number, isbn);

-- The history: one row for each of the last imports, also those that failed or changed nothing.
CREATE TABLE import_run (
  number INTEGER PRIMARY KEY, -- the order in which the imports ended
  id TEXT NOT NULL, -- of the run, in logs and reports
  started TEXT NOT NULL, -- ISO 8601
  ended TEXT NOT NULL, -- ISO 8601
  outcome TEXT NOT NULL, -- changed, unchanged or failed
  message TEXT, -- why it failed
  counts TEXT NOT NULL, -- JSON: the numbers of the report (src/catalog/report.ts)
  duration_ms INTEGER NOT NULL,
  revision_before TEXT, -- NULL: it failed before it began
  revision_after TEXT,
  feeds INTEGER NOT NULL, -- how many it has read
  quality TEXT, -- JSON: the totals of `book_count` after it; NULL: it failed
  complaints INTEGER NOT NULL, -- how many there were
  complaint_groups INTEGER NOT NULL, -- how many groups `complaint_list` has
  state INTEGER, -- the import whose state the catalog had afterwards: this one or, for an undo, an earlier one; NULL: it failed
  undoes INTEGER, -- the import that this one has undone; NULL: it is no undo
  undone_by INTEGER, -- the import that has undone this one; NULL: it is not undone
  undo_bytes INTEGER, -- the size of its chunks in `undo`; NULL: they are not kept
  complaint_list TEXT NOT NULL -- JSON; stands last, so that lists do not read it
) STRICT;
-- Requests read the last import that was applied, and thousands may have failed since.
CREATE INDEX import_run_applied ON import_run (number, id, state) WHERE outcome <> 'failed';

-- What the last imports have replaced, so that they can be undone (src/catalog/undo). Rows are appended.
CREATE TABLE undo (
  id INTEGER PRIMARY KEY, -- the number of the import × 2²², plus that of the chunk within it
  chunk BLOB NOT NULL -- many steps, compressed, after a checksum
) STRICT;

-- The feeds that an import has read: files, or messages of archives.
CREATE TABLE import_feed (
  import_number INTEGER NOT NULL,
  number INTEGER NOT NULL, -- counted from 1 within the import
  name TEXT NOT NULL, -- of the file
  sha256 TEXT, -- of the file as it was given; NULL: it was not read to its end
  bytes INTEGER NOT NULL, -- read of the file
  sender TEXT, -- the name in the header
  sent TEXT, -- SentDateTime, as written
  message_number TEXT, -- MessageNumber, as written
  PRIMARY KEY (import_number, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_feed_by_digest ON import_feed (sha256) WHERE sha256 IS NOT NULL;

-- The words of each book (src/catalog/search). The row id is the search id: newest first, then by ISBN. The text is not
-- stored again. The texts have words that are separated by spaces, and FTS5 splits them there and nowhere else: `ascii`
-- takes every character outside of ASCII for a part of a word.
-- The description stands first: the words of the first column take two bytes less each.
CREATE VIRTUAL TABLE book_index USING fts5 (
  description, title, contributor, rest, filter,
  content = '', contentless_delete = 1, tokenize = 'ascii'
);
-- FTS5 writes a segment when its words take more memory than this. A batch of an import takes less.
INSERT INTO book_index (book_index, rank) VALUES ('hashsize', 33554432);
-- Eight segments of one size become one. With fewer, an import would write each word more often; with more, a search
-- would look into more of them. An import that at least doubles the catalog makes all of them one (search/segments.ts).
INSERT INTO book_index (book_index, rank) VALUES ('automerge', 8);
-- A segment is written again when half of its books are gone, little by little: an import merges a few times the pages
-- that it writes. Without this, the index has the old words of up to eight generations of books.
INSERT INTO book_index (book_index, rank) VALUES ('deletemerge', 50);

-- The terms of each book that feeds change every night (FACT_FILTERS in src/catalog/search/properties.ts), under the
-- same row ids: a change of them rewrites no words.
CREATE VIRTUAL TABLE book_facts USING fts5 (
  facts, content = '', contentless_delete = 1, tokenize = 'ascii', detail = none
);
INSERT INTO book_facts (book_facts, rank) VALUES ('hashsize', 33554432);
-- Every night changes these, and they are small: removed books alone start no merge.
INSERT INTO book_facts (book_facts, rank) VALUES ('deletemerge', 0);

-- The words of titles, names, collections, imprints and publishers, from which corrections are chosen. Imports only add
-- words: one that no book has any more is not chosen.
CREATE TABLE word (
  id INTEGER PRIMARY KEY, -- ascending: a search reads the words that were added since
  word TEXT NOT NULL UNIQUE -- folded
) STRICT;

-- What facets count by, and what an update compares: the words of a book with the same search id and digest stay. An
-- import into an empty catalog collects its rows in a temporary table, and writes them in order at its end.
CREATE TABLE book_search (
  search_id INTEGER PRIMARY KEY, -- the row id in `book_index` (src/catalog/search/search-id.ts)
  isbn INTEGER NOT NULL AS (9780000000000 + search_id % 20000000000) VIRTUAL,
  digest TEXT NOT NULL, -- of the search document without what feeds change every night
  title_key TEXT NOT NULL, -- sorts by title
  imprint TEXT, -- the slug
  languages TEXT NOT NULL, -- as in `record`
  form TEXT, -- ProductForm
  audience TEXT NOT NULL, -- codes of list 28, enclosed as languages are
  availability TEXT, -- ProductAvailability
  lacks INTEGER NOT NULL, -- bits: what the book lacks (src/onix/completeness/book-needs.ts)
  facts TEXT NOT NULL, -- the terms in `book_facts`, with a space before and after each
  prices TEXT NOT NULL -- the price bands that the book is counted in, enclosed as languages are
) STRICT;
CREATE INDEX book_search_by_title ON book_search (title_key, isbn);

-- How many books have a value (src/catalog/quality/book-counts.ts). Imports keep it up to date, and the totals that
-- the history has.
CREATE TABLE book_count (
  kind TEXT NOT NULL, -- of what: a language, a form, a price band, a thing that is lacking, and so on
  value TEXT NOT NULL,
  books INTEGER NOT NULL,
  PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;

-- Words for the codes of Thema (src/catalog/subjects), which `colophon subjects` loads: one row for each language.
CREATE TABLE subject_labels (
  language TEXT PRIMARY KEY, -- eng or spa
  digest TEXT NOT NULL, -- of the list; stands before it, so that reading it reads no further page
  list TEXT NOT NULL -- a line for each code, with its label and its broader code
) STRICT;
