/** The stores that imports are measured on: catalogs, copies of catalogs, and what an import has cost them. */
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

class PostgresCatalog implements MeasuredCatalog {
  constructor(readonly database: TestDatabase) {}

  get location(): string {
    return this.database.url;
  }

  async sizeBytes(): Promise<number> {
    return Number(await queryValue(this.location, "SELECT pg_database_size(current_database())"));
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
