/** A running HTTP server that serves the benchmark catalog, and one way to start it. */
import { freePort } from "../../src/lib/testing/free-port.ts";
import type { MemoryLimit } from "../memory-limit.ts";
import { pinnedTo, waitUntilReady } from "../processes.ts";
import { LARGEST_IMPRINT } from "../product-xml.ts";

export interface ServerUnderTest {
  readonly name: string;
  readonly url: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The processes that handle requests. Their CPU time and memory are measured. */
  readonly pids: readonly number[];
  /** Whether the server is machine code from the start. Others compile themselves while they run, for seconds. */
  readonly isNative?: boolean;
  readonly paths: Paths;
  stop(): Promise<void>;
}

/** Request paths. A path is omitted when the server has no such endpoint. */
export interface Paths {
  readonly isbn: (isbn: string) => string;
  readonly isbns?: (isbns: readonly string[]) => string;
  readonly imprint?: string;
  readonly skus?: string;
  readonly news?: string;
}

export const API_PATHS = {
  isbn: (isbn: string) => `/api/isbn/${isbn}`,
  isbns: (isbns: readonly string[]) => `/api/isbns/${isbns.join(",")}`,
  imprint: `/api/imprint/${LARGEST_IMPRINT.slug}`,
  skus: "/api/skus",
  news: "/api/news",
} as const satisfies Paths;

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

interface ServerProgram extends Pick<ServerUnderTest, "name" | "isNative" | "paths"> {
  readonly command: (port: number) => readonly string[];
  readonly cores: string;
  /** Responds as soon as the server is ready. */
  readonly readyPath: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limit?: MemoryLimit;
  readonly stopSignal?: NodeJS.Signals;
  /** Finds the processes that handle requests. Without it, the process itself does. */
  readonly workersOf?: (pid: number) => readonly number[];
  readonly onStop?: () => void;
}

/** Starts a program on a free port, and waits until it responds. */
export async function startProgram(program: ServerProgram): Promise<ServerUnderTest> {
  const { name, isNative, paths, headers = {}, limit } = program;
  const port = freePort();
  const command = pinnedTo(program.cores, program.command(port));
  const child = Bun.spawn(limit ? limit.inside(command) : command, {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(url + program.readyPath, headers);
  return {
    name,
    url,
    headers,
    ...(isNative && { isNative }),
    pids: program.workersOf?.(child.pid) ?? [child.pid],
    paths,
    async stop() {
      child.kill(program.stopSignal);
      await child.exited;
      program.onStop?.();
    },
  };
}
