-- One row for each of the last imports, also those that failed or changed nothing.
CREATE TABLE colophon.import_run (
  -- The order in which the imports ended.
  place BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id TEXT COLLATE "C" NOT NULL UNIQUE,
  -- ISO 8601
  started TEXT NOT NULL,
  ended TEXT NOT NULL,
  outcome TEXT NOT NULL,
  message TEXT,
  -- JSON
  counts TEXT NOT NULL
);

-- Whoever may read or write the records may do the same with the import runs.
DO $$
DECLARE
  statement TEXT;
BEGIN
  FOR statement IN
    SELECT format(
      'GRANT %s ON colophon.import_run TO %s',
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
