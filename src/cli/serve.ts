import packageJson from "../../package.json" with { type: "json" };
import type { Store } from "../catalog/port.ts";
import { StoreRefused } from "../catalog/store-refused.ts";
import { translationTable } from "../catalog/translations.ts";
import { createApp } from "../http/app.ts";
import { createGate } from "../http/auth/gate.ts";
import { issueToken } from "../http/auth/issue.ts";
import { readPages } from "../http/page/pages.ts";
import { type RunningServer, startServer } from "../http/server.ts";
import { codeListIssue } from "../onix/codes.ts";
import { dayOf } from "../onix/day.ts";
import { parse, wholeNumber } from "./arguments.ts";
import { run } from "./import.ts";
import { keysFor, type Trust } from "./keys.ts";
import { count } from "./progress.ts";
import { sampleFeed } from "./sample.ts";
import { EXIT } from "./usage.ts";
import { openStore, whereOf } from "./where.ts";

const options = {
  db: { type: "string" },
  host: { type: "string" },
  port: { type: "string" },
  sample: { type: "boolean" },
} as const;

/** How long the token of a sample start holds, in days. */
const SAMPLE_DAYS = 7;

/** `colophon serve`: the API, until it is told to stop. */
export async function serve(args: readonly string[]): Promise<number> {
  const { options: given } = parse(args, options, { min: 0, max: 0 });
  const host = given.host ?? (process.env.HOST || "127.0.0.1");
  const port = wholeNumber(given.port ?? (process.env.PORT || "8080"), "--port", 0, 65_535);
  const path = whereOf(given.db);
  const end = told();
  const store = openStore(path, { create: true });
  try {
    const trust = await keysFor(path);
    if (given.sample) await fill(store);
    const server = await listen(store, trust, host, port);
    await announce(server, store, given.sample ? trust : undefined);
    await end;
    await server.stop();
    return EXIT.applied;
  } finally {
    await store.close();
  }
}

/** Fills an empty catalog with the sample, never one that has records. */
async function fill(store: Store): Promise<void> {
  if ((await store.stats()).records > 0) return;
  await run(store, [sampleFeed(dayOf(new Date()))], { replace: false, write: true, report: undefined });
}

async function listen(store: Store, { keys, issuer, audience }: Trust, host: string, port: number) {
  const onError = (error: unknown) => console.error(error);
  const app = createApp({
    store,
    gate: createGate({ keys, ledger: store.ledger, issuer, audience }),
    cors: process.env.COLOPHON_CORS_ORIGIN || undefined,
    translations: translationTable(),
    pages: await readPages(),
    version: packageJson.version,
    codeListIssue,
    onError: (error, { id, method, path }) => console.error(`${id} ${method} ${path}:`, error),
  });
  try {
    return startServer({ app, host, port, onError });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EADDRINUSE") throw error;
    throw new StoreRefused(`port ${port} of ${host} is in use: choose another with --port`);
  }
}

async function announce(server: RunningServer, store: Store, sample: Trust | undefined): Promise<void> {
  const { records, imprints } = await store.stats();
  console.log(`Colophon serves ${some(records, "book")} of ${some(imprints, "imprint")}.\n`);
  console.log(`  API        ${server.url}/api`);
  console.log(`  Test page  ${server.url}/openapi.html`);
  // A token in a log is a token lost: only where everything is for trying out.
  if (!sample?.keys.signingKey) return;
  const claims = { name: "colophon serve --sample", days: SAMPLE_DAYS };
  console.log(`\nA token to paste there, for ${SAMPLE_DAYS} days:\n`);
  console.log(await issueToken({ ...sample, ledger: store.ledger, ...claims }));
}

function some(number: number, what: string): string {
  return `${count(number)} ${what}${number === 1 ? "" : "s"}`;
}

/** Resolves when the process is asked to end. */
function told(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
