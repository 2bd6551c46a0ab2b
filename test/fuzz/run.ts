/**
 * `npm run fuzz`: sends generated requests and feeds to the real program, for minutes. Compares our reader of XML with
 * another one, on generated documents, and our reader of request heads with itself. Looks for expensive requests.
 *
 *   npm run fuzz -- [--minutes 5] [--seed 1] [requests|bytes|heads|costs|feeds|imports|documents|spreadsheets …]
 *   npm run fuzz -- --again FILE       runs an input again that was saved when a check failed on it
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { differenceFromOracle, differenceInChunks } from "../../src/xml/testing/compare-readings.ts";
import { mutatedDocuments } from "../../src/xml/testing/mutated-documents.ts";
import { startColophon, temporaryFolder } from "../process.ts";
import { describeHead, findExpensiveHeads } from "./costs.ts";
import { savingFailingInput } from "./failing-input.ts";
import { importBytes } from "./feeds.ts";
import { cutsOf, differenceInAnyCut, differenceInReadings, longStreams, shortStreams } from "./heads.ts";
import { HOSTILE_PRODUCTS } from "./hostile-feeds.ts";
import {
  checkMutatedSaving,
  checkRequest,
  checkRequestSaving,
  checkSavedBytes,
  createTarget,
  mutatedRequests,
} from "./http.ts";
import { feedCosts, MAX_COST_RATIO, MAX_IMPORT_BYTES } from "./import-costs.ts";
import { MAX_TICK_MS, measureLongestTicks } from "./longest-ticks.ts";
import { bytesOf, mutatedFeeds } from "./mutations.ts";
import { FUZZ_OPTIONS } from "./requests.ts";
import { formulasIn, hostileTexts, requireFormulas } from "./spreadsheets.ts";

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { minutes: { type: "string" }, seed: { type: "string" }, again: { type: "string" } },
});
const kinds =
  positionals.length > 0
    ? positionals
    : ["requests", "bytes", "heads", "costs", "feeds", "imports", "documents", "spreadsheets"];
const milliseconds = (Number(values.minutes ?? 5) * 60_000) / kinds.length;
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

/** docs/security.md. */
const MAX_COST_MICROSECONDS = 1000;

/** Streams of requests with the bytes to cut them at. */
const streams = fc
  .oneof({ weight: 20, arbitrary: shortStreams }, { weight: 1, arbitrary: longStreams })
  .chain((text) => fc.tuple(fc.constant(text), cutsOf(text.length)));

const folder = temporaryFolder();
const server = await startColophon([...FUZZ_OPTIONS, "--db", join(folder, "served.db")]);
try {
  const target = await createTarget(server);
  if (values.again !== undefined) await runAgain(values.again);
  else {
    console.log(`seed ${seed}`);
    for (const kind of kinds) await fuzz(kind);
  }

  async function runAgain(path: string): Promise<void> {
    const input = readFileSync(path);
    const name = basename(path);
    if (name.startsWith("request-")) await checkRequest(target, JSON.parse(input.toString()));
    else if (name.startsWith("bytes-")) await checkSavedBytes(target, input);
    else if (name.startsWith("document-")) checkDocument(input.toString(), 1);
    else if (name.startsWith("heads-")) checkHeads(input.toString("latin1"), []);
    else console.log(await importBytes(folder, input));
    console.log("It passes now.");
  }

  async function fuzz(kind: string): Promise<void> {
    if (kind === "documents") return compareDocuments();
    if (kind === "costs") return searchCosts();
    if (kind === "imports") return measureImports();
    if (kind === "spreadsheets") return openSpreadsheets();
    let maxPeakBytes = 0;
    let runs = 0;
    const counted = async (task: Promise<void>) => {
      await task;
      runs++;
    };
    const properties: Record<string, () => fc.IAsyncProperty<unknown>> = {
      requests: () =>
        fc.asyncProperty(target.requests, (request) => counted(checkRequestSaving(target, request))),
      bytes: () =>
        fc.asyncProperty(mutatedRequests(target), (bytes) => counted(checkMutatedSaving(target, bytes))),
      heads: () =>
        fc.asyncProperty(streams, ([text, cuts]) => {
          const check = async () => checkHeads(text, cuts);
          return counted(savingFailingInput("heads", Buffer.from(text, "latin1"), check));
        }),
      feeds: () =>
        fc.asyncProperty(mutatedFeeds, (feed) => {
          const bytes = bytesOf(feed);
          const run = async () => {
            maxPeakBytes = Math.max(maxPeakBytes, (await importBytes(folder, bytes)).peakBytes);
          };
          return counted(savingFailingInput("feed", bytes, run));
        }),
    };
    const property = properties[kind];
    if (!property)
      throw new Error(
        `unknown kind "${kind}"; choose requests, bytes, heads, costs, feeds, imports, documents or spreadsheets`,
      );
    await fc.assert(property() as fc.IAsyncProperty<unknown>, {
      seed,
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: milliseconds,
      endOnFailure: true,
    });
    const memory = maxPeakBytes > 0 ? `, at most ${Math.round(maxPeakBytes / 2 ** 20)} MB in a process` : "";
    console.log(`${kind}: ${runs} runs, no failure${memory}`);
  }

  /** Reports the most expensive requests, and fails when one costs more than docs/security.md promises. */
  async function searchCosts(): Promise<void> {
    const { tried, worst } = await findExpensiveHeads(milliseconds, seed);
    const dearest = worst.toSorted((a, b) => b.microseconds - a.microseconds);
    console.log(`costs: ${tried} heads; the most expensive by their size, and of all:`);
    for (const { candidate, bytes, microseconds, ratio } of [...worst.slice(0, 3), dearest[0]!]) {
      const cost = `${Math.round(microseconds)} µs, ${ratio.toFixed(1)} times a plain head of ${bytes} bytes`;
      console.log(`  ${cost}: ${describeHead(candidate).slice(0, 300)}`);
    }
    if (dearest[0]!.microseconds > MAX_COST_MICROSECONDS)
      throw new Error(`a request without a token costs more than ${MAX_COST_MICROSECONDS} µs`);
    await measureWithToken();
  }

  /** Reports the requests that hold the event loop longest, and fails when one holds it too long. */
  async function measureWithToken(): Promise<void> {
    const ticks = await measureLongestTicks("all");
    console.log(`costs: ${ticks.length} requests with a token; the longest ticks of the event loop:`);
    for (const { title, ms } of ticks.slice(0, 5)) console.log(`  ${ms.toFixed(1)} ms: ${title}`);
    if (ticks[0]!.ms > MAX_TICK_MS)
      throw new Error(`a request with a token holds the event loop for more than ${MAX_TICK_MS} ms`);
  }

  /** Each kind of hostile feed once, however long that takes. Fails when one is not linear. */
  async function measureImports(): Promise<void> {
    for await (const cost of feedCosts(folder, Object.keys(HOSTILE_PRODUCTS), 4)) {
      const { kind, code, ratio, peakBytes } = cost;
      const memory = `${Math.round(peakBytes / 2 ** 20)} MB`;
      console.log(`imports: ${ratio.toFixed(1)} times an ordinary feed, ${memory}, exit ${code}: ${kind}`);
      if (ratio > MAX_COST_RATIO || peakBytes > MAX_IMPORT_BYTES)
        throw new Error(`an import of ${kind} takes too much`);
    }
  }

  async function compareDocuments(): Promise<void> {
    const end = performance.now() + milliseconds;
    let runs = 0;
    for (const text of mutatedDocuments(seed)) {
      if (performance.now() > end) break;
      const check = async () => checkDocument(text, 1 + (runs % 100));
      await savingFailingInput("document", Buffer.from(text), check);
      runs++;
    }
    console.log(`documents: ${runs} runs, no failure`);
  }

  /** Needs LibreOffice, which is too large for CI: there, Python reads such cells (`src/catalog/formats/csv.test.ts`). */
  async function openSpreadsheets(): Promise<void> {
    if (Bun.which("soffice") === null) return console.log("spreadsheets: skipped without soffice");
    requireFormulas(folder);
    const end = performance.now() + milliseconds;
    let runs = 0;
    for (; performance.now() < end; runs++) {
      const cells = hostileTexts(seed + runs);
      const formulas = formulasIn(folder, cells);
      if (formulas.length > 0)
        throw new Error(`seed ${seed + runs}: cells became formulas: ${formulas.slice(0, 5)}`);
    }
    console.log(`spreadsheets: ${runs} files of 500 texts with three separators, no formula`);
  }

  /** Reads a stream of requests whole and in pieces. A short one is cut at each of its bytes too. */
  function checkHeads(text: string, cuts: readonly number[]): void {
    const isShort = text.length < 1000;
    const difference = differenceInReadings(text, cuts) ?? (isShort ? differenceInAnyCut(text) : undefined);
    if (difference !== undefined) throw new Error(difference);
  }

  /** Reads a document whole and in chunks, and compares the results with each other and with those of saxes. */
  function checkDocument(text: string, chunkBytes: number): void {
    const difference = differenceFromOracle(text) ?? differenceInChunks(text, chunkBytes);
    if (difference !== undefined) throw new Error(difference);
  }
} finally {
  await server.stop();
}
