/** Starts the real program, `bin/colophon serve`, with a token for the benchmark. */
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../src/lib/testing/free-port.ts";
import { formatCount } from "../command.ts";
import type { MemoryLimit } from "../memory-limit.ts";
import {
  CLIENT_CORE,
  COLOPHON,
  colophonMemory,
  descendantsOf,
  pinnedTo,
  runCommand,
  waitUntilReady,
} from "../processes.ts";
import { API_PATHS, type CatalogFiles, type ServerUnderTest } from "./server.ts";

export const ENVIRONMENT = {
  ...process.env,
  COLOPHON_JWT_SECRET: "the signing secret of the benchmark, 32 bytes or more",
};

/** Doubts about the figures of a run: a server that drops lines of its log is faster than one that writes them. */
export const warnings: string[] = [];

/** How a server differs from `colophon serve --db … --port …`, which logs every request to standard error. */
interface ColophonVariant {
  /** Default: "requests". */
  readonly log?: "errors" | "none";
  /** What standard error is: a file, or a pipe that a process on the clients' core reads. Omitted: a file. */
  readonly logTo?: "file" | "pipe";
  readonly hasAdminPort?: boolean;
  readonly workers?: number;
  readonly cacheMB?: number;
  /** All clients of the benchmark have one address. More than 1,000 connections need it. */
  readonly connectionsPerAddress?: number;
  readonly limit?: MemoryLimit;
}

interface LaunchedColophon {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pid: number;
  stop(): Promise<void>;
}

/** A catalog of any store: `databasePath` may be the URL of a PostgreSQL database. */
type ServedCatalog = Pick<CatalogFiles, "databasePath" | "workFolder">;

/** Without a variant, the server runs as it comes. Without cores, it runs on all of them. */
export function colophon(variant: ColophonVariant = {}) {
  return async (catalog: ServedCatalog, cores?: string): Promise<ServerUnderTest> => {
    const { url, headers, pid, stop } = await launchColophon(catalog, cores, variant);
    await waitUntilReady(`${url}/api/imprints`, headers);
    const { workers = 1 } = variant;
    // With several workers, the parent process only supervises them.
    const pids = workers === 1 ? [pid] : descendantsOf(pid);
    const name = nameOf(variant);
    colophonMemory.watch(name, pids);
    return { name, url, headers, pids, paths: API_PATHS, stop };
  };
}

/** Returns "Colophon" for the server as it comes. The options of any other one are part of its name. */
export function nameOf(variant: ColophonVariant): string {
  const pipe = variant.logTo === "pipe" ? " 2> pipe" : "";
  return ["Colophon", ...optionsOf(variant, "")].filter((part) => part !== "").join(" ") + pipe;
}

function optionsOf(variant: ColophonVariant, adminPort: string): string[] {
  const { log, hasAdminPort, workers, cacheMB, connectionsPerAddress } = variant;
  const withValue = (option: string, value: number | string | undefined) =>
    value === undefined ? [] : [option, String(value)];
  return [
    ...withValue("--workers", workers),
    ...withValue("--cache", cacheMB),
    ...withValue("--connections-per-address", connectionsPerAddress),
    ...withValue("--admin-port", hasAdminPort ? adminPort : undefined),
    ...withValue("--log", log),
  ];
}

/** Starts the program and returns at once. The caller waits with `waitUntilReady`. */
export async function launchColophon(
  { databasePath, workFolder }: ServedCatalog,
  cores?: string,
  variant: ColophonVariant = {},
): Promise<LaunchedColophon> {
  const token = await tokenFor(databasePath);
  const port = freePort();
  const options = ["--db", databasePath, "--port", String(port), ...optionsOf(variant, String(freePort()))];
  const command = pinnedTo(cores, [COLOPHON, "serve", ...options]);
  const logFolder = mkdtempSync(join(workFolder, "colophon-log-"));
  const logPath = join(logFolder, "log");
  const stderr = variant.logTo === "pipe" ? openPipe(logFolder) : openSync(logPath, "a");
  const child = Bun.spawn(variant.limit ? variant.limit.inside(command) : command, {
    env: ENVIRONMENT,
    stdio: ["ignore", "ignore", stderr],
  });
  closeSync(stderr);
  colophonMemory.watch(nameOf(variant), [child.pid]);
  return {
    url: `http://127.0.0.1:${port}`,
    headers: { Authorization: `Bearer ${token}` },
    pid: child.pid,
    async stop() {
      colophonMemory.sample();
      child.kill("SIGTERM");
      await child.exited;
      if (variant.logTo !== "pipe") warnOfDroppedLines(nameOf(variant), logPath);
      rmSync(logFolder, { recursive: true });
    },
  };
}

/** Returns the writing end of a pipe. Its reader drops everything, and ends with the last writer. */
function openPipe(folder: string): number {
  const path = join(folder, "pipe");
  if (Bun.spawnSync(["mkfifo", path]).exitCode !== 0) throw new Error(`mkfifo ${path} has failed`);
  Bun.spawn(pinnedTo(CLIENT_CORE, ["cat", path]), { stdio: ["ignore", "ignore", "inherit"] });
  // Opening waits for the reader.
  return openSync(path, "w");
}

function warnOfDroppedLines(name: string, logPath: string): void {
  const { stdout } = Bun.spawnSync(["grep", "-F", '"event":"dropped"', logPath]);
  const counts = [...stdout.toString().matchAll(/"count":(\d+)/g)].map(([, count]) => Number(count));
  const lines = counts.reduce((sum, count) => sum + count, 0);
  if (lines > 0) warnings.push(`${name}: ${formatCount(lines)} lines of the log were dropped`);
}

/** One token for all servers of a catalog: issuing one takes half a second. */
const tokens = new Map<string, Promise<string>>();

function tokenFor(databasePath: string): Promise<string> {
  const token = tokens.get(databasePath) ?? issueToken("Bench", databasePath);
  tokens.set(databasePath, token);
  return token;
}

export async function issueToken(name: string, databasePath: string): Promise<string> {
  const command = [COLOPHON, "token", "--name", name, "--db", databasePath];
  return (await runCommand(command, { env: ENVIRONMENT })).stdout.trim();
}
