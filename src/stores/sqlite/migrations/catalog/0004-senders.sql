-- References of different senders are independent of each other, so a record has its sender. The fields that change
-- with every update (etag, origin, body) are in one row: an update of a book then rewrites one row, and no index.
CREATE TABLE sender (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  -- Of the last message: SentDateTime and MessageNumber as written.
  sent TEXT,
  message_number TEXT
) STRICT;

DROP INDEX IF EXISTS record_outline;
DROP INDEX IF EXISTS record_by_imprint;
DROP INDEX IF EXISTS record_by_day;
DROP INDEX IF EXISTS record_by_reference;

-- The etag and the origin stand before the body, so that reading them does not read a body of several pages.
CREATE TABLE new_body (
  id INTEGER PRIMARY KEY,
  etag TEXT NOT NULL,
  origin TEXT NOT NULL,
  body BLOB NOT NULL
) STRICT;
INSERT INTO new_body SELECT id, etag, origin, body FROM body JOIN record USING (id) ORDER BY id;
DROP TABLE body;
ALTER TABLE new_body RENAME TO body;

-- The fields that a record is found by.
CREATE TABLE new_record (
  id INTEGER PRIMARY KEY,
  isbn INTEGER NOT NULL,
  imprint TEXT,
  imprint_name TEXT,
  -- Each code is enclosed in U+001F, a character that XML does not allow, so that whole codes can be searched for.
  languages TEXT NOT NULL,
  -- YYYYMMDD
  published INTEGER,
  -- The id of the sender. NULL: the record was imported before senders were stored.
  sender INTEGER,
  reference TEXT NOT NULL
) STRICT;
INSERT INTO new_record SELECT id, isbn, imprint, imprint_name, languages, published, NULL, reference FROM record ORDER BY id;
DROP TABLE record;
ALTER TABLE new_record RENAME TO record;
