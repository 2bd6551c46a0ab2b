-- A fast checksum of each record and summary (src/stores/sqlite/checksum.ts). The column stands after the body, so that
-- existing rows stay as they are. NULL: the row was written before, and its etag is the checksum.
ALTER TABLE body ADD COLUMN checksum INTEGER;
ALTER TABLE summary ADD COLUMN checksum INTEGER;
