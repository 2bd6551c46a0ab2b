-- A running import ends before its records are indexed again.
SELECT revision FROM colophon.catalog FOR UPDATE;

-- The search index is made again, from the records: each book also has what it lacks.
DROP INDEX IF EXISTS colophon.search_by_words, colophon.search_by_title, colophon.search_by_sample;
TRUNCATE colophon.search;
ALTER TABLE colophon.search
  -- The bits of what the book lacks (src/onix/completeness/book-needs.ts).
  ADD COLUMN lacks SMALLINT NOT NULL,
  -- The price bands that the book is counted in.
  ADD COLUMN prices TEXT[] NOT NULL;

-- How many books have a value (src/catalog/quality/book-counts.ts). Imports keep it up to date. The key is a digest of
-- kind and value, because an index holds no long texts.
CREATE TABLE colophon.book_count (
  key TEXT COLLATE "C" PRIMARY KEY,
  kind TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  books BIGINT NOT NULL
);

-- Whoever may read or write the records may do the same with the counts.
DO $$
DECLARE
  statement TEXT;
BEGIN
  FOR statement IN
    SELECT format(
      'GRANT %s ON colophon.book_count TO %s',
      privilege_type,
      CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END
    )
    FROM pg_class, aclexplode(relacl)
    WHERE pg_class.oid = 'colophon.record'::regclass
      AND privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
  LOOP
    EXECUTE statement;
  END LOOP;
END
$$;
