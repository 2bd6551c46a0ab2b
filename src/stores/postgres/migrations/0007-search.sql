-- The search index: a row for each record. docs/search.md has the rules, and docs/postgres.md the reasons.
CREATE TABLE colophon.search (
  -- Ascending ids are the order of the newest books first; the ISBN is a part of it.
  id BIGINT PRIMARY KEY,
  -- A random number below 1024. A sample tells how common the words of a search are.
  sample SMALLINT NOT NULL,
  -- A record whose search document stays the same needs no change here.
  digest TEXT NOT NULL,
  title_key TEXT COLLATE "C" NOT NULL,
  -- What facets count by.
  imprint TEXT COLLATE "C",
  languages TEXT[] NOT NULL,
  form TEXT COLLATE "C",
  availability TEXT COLLATE "C",
  -- Is made by Colophon, not by to_tsvector: no dictionary and no setting of the server matters.
  words TSVECTOR NOT NULL
);
-- Words stay uncompressed in their row, where reading them in order takes a few microseconds.
ALTER TABLE colophon.search SET (toast_tuple_target = 8160);
-- Searches choose their plans by samples. Statistics of words would be most of the work of ANALYZE.
ALTER TABLE colophon.search ALTER COLUMN words SET STATISTICS 0;

-- Whoever may read or write the records may do the same with the search index.
DO $$
DECLARE
  statement TEXT;
BEGIN
  FOR statement IN
    SELECT format(
      'GRANT %s ON colophon.search TO %s',
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

-- A running import ends before its records are indexed.
SELECT revision FROM colophon.catalog FOR UPDATE;
