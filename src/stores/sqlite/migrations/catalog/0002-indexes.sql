-- What a lookup, a list of all ISBNs and an import ask of a record: read from here. An ISBN stands once.
CREATE INDEX record_outline ON record (isbn, etag, reference);
-- With the languages, so that the filter on them reads only the bodies it lets through.
CREATE INDEX record_by_imprint ON record (imprint, isbn, languages) WHERE imprint IS NOT NULL;
CREATE INDEX record_by_day ON record (published DESC, isbn) WHERE published IS NOT NULL;
CREATE INDEX record_by_reference ON record (reference, isbn);
