/**
 * `bun longest-ticks.program.ts [short]`: prints how long requests with a token hold the event loop of an app with books.
 *
 * It is a process of its own because a tick that collects the garbage of other tests would count as that of a request.
 */
import { dlopen, ptr } from "bun:ffi";
import { productXml } from "../../bench/product-xml.ts";
import { message, product } from "../../src/onix/testing/message.ts";
import { SAMPLE } from "../process.ts";
import { hostileRequests, LARGE_BOOK } from "./hostile-values.ts";
import { type LongestTicks, MAX_TICK_MS } from "./longest-ticks.ts";
import { startMeasuredServer } from "./request-cost.ts";

/** As many as a page or a list of ISBNs can have. Their numbers begin with 0. */
const GENERATED_BOOKS = 1000;
/** On a busy machine, the runtime compiles code late, and then five runs are compared. */
const MAX_RUNS = 20 + 5;
/** Each request that takes too long takes many runs. */
const ENOUGH = 3;
const IDLE_TICK_MS = 0.02;
/** What `calibrationMs` returns where the limit holds. On a slower or busier processor, ticks may take longer by as much. */
const REFERENCE_MS = 0.9;

const CLOCK = { clock_gettime: { args: ["i32", "ptr"], returns: "i32" } } as const;
const libc = dlopen("libc.so.6", CLOCK).symbols;
/** clock_gettime(2). `process.threadCpuUsage` is exact to 4 ms only. */
const CLOCK_THREAD_CPUTIME_ID = 3;
const time = new BigInt64Array(2);

const CALIBRATION = JSON.stringify(
  Array.from({ length: 5000 }, (_, number) => ({ number, text: `text ${number}` })),
);

const generated = Array.from({ length: GENERATED_BOOKS }, (_, number) =>
  productXml(number, { products: GENERATED_BOOKS }),
);
const subject =
  "<Subject><SubjectSchemeIdentifier>93</SubjectSchemeIdentifier><SubjectCode>FBA</SubjectCode></Subject>";
const large = product({ isbn: LARGE_BOOK, imprint: "Gran Sello", detail: subject.repeat(8000) });
await using server = await startMeasuredServer([await Bun.file(SAMPLE).text(), message(...generated, large)]);
const measured: LongestTicks[] = [];
let tooLong = 0;
for (const { title, head, status: expected } of hostileRequests(server.token, process.argv[2] === "short")) {
  let [ms, status] = await longestTick(head);
  for (let run = 1; run < MAX_RUNS && ms > MAX_TICK_MS; run++) {
    // A long response is hundreds of ticks, and one of them would collect the garbage of requests before it.
    Bun.gc(true);
    const slowness = Math.max(1, calibrationMs() / REFERENCE_MS);
    ms = Math.min(ms, (await longestTick(head))[0] / slowness);
  }
  if (expected !== undefined && status !== expected) throw new Error(`${title}: ${status}`);
  measured.push({ title, ms });
  if (ms > MAX_TICK_MS && ++tooLong === ENOUGH) break;
}
console.log(JSON.stringify(measured));

/** Returns the processor time of the longest tick from a head to its response, without other threads, and the status. */
async function longestTick(head: Buffer): Promise<[ms: number, status: number]> {
  let status: number | undefined;
  let [longestMs, beforeMs] = [0, threadMs()];
  const sent = server.send(head).then((result) => {
    status = result;
  });
  for (let tickMs = 1; status === undefined; ) {
    // While other threads search, the loop is idle.
    await (tickMs < IDLE_TICK_MS ? Bun.sleep(1) : new Promise(setImmediate));
    const nowMs = threadMs();
    tickMs = nowMs - beforeMs;
    longestMs = Math.max(longestMs, tickMs);
    beforeMs = nowMs;
  }
  await sent;
  return [longestMs, status];
}

/** Returns the processor time of a piece of work that no change of Colophon makes faster or slower. */
function calibrationMs(): number {
  const times = Array.from({ length: 3 }, () => {
    const beforeMs = threadMs();
    JSON.parse(CALIBRATION);
    return threadMs() - beforeMs;
  });
  return Math.min(...times);
}

function threadMs(): number {
  libc.clock_gettime(CLOCK_THREAD_CPUTIME_ID, ptr(time));
  return Number(time[0]) * 1000 + Number(time[1]) / 1e6;
}
