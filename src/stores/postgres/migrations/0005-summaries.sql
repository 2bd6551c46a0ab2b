-- The summary of each record, in a table of its own: a list of summaries reads no records.
CREATE TABLE colophon.summary (
  isbn BIGINT PRIMARY KEY,
  -- Bytes of the body, as in the table of records.
  size INTEGER NOT NULL,
  etag TEXT NOT NULL,
  body BYTEA NOT NULL
);
ALTER TABLE colophon.summary SET (toast_tuple_target = 8160);

-- Whoever may read or write the records may do the same with the summaries.
DO $$
DECLARE
  statement TEXT;
BEGIN
  FOR statement IN
    SELECT format(
      'GRANT %s ON colophon.summary TO %s',
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

-- A running import ends before the summaries of its records are made.
SELECT revision FROM colophon.catalog FOR UPDATE;
