/**
 * Databases with an empty catalog. The tables are created once per process, in a template that is copied: creating them takes
 * several times as long as a copy. `migrate.test.ts` and the tests of the program migrate databases of their own.
 */
import { SQL } from "bun";
import { migratePostgres } from "../store.ts";
import { createDatabase, isServerGiven, type TestDatabase } from "./database.ts";

let template: Promise<TestDatabase> | undefined;

async function createMigrated(): Promise<TestDatabase> {
  const database = await createDatabase();
  await migratePostgres(database.url);
  return database;
}

export async function createCatalogDatabase(): Promise<TestDatabase> {
  // A server that is not ours would keep the template.
  if (isServerGiven()) return await createMigrated();
  template ??= createMigrated();
  return await createDatabase({ template: (await template).name });
}

interface ResettableDatabase extends TestDatabase {
  /** Stays connected, which halves the time of a reset. */
  readonly session: SQL;
  readonly schemaDigest: string;
}

/** Databases to be used again: emptying one takes a fraction of the time of a copy. */
const emptied: ResettableDatabase[] = [];

/** Like `createCatalogDatabase`, but may return an emptied one. The caller must leave nothing outside the catalog. */
export async function borrowCatalogDatabase(): Promise<TestDatabase> {
  if (isServerGiven()) return await createMigrated();
  const database = emptied.pop() ?? (await createResettable());
  return { name: database.name, url: database.url, [Symbol.asyncDispose]: () => giveBack(database) };
}

async function createResettable(): Promise<ResettableDatabase> {
  const database = await createCatalogDatabase();
  const session = new SQL(database.url, { max: 1, idleTimeout: 0 });
  await session.unsafe(SAVE_INITIAL_ROWS);
  return { ...database, session, schemaDigest: await digest(session) };
}

async function giveBack(database: ResettableDatabase): Promise<void> {
  const { session, schemaDigest } = database;
  await session.unsafe(END_OTHER_SESSIONS);
  if ((await digest(session)) === schemaDigest) {
    await session.unsafe(RESTORE_INITIAL_ROWS);
    emptied.push(database);
  } else {
    // A test has changed the schema.
    await session.close({ timeout: 0 });
    await database[Symbol.asyncDispose]();
  }
}

async function digest(session: SQL): Promise<string> {
  const [row] = await session.unsafe<[{ digest: string }]>(SCHEMA_DIGEST);
  return row.digest;
}

// The statements that bring a catalog back to the state of a new one, as a superuser.

/** Ends all sessions but this one. */
const END_OTHER_SESSIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** Copies the rows that a new catalog has. */
const SAVE_INITIAL_ROWS = `CREATE SCHEMA initial;
  DO $$
  DECLARE name TEXT;
  BEGIN
    FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'colophon'::regnamespace AND relkind = 'r' LOOP
      EXECUTE format('CREATE TABLE initial.%1$I AS TABLE colophon.%1$I', name);
    END LOOP;
  END
  $$`;

/**
 * Restores the rows, the sequences, and the statistics that the planner has. TRUNCATE makes new files for a table and its
 * indexes, which takes longer than to delete a few rows. Deleted rows stay in the file until it is large.
 */
const RESTORE_INITIAL_ROWS = `DO $$
  DECLARE
    name TEXT;
    sequence REGCLASS;
  BEGIN
    FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'colophon'::regnamespace AND relkind = 'r' LOOP
      IF pg_table_size(format('colophon.%I', name)) > 256 * 1024 THEN
        EXECUTE format('TRUNCATE colophon.%I', name);
      ELSE
        EXECUTE format('DELETE FROM colophon.%I', name);
      END IF;
      EXECUTE format('INSERT INTO colophon.%1$I OVERRIDING SYSTEM VALUE TABLE initial.%1$I', name);
    END LOOP;
    FOR sequence IN SELECT oid FROM pg_class WHERE relnamespace = 'colophon'::regnamespace AND relkind = 'S' LOOP
      PERFORM setval(sequence, 1, false);
    END LOOP;
    DELETE FROM pg_statistic WHERE starelid IN (
      SELECT oid FROM pg_class WHERE relnamespace = 'colophon'::regnamespace
    );
    UPDATE pg_class SET relpages = 0, reltuples = -1, relallvisible = 0
    WHERE relnamespace = 'colophon'::regnamespace AND relkind IN ('r', 'i') AND reltuples <> -1;
  END
  $$`;

/** A digest of the tables, columns, indexes, constraints, defaults, triggers and privileges of the catalog. */
export const SCHEMA_DIGEST = `SELECT md5(string_agg(line, E'\\n' ORDER BY line)) AS digest FROM (
    SELECT concat_ws(' ', relname, relkind, relowner, relacl, reloptions, relrowsecurity) AS line FROM pg_class
      WHERE relnamespace = to_regnamespace('colophon')
    UNION ALL
    SELECT concat_ws(' ', relname, attnum, attname, atttypid, attnotnull, attidentity, attacl, pg_get_expr(adbin, adrelid))
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      WHERE relnamespace = to_regnamespace('colophon') AND relkind = 'r'
    UNION ALL
    SELECT concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid) FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE relnamespace = to_regnamespace('colophon')
    UNION ALL
    SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = to_regnamespace('colophon')
    UNION ALL
    SELECT pg_get_triggerdef(pg_trigger.oid) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
      WHERE relnamespace = to_regnamespace('colophon')
    UNION ALL
    SELECT concat_ws(' ', nspname, nspowner, nspacl) FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%'
  ) AS lines`;
