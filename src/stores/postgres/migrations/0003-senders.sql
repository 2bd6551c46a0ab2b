-- References of different senders are independent of each other, so a record has its sender.
CREATE TABLE colophon.sender (
  id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key TEXT COLLATE "C" NOT NULL,
  -- Of the last message: SentDateTime and MessageNumber as written.
  sent TEXT,
  message_number TEXT
);
-- A key of any length occurs once, because only one import runs at a time.
CREATE INDEX sender_by_key ON colophon.sender (left(key, 256));

-- NULL: the record was imported before senders were stored.
ALTER TABLE colophon.record ADD COLUMN sender INTEGER;
DROP INDEX colophon.record_by_reference;
CREATE INDEX record_by_reference ON colophon.record (sender, left(reference, 256), isbn) WHERE sender IS NOT NULL;

-- Whoever may read or write the records may do the same with their senders.
DO $$
DECLARE
  statement TEXT;
BEGIN
  FOR statement IN
    SELECT format(
      'GRANT %s ON colophon.sender TO %s',
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
