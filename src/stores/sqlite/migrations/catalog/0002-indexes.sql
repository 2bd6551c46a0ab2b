-- Covers a lookup, the list of all ISBNs, and what an import reads of a record. Every ISBN occurs once.
CREATE INDEX record_outline ON record (isbn, etag, reference);
-- Includes the languages, so that a filter by language reads only the bodies that match.
CREATE INDEX record_by_imprint ON record (imprint, isbn, languages) WHERE imprint IS NOT NULL;
CREATE INDEX record_by_day ON record (published DESC, isbn) WHERE published IS NOT NULL;
CREATE INDEX record_by_reference ON record (reference, isbn);
