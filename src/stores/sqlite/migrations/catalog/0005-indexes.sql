-- The current indexes. An import into an empty catalog runs this file, too, at its end. None has the etag, which
-- changes with every update of a book.
DROP INDEX IF EXISTS record_outline;
DROP INDEX IF EXISTS record_by_imprint;
DROP INDEX IF EXISTS record_by_day;
DROP INDEX IF EXISTS record_by_reference;
-- Covers a lookup, the list of all ISBNs, and what an import compares of a record. Every ISBN occurs once.
CREATE INDEX record_outline ON record (isbn, sender, reference);
-- Includes the languages, so that a filter by language reads only the bodies that match.
CREATE INDEX record_by_imprint ON record (imprint, isbn, languages) WHERE imprint IS NOT NULL;
CREATE INDEX record_by_day ON record (published DESC, isbn) WHERE published IS NOT NULL;
CREATE INDEX record_by_reference ON record (sender, reference, isbn) WHERE sender IS NOT NULL;
