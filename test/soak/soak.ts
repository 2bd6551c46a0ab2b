/**
 * Runs the service under mixed load: lookups, lists, searches, suggestions, slow and silent readers, imports, some of
 * them killed or undone, revocations, killed and stopped workers. Watches memory, descriptors, the write-ahead log and
 * the time of lookups.
 */
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import { createTwoStateCatalog, type TwoStateCatalog } from "../faults/two-state-catalog.ts";
import { COMMAND, colophon, startColophon } from "../process.ts";
import {
  type LookupTime,
  lookUpBooks,
  newCounts,
  readLists,
  readNothing,
  readSlowly,
  revokeTokens,
  type SoakCounts,
  type SoakTarget,
  searchBooks,
} from "./clients.ts";
import { childrenOf, type Sample, type SoakResult, takeSample } from "./report.ts";

interface SoakOptions {
  readonly seconds: number;
  /** How often a worker is killed or stopped. Default: every 20 seconds. */
  readonly faultIntervalMs?: number;
  /** Goes on after these seconds until it returns true: a slow machine takes longer. */
  readonly isEnough?: (counts: SoakCounts) => boolean;
  readonly onProgress?: (text: string) => void;
}

const SAMPLE_INTERVAL_MS = 1000;
const PROGRESS_INTERVAL_SECONDS = 60;

export async function runSoak({
  seconds,
  faultIntervalMs = 20_000,
  isEnough = () => true,
  onProgress,
}: SoakOptions): Promise<SoakResult> {
  const catalog = await createTwoStateCatalog();
  const server = await startColophon(["--db", catalog.db, "--workers", "2", "--log", "errors"]);
  const stop = new AbortController();
  const counts = newCounts();
  const lookupTimes: LookupTime[] = [];
  const { url, port } = server;
  const target: SoakTarget = { url, port, catalog, signal: stop.signal, counts, lookupTimes };
  const startMs = performance.now();
  const elapsed = () => (performance.now() - startMs) / 1000;
  const samples: Sample[] = [];
  const tasks = [
    ...[1, 2, 3, 4].map((seed) => lookUpBooks(target, seed)),
    readLists(target),
    searchBooks(target),
    readSlowly(target),
    readSlowly(target),
    ...["identity", "gzip", "zstd", "br"].map((coding) => readNothing(target, coding)),
    revokeTokens(target),
    importFeeds(target),
    disturbWorkers(target, server.process.pid, faultIntervalMs),
    takeSamples(),
  ];
  async function takeSamples(): Promise<void> {
    while (!stop.signal.aborted) {
      samples.push(takeSample(elapsed(), server.process.pid, catalog.db));
      if (samples.length % PROGRESS_INTERVAL_SECONDS === 0)
        onProgress?.(progressLine(counts, samples.at(-1)!));
      await Bun.sleep(SAMPLE_INTERVAL_MS);
    }
  }
  await Bun.sleep(seconds * 1000);
  await waitFor("everything has happened", () => isEnough(counts));
  stop.abort();
  await Promise.all(tasks);
  const exitCode = await server.stop();
  const verify = await colophon(["verify", "--db", catalog.db]);
  const damage = verify.code === 0 ? undefined : verify.stdout + verify.stderr;
  return { seconds: elapsed(), counts, samples, lookupTimes, damage, exitCode };
}

/** Imports one state after the other. Of each five imports one is undone, and one is killed at a random moment. */
async function importFeeds({ catalog, signal, counts }: SoakTarget): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    const feed = catalog.feeds[(round % 2) as 0 | 1];
    if (round % 5 === 4) {
      await killedImport(catalog, feed);
      counts.killedImports++;
    } else {
      const { code, stderr } = await colophon(["import", "--db", catalog.db, feed]);
      if (code === 0) counts.imports++;
      else counts.wrong.push(`an import: exit ${code}, ${stderr.slice(0, 200)}`);
      if (round % 5 === 2) await undoLastImport(catalog, counts);
    }
    await Bun.sleep(500);
  }
}

async function undoLastImport({ db }: TwoStateCatalog, counts: SoakCounts): Promise<void> {
  const history = await colophon(["history", "--db", db, "--json", "--limit", "1"]);
  const [{ number }] = JSON.parse(history.stdout);
  const { code, stderr } = await colophon(["history", "undo", String(number), "--db", db]);
  if (code === 0) counts.undoneImports++;
  else counts.wrong.push(`an undo: exit ${code}, ${stderr.slice(0, 200)}`);
}

async function killedImport({ db }: TwoStateCatalog, feed: string): Promise<void> {
  const child = Bun.spawn([COMMAND, "import", "--db", db, feed], { stdout: "ignore", stderr: "ignore" });
  await Bun.sleep(Math.random() * 600);
  child.kill("SIGKILL");
  await child.exited;
}

/**
 * Kills a worker, or stops one as if it hung, in turn. Waits until requests of all kinds have been answered since: a slow
 * machine would else kill every worker before it is ready.
 */
async function disturbWorkers(
  { signal, counts }: SoakTarget,
  supervisor: number,
  intervalMs: number,
): Promise<void> {
  const answered = () => [counts.lookups, counts.lists, counts.searches];
  for (let round = 0; ; round++) {
    const before = answered();
    const earliestMs = performance.now() + intervalMs;
    while (performance.now() < earliestMs || answered().some((count, kind) => count === before[kind])) {
      if (signal.aborted) return;
      await Bun.sleep(100);
    }
    const [worker] = childrenOf(supervisor);
    if (worker === undefined) continue;
    process.kill(worker, round % 2 === 0 ? "SIGKILL" : "SIGSTOP");
    if (round % 2 === 0) counts.killedWorkers++;
    else counts.stoppedWorkers++;
  }
}

function progressLine(counts: SoakCounts, { seconds, residentBytes, descriptors, logBytes }: Sample): string {
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  const parts = [
    `${Math.round(seconds / 60)} min`,
    `${counts.lookups} lookups`,
    `${counts.lists} lists`,
    `${counts.searches} searches`,
    `${counts.imports} imports`,
    `memory ${megabytes(residentBytes)}`,
    `log ${megabytes(logBytes)}`,
    `${descriptors} descriptors`,
    `${counts.wrong.length} wrong`,
  ];
  return parts.join(", ");
}
