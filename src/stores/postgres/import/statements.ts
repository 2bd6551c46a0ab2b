/** What an import says to PostgreSQL. */
import { ENTRY_COLUMNS } from "../rows.ts";

/**
 * Whatever the defaults of role and database are. READ COMMITTED: after the wait for another import, the row of
 * `LOCK` is as that one left it. Plans are made anew each time, as those for an empty catalog do not suit a full
 * one. A commit waits until standbys that the operator has made synchronous have applied it, not only received it.
 */
export const BEGIN = `
  BEGIN ISOLATION LEVEL READ COMMITTED;
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL plan_cache_mode = force_custom_plan;
  SET LOCAL synchronous_commit = remote_apply`;

export const LOCK = "SELECT revision, records FROM colophon.catalog WHERE id = 1 FOR UPDATE";

/**
 * Both tables last as long as the transaction: `touched` is what the import has spoken of, `staging` the changed
 * records of a batch.
 */
export const PREPARE = `
  SET LOCAL lock_timeout = 0;
  CREATE TEMP TABLE touched (isbn BIGINT PRIMARY KEY, feed INTEGER NOT NULL, before TEXT) ON COMMIT DROP;
  CREATE TEMP TABLE staging (LIKE colophon.record)
    WITH (toast_tuple_target = 8160) ON COMMIT DROP`;

/** For the other connection: a state for each query, not for all, so that nothing old is held. */
export const BEGIN_READING = `
  BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY;
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL plan_cache_mode = force_custom_plan`;

export const HELD = `
  SELECT now.etag, now.reference, said.feed, said.before
  FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (isbn, place)
  LEFT JOIN LATERAL (SELECT etag, reference FROM colophon.record WHERE isbn = asked.isbn LIMIT 1) AS now ON true
  LEFT JOIN LATERAL (SELECT feed, before FROM pg_temp.touched WHERE isbn = asked.isbn LIMIT 1) AS said ON true
  ORDER BY place`;

/** The same of books that this import has not spoken of. */
export const HELD_BEFORE = `
  SELECT now.etag, now.reference, NULL::integer AS feed, NULL AS before
  FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (isbn, place)
  LEFT JOIN LATERAL (SELECT etag, reference FROM colophon.record WHERE isbn = asked.isbn LIMIT 1) AS now ON true
  ORDER BY place`;

export const ENTRY = `SELECT ${ENTRY_COLUMNS} FROM colophon.record WHERE isbn = $1::bigint`;

/** Ordered by the index and not by ISBN alone: see `view.ts`. */
export const BY_REFERENCE = `
  SELECT isbn FROM colophon.record
  WHERE (left(reference, 256), isbn) > (left($1, 256), -1) AND left(reference, 256) <= left($1, 256)
    AND reference = $1
  ORDER BY left(reference, 256), isbn LIMIT 100`;

/** Those that the import speaks of for the first time. */
export const COPY_NOTES = "COPY pg_temp.touched (isbn, feed, before) FROM STDIN (FORMAT binary)";

/** Before anything is written of them: each with the etag that it has now, which stays with the first. */
export const NOTE = `
  INSERT INTO pg_temp.touched
  SELECT isbn, feed, (SELECT etag FROM colophon.record WHERE record.isbn = said.isbn)
  FROM unnest($1::bigint[], $2::integer[]) AS said (isbn, feed)
  ON CONFLICT (isbn) DO UPDATE SET feed = excluded.feed`;

/** Those that are there, with the spelling of an imprint that loses one. */
export const OLD = `
  SELECT isbn, imprint, imprint_name FROM colophon.record WHERE isbn = ANY ($1::bigint[])`;

/** New records need no staging: until the commit nobody sees them. It saves the server a third of the work. */
export const COPY_NEW = `COPY colophon.record (${ENTRY_COLUMNS}) FROM STDIN (FORMAT binary)`;

export const COPY_CHANGED = `COPY pg_temp.staging (${ENTRY_COLUMNS}) FROM STDIN (FORMAT binary)`;

export const PUT_CHANGED = `
  INSERT INTO colophon.record (${ENTRY_COLUMNS}) SELECT ${ENTRY_COLUMNS} FROM pg_temp.staging
  ON CONFLICT (isbn) DO UPDATE SET size = excluded.size, recency = excluded.recency, etag = excluded.etag,
    imprint = excluded.imprint, imprint_name = excluded.imprint_name, languages = excluded.languages,
    reference = excluded.reference, origin = excluded.origin, body = excluded.body`;

export const EMPTY_STAGING = "TRUNCATE pg_temp.staging";

export const REMOVE = "DELETE FROM colophon.record WHERE isbn = ANY ($1::bigint[])";

/** A subquery for each row, by the index of \`touched\`: a join might read all of that for every batch. */
export const UNTOUCHED = `
  SELECT isbn, etag FROM colophon.record
  WHERE isbn > $1::bigint AND (SELECT feed FROM pg_temp.touched WHERE touched.isbn = record.isbn) IS NULL
  ORDER BY isbn LIMIT 1000`;

/** Some time after a large import the server would do so itself; until then it might choose bad plans. */
export const FRESHEN_FIGURES = "ANALYZE colophon.record, colophon.imprint";

/** The time stays when the records are the same. */
export const END = `
  UPDATE colophon.catalog SET generation = generation + 1, revision = $1, records = $2::bigint,
    imported = CASE WHEN revision = $1 THEN imported ELSE $3 END
  WHERE id = 1`;
