-- The indexes of searches. An import into an empty catalog runs this file, too, at its end.
DROP INDEX IF EXISTS book_search_by_search_id;
DROP INDEX IF EXISTS book_search_by_title;
-- Covers what facets and the order of titles read of the books that the index of words has found.
CREATE INDEX book_search_by_search_id
  ON book_search (search_id, imprint, languages, form, availability, lacks, title_key);
CREATE INDEX book_search_by_title ON book_search (title_key, isbn, search_id);
