/** The clients of a soak run. Each goes on until the signal aborts it, and checks every response that it gets. */
import { connect } from "node:net";
import { numberedIsbn } from "../during-tests.ts";
import { BOOK_COUNT, type TwoStateCatalog } from "../faults/two-state-catalog.ts";
import { colophon, fetchAs } from "../process.ts";

export interface SoakTarget {
  readonly url: string;
  readonly port: number;
  readonly catalog: TwoStateCatalog;
  readonly signal: AbortSignal;
  readonly counts: SoakCounts;
  /** The duration of each lookup, with the second of the run. */
  readonly lookupTimes: LookupTime[];
}

export interface LookupTime {
  readonly seconds: number;
  readonly ms: number;
}

/** Returns the counts of what happens. `wrong` lists what must never happen. */
export function newCounts() {
  return {
    lookups: 0,
    lists: 0,
    searches: 0,
    suggestions: 0,
    slowReaders: 0,
    silentReaders: 0,
    refused: 0,
    cut: 0,
    revocations: 0,
    imports: 0,
    killedImports: 0,
    undoneImports: 0,
    killedWorkers: 0,
    stoppedWorkers: 0,
    wrong: [] as string[],
  };
}

export type SoakCounts = ReturnType<typeof newCounts>;

const SLOW_BYTES_PER_SECOND = 20_000;
const SILENT_READER_MS = 20_000;

/** Sends lookups without a pause. The records of both states have the same ISBNs. */
export async function lookUpBooks(
  { url, catalog, signal, counts, lookupTimes }: SoakTarget,
  seed: number,
): Promise<void> {
  const startMs = performance.now();
  for (let round = 0; !signal.aborted; round++) {
    const isbn = numberedIsbn((seed * 997 + round * 31) % BOOK_COUNT);
    await tolerateCuts(counts, signal, async () => {
      const sentMs = performance.now();
      const response = await fetchAs(catalog.token, `${url}/api/isbn/${isbn}`, { signal });
      const body = await response.text();
      lookupTimes.push({ seconds: (sentMs - startMs) / 1000, ms: performance.now() - sentMs });
      if (response.status === 503) counts.refused++;
      else if (response.status !== 200 || JSON.parse(body).RecordReference !== isbn)
        counts.wrong.push(`${isbn}: ${response.status} ${body.slice(0, 100)}`);
      else counts.lookups++;
    });
    await Bun.sleep(5);
  }
}

/** Reads whole lists and checks that each shows one state. */
export async function readLists({ url, catalog, signal, counts }: SoakTarget): Promise<void> {
  while (!signal.aborted) {
    await tolerateCuts(counts, signal, async () => {
      try {
        await catalog.servedState(url, signal);
        counts.lists++;
      } catch (error) {
        if (String(error).includes("503")) counts.refused++;
        else if (/third state|^Error: [0-9]{3}/.test(String(error))) counts.wrong.push(String(error));
        else throw error;
      }
    });
    await Bun.sleep(50);
  }
}

/** Searches for the books of one state, and completes their title. A response shows one state: all of its books, or none. */
export async function searchBooks({ url, catalog, signal, counts }: SoakTarget): Promise<void> {
  const read = async (path: string, isRight: (body: string, headers: Headers) => boolean) => {
    let isAnswered = false;
    await tolerateCuts(counts, signal, async () => {
      const response = await fetchAs(catalog.token, `${url}/api/${path}`, { signal });
      const body = await response.text();
      isAnswered = response.status === 200 && isRight(body, response.headers);
      if (response.status === 503) counts.refused++;
      else if (!isAnswered) counts.wrong.push(`${path}: ${response.status} ${body.slice(0, 100)}`);
    });
    return isAnswered;
  };
  for (let round = 0; !signal.aborted; round++) {
    const title = `State ${round % 2}`;
    const isOneState = (body: string, headers: Headers) => {
      const found: readonly { readonly title: string }[] = JSON.parse(body);
      const total = headers.get("x-total-count");
      return (
        total === (found.length > 0 ? String(BOOK_COUNT) : "0") && found.every((book) => book.title === title)
      );
    };
    if (await read(`search?q="${title}"&spelling=off&view=summary`, isOneState)) counts.searches++;
    const hasOneTitle = (body: string) => new Set(body.match(/State [0-9]/g)).size <= 1;
    if (await read("suggest?q=sta", hasOneTitle)) counts.suggestions++;
    await Bun.sleep(20);
  }
}

/** Reads a list at 20 kB/s to its end, or until it is cut off. A list must not end early without being cut off. */
export async function readSlowly(target: SoakTarget): Promise<void> {
  const { signal, counts } = target;
  while (!signal.aborted) {
    const text = await requestList(target, "identity", async (socket, received) => {
      socket.pause();
      await Bun.sleep((received / SLOW_BYTES_PER_SECOND) * 1000);
      socket.resume();
    });
    if (text.startsWith("HTTP/1.1 200") && text.endsWith("\r\n0\r\n\r\n")) counts.slowReaders++;
    else if (text.startsWith("HTTP/1.1 503")) counts.refused++;
    else counts.cut++;
    await Bun.sleep(500);
  }
}

/** Requests a list, reads nothing of it, and leaves after a while. */
export async function readNothing(target: SoakTarget, coding: string): Promise<void> {
  while (!target.signal.aborted) {
    await requestList(target, coding, async (socket) => {
      socket.pause();
      await Promise.race([Bun.sleep(SILENT_READER_MS), aborted(target.signal)]);
      socket.destroy();
    });
    target.counts.silentReaders++;
    await Bun.sleep(100);
  }
}

/** Issues a token, uses it, revokes it, and expects 401 from then on. */
export async function revokeTokens({ url, catalog, signal, counts }: SoakTarget): Promise<void> {
  while (!signal.aborted) {
    const token = (await colophon(["token", "--name", "Soak", "--db", catalog.db])).stdout.trim();
    const id = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()).jti;
    const statusOf = async () => {
      const response = await fetchAs(token, `${url}/api/imprints`, { signal });
      await response.arrayBuffer();
      return response.status;
    };
    await tolerateCuts(counts, signal, async () => {
      const before = await statusOf();
      if (before !== 200 && before !== 503) counts.wrong.push(`a valid token: ${before}`);
    });
    await colophon(["token", "revoke", id, "--db", catalog.db]);
    for (let count = 0; count < 10 && !signal.aborted; count++) {
      await tolerateCuts(counts, signal, async () => {
        const after = await statusOf();
        if (after !== 401 && after !== 503) counts.wrong.push(`a revoked token: ${after}`);
      });
    }
    counts.revocations++;
    await Bun.sleep(1000);
  }
}

/** Connections to a worker that is killed are cut. Nothing else may fail. */
async function tolerateCuts(
  counts: SoakCounts,
  signal: AbortSignal,
  task: () => Promise<void>,
): Promise<void> {
  try {
    await task();
  } catch {
    if (!signal.aborted) counts.cut++;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Requests a list on a connection of its own. Calls back with each part, and returns the text when it has ended. */
function requestList(
  { port, catalog, signal }: SoakTarget,
  coding: string,
  onPart: (socket: ReturnType<typeof connect>, received: number) => Promise<void>,
): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(
        `GET /api/imprint/sello HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Encoding: ${coding}\r\nAuthorization: Bearer ${catalog.token}\r\n\r\n`,
      );
    });
    const leave = () => socket.destroy();
    signal.addEventListener("abort", leave, { once: true });
    socket.on("data", (part) => {
      text = (text.slice(0, 20) + text.slice(20).slice(-20) + part.toString("latin1")).slice(0, 1 << 20);
      void onPart(socket, part.length);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      signal.removeEventListener("abort", leave);
      resolve(text);
    });
  });
}
