/** The stores that imports are measured on: catalogs, copies of catalogs, and what an import has cost them. */
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { join } from "node:path";
import { createDatabase, serverUrl, type TestDatabase } from "../../src/stores/postgres/testing/database.ts";
import { queryValue, runStatements } from "../../src/stores/postgres/testing/sql.ts";
import { copyDatabase, readOnce, removeDatabase } from "../catalog.ts";
import { cpuSecondsOfTree, parentOf } from "../processes.ts";

export interface MeasuredStore {
  readonly id: "sqlite" | "postgres";
  /** Creates an empty catalog, or copies one that no process has open. */
  create(from?: MeasuredCatalog): Promise<MeasuredCatalog>;
}

export interface MeasuredCatalog extends AsyncDisposable {
  /** For `--db`. */
  readonly location: string;
  sizeBytes(): Promise<number>;
  /** Of the pages of a file, or of the rows of a database. */
  unusedShare(): Promise<number>;
  /** Does what the server does by itself within a minute or a day. */
  cleanUp(): Promise<void>;
  /** Watches an import until the returned function is called. */
  watch(): Promise<() => Promise<StoreCost>>;
}

export interface StoreCost {
  /** SQLite: the most that the write-ahead log had. PostgreSQL: all that was written to it. */
  readonly logBytes: number;
  /** Of all processes of the PostgreSQL server; 0 when it runs on another machine. */
  readonly serverCpuSeconds: number;
}

const LOG_INTERVAL_MS = 5;

export function sqliteStore(folder: string): MeasuredStore {
  let files = 0;
  return {
    id: "sqlite",
    async create(from) {
      const location = join(folder, `catalog-${++files}.db`);
      if (from) {
        copyDatabase(from.location, location);
        await readOnce(location);
      }
      return {
        location,
        sizeBytes: async () => statSync(location).size,
        async unusedShare() {
          using db = new Database(location, { readonly: true });
          const [unused, all] = ["freelist_count", "page_count"].map(
            (name) => db.query<number[], []>(`PRAGMA ${name}`).values()[0]![0]! as unknown as number,
          );
          return unused! / all!;
        },
        cleanUp: async () => {},
        async watch() {
          let logBytes = 0;
          const timer = setInterval(() => {
            logBytes = Math.max(logBytes, statSync(`${location}-wal`, { throwIfNoEntry: false })?.size ?? 0);
          }, LOG_INTERVAL_MS);
          return async () => {
            clearInterval(timer);
            return { logBytes, serverCpuSeconds: 0 };
          };
        },
        [Symbol.asyncDispose]: async () => removeDatabase(location),
      };
    },
  };
}

/** Uses the server of the tests, or the one that `startPostgres` has started. */
export const postgresStore: MeasuredStore = {
  id: "postgres",
  async create(from) {
    const database = await createDatabase(from && { template: (from as PostgresCatalog).database.name });
    return new PostgresCatalog(database);
  },
};

/** What `VACUUM` has freed is not used by rows, and is reused. */
const DEAD_ROWS = `SELECT 1 - sum(reltuples * width) / sum(pg_relation_size(pg_class.oid))
  FROM pg_class, LATERAL (SELECT sum(avg_width) + 28 AS width FROM pg_stats WHERE tablename = relname AND schemaname = 'colophon') AS stats
  WHERE relnamespace = 'colophon'::regnamespace AND relkind = 'r'`;

class PostgresCatalog implements MeasuredCatalog {
  constructor(readonly database: TestDatabase) {}

  get location(): string {
    return this.database.url;
  }

  async sizeBytes(): Promise<number> {
    return Number(await queryValue(this.location, "SELECT pg_database_size(current_database())"));
  }

  async unusedShare(): Promise<number> {
    return Number(await queryValue(this.location, DEAD_ROWS));
  }

  cleanUp(): Promise<void> {
    return runStatements(this.location, "VACUUM");
  }

  async watch(): Promise<() => Promise<StoreCost>> {
    const url = await serverUrl();
    // The copy of a catalog would otherwise be written to the disk beside the import.
    await runStatements(url, "CHECKPOINT");
    const server = await serverPid(url);
    const cpuSeconds = () => (server === undefined ? 0 : cpuSecondsOfTree(server));
    const start = await queryValue(url, "SELECT pg_current_wal_lsn()");
    const cpuBefore = cpuSeconds();
    return async () => {
      const written = await queryValue(url, `SELECT pg_current_wal_lsn() - '${start}'::pg_lsn`);
      return { logBytes: Number(written), serverCpuSeconds: cpuSeconds() - cpuBefore };
    };
  }

  [Symbol.asyncDispose]() {
    return this.database[Symbol.asyncDispose]();
  }
}

/** Returns undefined when the server runs on another machine. */
async function serverPid(url: string): Promise<number | undefined> {
  const query = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'";
  return parentOf(Number(await queryValue(url, query)));
}
