/**
 * `bun bench/fairness.ts --db WHERE`: measures the searches and lookups of one token while others send expensive
 * searches on many connections, each in a process of its own.
 */
import { parseArgs } from "node:util";
import { freePort } from "../src/lib/testing/free-port.ts";
import { randomBelow } from "../src/lib/testing/random.ts";
import { formatPercentiles } from "./measure.ts";
import { COLOPHON, waitUntilReady } from "./processes.ts";
import { isbnAt } from "./product-xml.ts";
import { ENVIRONMENT, issueToken } from "./servers/colophon.ts";
import { randomText, searchQueries } from "./vocabulary.ts";

const { values: flags, positionals } = parseArgs({
  options: {
    db: { type: "string" },
    /** Of a client process: KIND URL TOKEN CONNECTIONS SECONDS SEED. */
    client: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

const SECONDS = 20;
const ATTACKERS = 4;
const CONNECTIONS_OF_EACH = 80;
/** An interactive client: a search every so often. */
const PAUSE_MS = 100;

interface ClientResult {
  readonly latenciesMs: readonly number[];
  readonly statuses: Readonly<Record<string, number>>;
}

if (flags.client) await runClient();
else await measure();

async function measure(): Promise<void> {
  const db = flags.db!;
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = Bun.spawn([COLOPHON, "serve", "--db", db, "--port", String(port), "--log", "none"], {
    env: ENVIRONMENT,
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    const victim = await issueToken("Victim", db);
    const attackers = await Promise.all(
      Array.from({ length: ATTACKERS }, (_, index) => issueToken(`Attacker ${index + 1}`, db)),
    );
    await waitUntilReady(`${url}/api/imprints`, { Authorization: `Bearer ${victim}` });
    for (const kind of ["searches", "lookups"])
      console.log(`${kind} alone: ${format(await startClient(kind, url, victim, 1, SECONDS / 4, 1))}`);
    const attacks = attackers.map((attacker, index) =>
      startClient("expensive", url, attacker, CONNECTIONS_OF_EACH, SECONDS + 4, index),
    );
    await Bun.sleep(3000);
    const [searches, lookups] = await Promise.all([
      startClient("searches", url, victim, 1, SECONDS, 2),
      startClient("lookups", url, victim, 1, SECONDS, 2),
    ]);
    console.log(`searches beside ${ATTACKERS} × ${CONNECTIONS_OF_EACH}: ${format(searches)}`);
    console.log(`lookups beside them: ${format(lookups)}`);
    for (const [index, attack] of attacks.entries())
      console.log(`attacker ${index + 1}: ${format(await attack)}`);
  } finally {
    server.kill("SIGTERM");
    await server.exited;
  }
}

function format({ latenciesMs, statuses }: ClientResult): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  return `${counts.join(", ")}; ${formatPercentiles(latenciesMs)}`;
}

async function startClient(
  kind: string,
  url: string,
  token: string,
  connections: number,
  seconds: number,
  seed: number,
): Promise<ClientResult> {
  const numbers = [connections, seconds, seed].map(String);
  const client = Bun.spawn([process.execPath, import.meta.path, "--client", kind, url, token, ...numbers], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(await new Response(client.stdout).text());
}

async function runClient(): Promise<void> {
  const [kind, url, token, connections, seconds, seed] = positionals;
  const endMs = performance.now() + Number(seconds) * 1000;
  const measured: [number, string][] = [];
  const statuses: Record<string, number> = {};
  const paths = pathsOf(kind!, Number(seed));
  const headers = { Authorization: `Bearer ${token}`, "Accept-Encoding": "identity" };
  const send = async () => {
    while (performance.now() < endMs) {
      const path = paths.next().value!;
      const startedMs = performance.now();
      const status = await fetch(url + path, { headers }).then(
        async (response) => {
          await response.bytes();
          return String(response.status);
        },
        () => "failed",
      );
      measured.push([performance.now() - startedMs, path]);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (kind !== "expensive") await Bun.sleep(kind === "searches" ? PAUSE_MS : 5);
    }
  };
  await Promise.all(Array.from({ length: Number(connections) }, send));
  measured.sort(([a], [b]) => a - b);
  if (kind === "searches")
    console.error(
      "slowest:",
      measured
        .slice(-3)
        .map(([ms, path]) => `${path} ${ms.toFixed(0)} ms`)
        .join(", "),
    );
  console.log(JSON.stringify({ latenciesMs: measured.map(([ms]) => ms), statuses }));
}

function* pathsOf(kind: string, seed: number): Generator<string, never> {
  const random = randomBelow(seed + 1);
  const queries = searchQueries(3000, seed + 1);
  const common = commonWords();
  const some = (count: number) => Array.from({ length: count }, () => common[random(60)]!);
  for (;;) {
    if (kind === "lookups") yield `/api/isbn/${isbnAt(random(200_000))}`;
    else if (kind === "searches")
      yield `/api/search?q=${encodeURIComponent(queries[random(queries.length)]!)}`;
    else {
      const [first, ...others] = some(20);
      const expensive = [
        `/api/search?q=${encodeURIComponent(`${first} ${others.map((word) => `-${word}`).join(" ")}`)}`,
        `/api/facets?q=${encodeURIComponent(some(1 + random(2)).join(" "))}`,
        `/api/search?q=${encodeURIComponent(
          common
            .filter((word) => word.length > 3)
            .slice(0, 200)
            .toSorted(() => random(3) - 1)
            .slice(0, 4)
            .map((word) => `${word.slice(0, 3)}*`)
            .join(" "),
        )}`,
        `/api/search?view=record&limit=1000&format=xml&q=${encodeURIComponent(some(1)[0]!)}`,
        `/api/search?q=${encodeURIComponent(`"${some(3).join(" ")}"`)}`,
        `/api/quality?from=${19000101 + random(12) * 100 + random(28)}`,
      ];
      yield expensive[random(expensive.length)]!;
    }
  }
}

/** Returns words, the most common ones first. */
function commonWords(): string[] {
  const counts = new Map<string, number>();
  for (const word of randomText(randomBelow(1), 50_000).split(" "))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word);
}
