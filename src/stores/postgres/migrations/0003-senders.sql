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
