-- The search index again, from the records: each book also has what it lacks.
DROP TABLE book_index;
DROP TABLE book_search;

-- The words of each book (src/catalog/search). The row id is the search id: newest first, then by ISBN. The text is not
-- stored again. The texts have words that are separated by spaces, and FTS5 splits them there and nowhere else: `ascii`
-- takes every character outside of ASCII for a part of a word.
CREATE VIRTUAL TABLE book_index USING fts5 (
  title, contributor, rest, description, filter,
  content = '', contentless_delete = 1, tokenize = 'ascii'
);

-- FTS5 writes a segment when its words take more memory than this. A batch of an import takes less.
INSERT INTO book_index (book_index, rank) VALUES ('hashsize', 33554432);
-- Eight segments of one size become one. With fewer, an import would write each word more often; with more, a search
-- would look into more of them.
INSERT INTO book_index (book_index, rank) VALUES ('automerge', 8);

-- What facets count by, and what an update compares: a book with the same search id and digest stays in the index.
CREATE TABLE book_search (
  id INTEGER PRIMARY KEY,
  search_id INTEGER NOT NULL,
  isbn INTEGER NOT NULL,
  digest TEXT NOT NULL,
  title_key TEXT NOT NULL,
  imprint TEXT,
  languages TEXT NOT NULL,
  form TEXT,
  availability TEXT,
  -- The bits of what the book lacks (src/onix/completeness/book-needs.ts).
  lacks INTEGER NOT NULL,
  -- The price bands that the book is counted in, enclosed as languages are.
  prices TEXT NOT NULL
) STRICT;

-- How many books have a value (src/catalog/quality/book-counts.ts). Imports keep it up to date.
CREATE TABLE book_count (
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  books INTEGER NOT NULL,
  PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;
