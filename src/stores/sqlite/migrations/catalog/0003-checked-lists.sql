-- The current indexes. An import into an empty catalog runs this file, too, at its end.
DROP INDEX IF EXISTS record_outline;
DROP INDEX IF EXISTS record_by_imprint;
DROP INDEX IF EXISTS record_by_day;
DROP INDEX IF EXISTS record_by_reference;
-- Covers a lookup, the list of all ISBNs, and what an import reads of a record. Every ISBN occurs once.
CREATE INDEX record_outline ON record (isbn, etag, reference);
-- Includes the languages, so that a filter by language reads only the bodies that match, and the etag, so that a list
-- checks each body without reading the record table.
CREATE INDEX record_by_imprint ON record (imprint, isbn, languages, etag) WHERE imprint IS NOT NULL;
CREATE INDEX record_by_day ON record (published DESC, isbn, etag) WHERE published IS NOT NULL;
CREATE INDEX record_by_reference ON record (reference, isbn);
