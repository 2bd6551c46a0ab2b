-- An import that has changed records. The numbers are in the order of the commits. The id is random: another history
-- with the same number, such as that of a restored backup or after a failover, has another one.
CREATE TABLE colophon.change_run (
  number INTEGER PRIMARY KEY,
  id TEXT COLLATE "C" NOT NULL,
  -- ISO 8601
  at TEXT COLLATE "C" NOT NULL
);

-- The books that were deleted, and are not in the catalog again.
CREATE TABLE colophon.deletion (
  isbn BIGINT PRIMARY KEY,
  number INTEGER NOT NULL
);
CREATE INDEX deletion_by_number ON colophon.deletion (number, isbn);

-- Whoever may read or write the records may do the same with their changes.
DO $$
DECLARE
  statement TEXT;
BEGIN
  FOR statement IN
    SELECT format(
      'GRANT %s ON colophon.change_run, colophon.deletion TO %s',
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

-- A running import ends before its records get their numbers.
SELECT revision FROM colophon.catalog FOR UPDATE;

-- The imports that have changed the record last, and that have added it. To clients, the existing records come with one
-- import. The defaults are for them alone.
ALTER TABLE colophon.record
  ADD COLUMN changed INTEGER NOT NULL DEFAULT 1,
  ADD COLUMN added INTEGER NOT NULL DEFAULT 1;
ALTER TABLE colophon.record
  ALTER COLUMN changed DROP DEFAULT,
  ALTER COLUMN added DROP DEFAULT;
CREATE INDEX record_by_change ON colophon.record (changed, isbn);

-- The last import whose deletions were removed from the table because of their age.
ALTER TABLE colophon.catalog ADD COLUMN forgotten_change INTEGER NOT NULL DEFAULT 0;

INSERT INTO colophon.change_run
  SELECT 1, left(md5(random()::text || clock_timestamp()::text), 16),
    coalesce(imported, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  FROM colophon.catalog WHERE records > 0;
