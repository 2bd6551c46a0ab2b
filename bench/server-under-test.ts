/** A running HTTP server that serves the benchmark catalog. */
export interface ServerUnderTest {
  readonly name: string;
  readonly url: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The processes that handle requests. Their CPU time and memory are measured. */
  readonly pids: readonly number[];
  /** Whether the server is machine code from the start. Others compile themselves while they run, for seconds. */
  readonly isNative?: boolean;
  /** Request paths. A path is omitted when the server has no such endpoint. */
  readonly paths: {
    readonly isbn: (isbn: string) => string;
    readonly isbns?: (isbns: readonly string[]) => string;
    readonly imprint?: string;
    readonly skus?: string;
    readonly news?: string;
  };
  stop(): Promise<void>;
}

/** One benchmark catalog on disk. */
export interface CatalogFiles {
  readonly records: number;
  /** The SQLite catalog. */
  readonly databasePath: string;
  /** The same response bodies as static files, at the paths of the API. */
  readonly staticFolder: string;
  /** Installed packages, configuration and scripts of the benchmark. */
  readonly workFolder: string;
}

/**
 * Starts a server on the given cores (a list for `taskset -c`).
 * Throws with the command to install it when the server is missing on this machine.
 */
export type StartServer = (catalog: CatalogFiles, cores: string) => Promise<ServerUnderTest>;
