/** Measures a running service: searches, and lookups beside searches. */
import { join } from "node:path";
import { colophon, startColophon } from "../../test/process.ts";
import { isbnOf } from "../import/feed.ts";
import { median } from "../median.ts";
import { wrk } from "../wrk.ts";
import { percentile } from "./percentile.ts";
import type { ClientResult } from "./search-client.ts";

const ENVIRONMENT = { COLOPHON_JWT_SECRET: "the signing secret of the benchmark, 32 bytes or more" };
const CLIENT = join(import.meta.dir, "search-client.ts");
const ROUNDS = 3;
/** More than a measurement needs: the client is stopped at its end. */
const ENDLESS = 1_000_000;

export interface Service {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

/** Starts the real program on a catalog, and stops it. */
export async function withService(db: string, measure: (service: Service) => Promise<void>): Promise<void> {
  const server = await startColophon(["--db", db, "--log", "none", "--cache", "0"], ENVIRONMENT);
  try {
    const issued = await colophon(["token", "--name", "Bench", "--db", db], { env: ENVIRONMENT });
    await measure({ url: server.url, token: issued.stdout.trim(), pid: server.process.pid });
  } finally {
    await server.stop();
  }
}

export interface SearchLoad {
  readonly clients: number;
  readonly queries: number;
  readonly parameters: string;
}

/** Each call has queries of its own. The first ones, which warm up, are not counted. */
export async function measureSearches(
  service: Service,
  { clients, queries, parameters }: SearchLoad,
): Promise<{ readonly text: string }> {
  await runClient(service, { clients, queries: Math.ceil(queries / 10), parameters });
  const { latenciesMs, statuses, seconds, slowest } = await runClient(service, {
    clients,
    queries,
    parameters,
  });
  const at = (share: number) => percentile(latenciesMs, share).toFixed(1);
  const slow = slowest.map(([ms, query]) => `${query} ${ms.toFixed(0)} ms`).join(", ");
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  return {
    text:
      `p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms, ` +
      `${(latenciesMs.length / seconds).toFixed(0)}/s; ${counts.join(", ")}; slowest: ${slow}`,
  };
}

let seed = 0;

function spawnClient({ url, token }: Service, { clients, queries, parameters }: SearchLoad) {
  const args = [url, token, String(clients), String(queries), String(++seed), parameters];
  return Bun.spawn([process.execPath, CLIENT, ...args], { stdout: "pipe", stderr: "pipe" });
}

async function runClient(service: Service, load: SearchLoad): Promise<ClientResult> {
  const child = spawnClient(service, load);
  return JSON.parse(await new Response(child.stdout).text());
}

/** Returns the medians of the p99 of lookups, alone and while 8 clients search, measured in alternation. */
export async function measureLookupsBeside(service: Service, workFolder: string, seconds: number) {
  const server = {
    name: "Colophon",
    url: service.url,
    headers: { Authorization: `Bearer ${service.token}` },
    pids: [service.pid],
    paths: { isbn: (isbn: string) => `/api/isbn/${isbn}` },
    stop: async () => {},
  };
  const measureP99 = async () =>
    (await wrk(server as never, workFolder, { path: `/api/isbn/${isbnOf(1)}`, connections: 8, seconds }))
      .p99Ms;
  await measureP99();
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await measureP99());
    const load = spawnClient(service, { clients: 8, queries: ENDLESS, parameters: "" });
    // The client prints when it begins.
    await load.stderr.getReader().read();
    await Bun.sleep(500);
    beside.push(await measureP99());
    load.kill();
    await load.exited;
    await Bun.sleep(500);
  }
  return { aloneMs: median(alone), besideMs: median(beside) };
}
