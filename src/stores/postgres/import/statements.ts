/** The SQL statements of an import. */
import { entryColumns, RECORD_COLUMNS } from "../rows.ts";

/** The columns of a record that `copy-rows.ts` writes, in its order. */
export const WRITTEN_COLUMNS = [...RECORD_COLUMNS, "changed", "added", "feed", "added_feed", "blocks"];
/** The same for a record that is replaced, with its summary. */
export const STAGED_COLUMNS = [...WRITTEN_COLUMNS, "summary_size", "summary_etag", "summary"];
const REPLACED_COLUMNS = RECORD_COLUMNS.filter((name) => name !== "isbn");

/** Operators see it in `pg_stat_activity`, and imports recognise each other by it. */
const IMPORT_APPLICATION_NAME = "colophon import";

/**
 * Settings of both connections. Custom plans: a plan for an empty catalog does not suit a full one. With the keepalives,
 * the server ends the session of a machine that has vanished within half a minute, also while it waits for rows or sends
 * a result. Without TCP, these settings have no effect.
 */
const SETTINGS = `
  SET LOCAL application_name = '${IMPORT_APPLICATION_NAME}';
  SET LOCAL plan_cache_mode = force_custom_plan;
  SET LOCAL tcp_keepalives_idle = 10;
  SET LOCAL tcp_keepalives_interval = 5;
  SET LOCAL tcp_keepalives_count = 4;
  SET LOCAL tcp_user_timeout = 30000`;

/**
 * For the writing connection. READ COMMITTED: after the wait for another import, `LOCK` reads the row as that import left
 * it. `remote_apply`: a commit waits until synchronous standbys have applied it, not only received it.
 */
export const BEGIN = `
  BEGIN ISOLATION LEVEL READ COMMITTED;
  ${SETTINGS};
  SET LOCAL synchronous_commit = remote_apply`;

/** For the reading connection. READ COMMITTED: each query has its own snapshot, so that no old one is held. */
export const BEGIN_READING = `
  BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY;
  ${SETTINGS}`;

/**
 * Limits the time that the transaction may be idle; the limit of the role counts when it is lower. Returns the limits of
 * the role and the identity of the transaction. A long statement notices every 10 s whether its client is gone; servers
 * on Windows cannot, and reject the setting.
 */
export const SET_LIMITS = `
  SELECT pg_backend_pid() AS pid, (extract(epoch FROM now()) * 1000000)::bigint::text AS started,
    idle.ms AS idle_timeout, statement.ms AS statement_timeout,
    set_config('idle_in_transaction_session_timeout', idle.ms::text, true),
    CASE WHEN version() !~* 'windows|mingw|msvc|visual' THEN
      set_config('client_connection_check_interval', '10000', true) END
  FROM (
    SELECT least(nullif(setting::integer, 0), $1::integer) AS ms FROM pg_settings
    WHERE name = 'idle_in_transaction_session_timeout'
  ) AS idle, (
    SELECT setting::integer AS ms FROM pg_settings WHERE name = 'statement_timeout'
  ) AS statement`;

/** Serializes imports. */
export const LOCK = "SELECT revision, records FROM colophon.catalog WHERE id = 1 FOR UPDATE";

/**
 * `seen` has a row for each ISBN that a feed of this import has put, marked or removed. `staging` takes the replaced
 * records of a batch, with their summaries.
 */
export const CREATE_TABLES = `
  SET LOCAL lock_timeout TO DEFAULT;
  CREATE TEMP TABLE seen (isbn BIGINT PRIMARY KEY, feed INTEGER NOT NULL, before TEXT) ON COMMIT DROP;
  CREATE TEMP TABLE staging (LIKE colophon.record, summary_size INTEGER, summary_etag TEXT, summary BYTEA)
    WITH (toast_tuple_target = 8160) ON COMMIT DROP`;

/** Keeps a connection from being idle for too long. */
export const HEARTBEAT = "SELECT 1";

/** Changes with each statement, and as a COPY reads rows. */
const FINGERPRINT = `concat_ws(' ', state, wait_event, query_start, state_change, (
  SELECT bytes_processed FROM pg_stat_progress_copy AS copy WHERE copy.pid = activity.pid))`;

/** For the watchdog: what the server processes of the import are doing. */
export const BACKENDS = `
  SELECT pid, (extract(epoch FROM xact_start) * 1000000)::bigint::text AS started, state, wait_event,
    wait_event_type IS NOT DISTINCT FROM 'Lock' AS is_locked, ${FINGERPRINT} AS fingerprint
  FROM pg_stat_activity AS activity WHERE pid = ANY ($1::integer[])`;

/** The imports that a backend waits for, and that wait for their own client. */
export const IDLE_LOCK_HOLDERS = `
  SELECT pid, ${FINGERPRINT} AS fingerprint FROM pg_stat_activity AS activity
  WHERE pid = ANY (pg_blocking_pids($1::integer)) AND wait_event = 'ClientRead'
    AND application_name = '${IMPORT_APPLICATION_NAME}'`;

/** A role may end the backends of its own imports. */
export const END_BACKEND = "SELECT pg_terminate_backend($1::integer)";

/** After a failover, this may be a standby that has not been promoted yet. */
export const IS_STANDBY = "SELECT pg_is_in_recovery() AS standby";

export const RUN_EXISTS = "SELECT EXISTS (SELECT 1 FROM colophon.import_run WHERE id = $1) AS stored";

const STORED = `unnest($1::bigint[]) WITH ORDINALITY AS requested (isbn, ordinal)
  LEFT JOIN LATERAL (
    SELECT etag, (SELECT key FROM colophon.sender WHERE sender.id = record.sender) AS sender, reference, origin
    FROM colophon.record WHERE isbn = requested.isbn LIMIT 1
  ) AS stored ON true`;

export const STATUS_OF_ISBNS = `
  SELECT stored.*, seen.feed, seen.before FROM ${STORED}
  LEFT JOIN LATERAL (
    SELECT feed, before FROM pg_temp.seen WHERE isbn = requested.isbn LIMIT 1
  ) AS seen ON true
  ORDER BY ordinal`;

/** The same for ISBNs that are not in `seen`, on the reading connection. */
export const STATUS_OF_UNSEEN = `
  SELECT stored.*, NULL::integer AS feed, NULL AS before FROM ${STORED} ORDER BY ordinal`;

export const ENTRIES = `
  SELECT ${entryColumns("record")}, summary.etag AS summary_etag, summary.body AS summary
  FROM colophon.record LEFT JOIN colophon.summary USING (isbn) WHERE isbn = ANY ($1::bigint[])`;

/** The order has both columns, not the ISBN alone: see `orderOf` in `selected-rows.ts`. */
export const BY_REFERENCES = `
  SELECT requested.ordinal, stored.isbn
  FROM (
    SELECT reference COLLATE "C" AS reference, ordinal
    FROM unnest($2::text[]) WITH ORDINALITY AS given (reference, ordinal) WHERE reference <> ''
  ) AS requested
  JOIN LATERAL (
    SELECT isbn FROM colophon.record
    WHERE sender = $1::integer AND (left(reference, 256), isbn) > (left(requested.reference, 256), -1)
      AND left(reference, 256) <= left(requested.reference, 256) AND reference = requested.reference
    ORDER BY left(reference, 256), isbn LIMIT $3::bigint
  ) AS stored ON true
  ORDER BY ordinal, isbn`;

export const SENDER = `
  SELECT id, sent, message_number FROM colophon.sender WHERE left(key, 256) = left($1, 256) AND key = $1`;

export const ADD_SENDER = "INSERT INTO colophon.sender (key) VALUES ($1) RETURNING id";

export const SET_LAST_MESSAGE =
  "UPDATE colophon.sender SET sent = $2, message_number = $3 WHERE id = $1::integer";

export const COPY_SEEN = "COPY pg_temp.seen (isbn, feed, before) FROM STDIN (FORMAT binary)";

/** Runs before the records change. The current etag is stored with the first row of an ISBN, and stays. */
export const MARK_SEEN = `
  INSERT INTO pg_temp.seen
  SELECT isbn, feed, (SELECT etag FROM colophon.record WHERE record.isbn = marked.isbn)
  FROM unnest($1::bigint[], $2::integer[]) AS marked (isbn, feed)
  ON CONFLICT (isbn) DO UPDATE SET feed = excluded.feed`;

/**
 * Reads which records exist, with the imprint spelling whose count they leave, the date of their search id, and what an
 * undo needs. The body is read of those of $2.
 */
export const EXISTING = `
  SELECT isbn, recency, imprint, imprint_name, etag, reference, origin,
    (SELECT key FROM colophon.sender WHERE sender.id = record.sender) AS sender, CASE WHEN isbn = ANY ($2::bigint[]) THEN body END AS body
  FROM colophon.record WHERE isbn = ANY ($1::bigint[])`;

/** New records go straight into the table, as nobody sees them before the commit. It saves a third of the work. */
export const COPY_NEW = `COPY colophon.record (${WRITTEN_COLUMNS}) FROM STDIN (FORMAT binary)`;

export const COPY_SUMMARIES = "COPY colophon.summary (isbn, size, etag, body) FROM STDIN (FORMAT binary)";

export const COPY_REPLACED = `COPY pg_temp.staging (${STAGED_COLUMNS}) FROM STDIN (FORMAT binary)`;

/**
 * A record whose bytes stay the same keeps its number, and where it came from. A record that the import has changed
 * before has the blocks of both changes.
 */
export const REPLACE_FROM_STAGING = `
  INSERT INTO colophon.record (${WRITTEN_COLUMNS}) SELECT ${WRITTEN_COLUMNS} FROM pg_temp.staging
  ON CONFLICT (isbn) DO UPDATE SET ${REPLACED_COLUMNS.map((name) => `${name} = excluded.${name}`)},
    changed = CASE WHEN record.etag = excluded.etag THEN record.changed ELSE excluded.changed END,
    feed = CASE WHEN record.etag = excluded.etag THEN record.feed ELSE excluded.feed END,
    blocks = CASE WHEN record.etag = excluded.etag THEN record.blocks
      WHEN record.changed <> excluded.changed THEN excluded.blocks
      WHEN length(record.blocks) > 2000 THEN record.blocks ELSE record.blocks || ' ' || excluded.blocks END`;

/** A damaged catalog may have lost a summary. */
export const REPLACE_SUMMARIES = `
  INSERT INTO colophon.summary SELECT isbn, summary_size, summary_etag, summary FROM pg_temp.staging
  ON CONFLICT (isbn) DO UPDATE SET size = excluded.size, etag = excluded.etag, body = excluded.body
  WHERE summary.etag <> excluded.etag`;

export const EMPTY_STAGING = "TRUNCATE pg_temp.staging";

/** Removes records, and remembers those that were there before the import, whose number is $2. */
export const REMOVE = `
  WITH removed AS (DELETE FROM colophon.record WHERE isbn = ANY ($1::bigint[]) RETURNING isbn, added)
  INSERT INTO colophon.deletion SELECT isbn, $2::integer FROM removed WHERE added < $2::integer
  ON CONFLICT (isbn) DO UPDATE SET number = excluded.number`;

export const REMOVE_SUMMARIES = "DELETE FROM colophon.summary WHERE isbn = ANY ($1::bigint[])";

/** The subquery uses the index of `seen` for each row. A join might read all of `seen` for every batch. */
export const UNSEEN = `
  SELECT isbn, etag FROM colophon.record
  WHERE isbn > $1::bigint AND (SELECT feed FROM pg_temp.seen WHERE seen.isbn = record.isbn) IS NULL
  ORDER BY isbn LIMIT 1000`;

export const UNSEEN_OF_SENDER = `
  SELECT count(*) AS records FROM colophon.record
  WHERE sender = $1::integer AND (SELECT feed FROM pg_temp.seen WHERE seen.isbn = record.isbn) IS NULL`;

/** `seen` has the etag before the import for each record that was there. */
export const SEEN_BEFORE = "SELECT count(*) AS records FROM pg_temp.seen WHERE before IS NOT NULL";

/** Updates the planner's statistics. Autovacuum would do so later; until then the planner might choose bad plans. */
export const ANALYZE =
  "SET LOCAL default_statistics_target = 30; ANALYZE colophon.record, colophon.summary, colophon.edition_link, colophon.imprint, colophon.search, colophon.search_book, colophon.book_count";

/** Keeps the time of the last import when the records are the same. */
export const UPDATE_CATALOG = `
  UPDATE colophon.catalog SET generation = generation + 1, revision = $1, records = $2::bigint,
    imported = CASE WHEN revision = $1 THEN imported ELSE $3 END
  WHERE id = 1`;
