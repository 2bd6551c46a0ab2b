-- The indexes as they are now; an import into an empty catalog makes them with this, too, at its end.
DROP INDEX IF EXISTS record_outline;
DROP INDEX IF EXISTS record_by_imprint;
DROP INDEX IF EXISTS record_by_day;
DROP INDEX IF EXISTS record_by_reference;
-- What a lookup, a list of all ISBNs and an import ask of a record: read from here. An ISBN stands once.
CREATE INDEX record_outline ON record (isbn, etag, reference);
-- With the languages, so that the filter on them reads only the bodies it lets through; and with the etag, so that
-- a list checks each body against it without a look into the table of records.
CREATE INDEX record_by_imprint ON record (imprint, isbn, languages, etag) WHERE imprint IS NOT NULL;
CREATE INDEX record_by_day ON record (published DESC, isbn, etag) WHERE published IS NOT NULL;
CREATE INDEX record_by_reference ON record (reference, isbn);
