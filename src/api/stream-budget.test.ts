import { describe, expect, test } from "bun:test";
import type { ResponsePace } from "../server/app.ts";
import { ENGINES } from "../stores/testing/engines.ts";
import { DEFAULT_STREAM_BYTES, StreamBudget, type StreamLease } from "./stream-budget.ts";
import { createTestApi } from "./testing/api.ts";
import { BOOKS } from "./testing/books.ts";
import { testPaths } from "./testing/example-paths.ts";

const KIB = 1024;
const SLOW: ResponsePace = { stalledSeconds: 0, isSlow: true };

/** Takes memory that is there at once. */
function take(budget: StreamBudget, client: string, bytes: number): StreamLease {
  const lease = budget.acquire(client, bytes);
  if (lease === undefined || lease instanceof Promise) throw new Error("The budget has no memory");
  return lease;
}

function isWaiting(lease: unknown): lease is Promise<StreamLease | undefined> {
  return lease instanceof Promise;
}

describe("StreamBudget", () => {
  test("grants memory at once while there is some", () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    take(budget, "a", 40 * KIB);
    take(budget, "b", 40 * KIB);
    expect(budget.usedBytes).toBe(80 * KIB);
    expect(isWaiting(budget.acquire("c", 40 * KIB))).toBe(true);
    expect(budget.waiting).toBe(1);
  });

  test("grants released memory to the list that waits, and counts a second release once", async () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    const first = take(budget, "a", 60 * KIB);
    const second = budget.acquire("b", 60 * KIB);
    first.release();
    first.release();
    const lease = await second;
    expect(budget.usedBytes).toBe(60 * KIB);
    lease!.release();
    expect(budget.usedBytes).toBe(0);
  });

  test("gives up waiting after the time to wait", async () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB, maxWaitMs: 20 });
    take(budget, "a", 100 * KIB);
    expect(await budget.acquire("b", KIB)).toBeUndefined();
    expect(budget.waiting).toBe(0);
  });

  test("lists of clients that have left take no place of those that wait", async () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    const leases = [take(budget, "a", 50 * KIB), take(budget, "b", 50 * KIB)];
    let hasLeft = false;
    const abandoned = Array.from({ length: 1000 }, (_, index) =>
      budget.acquire(index % 2 === 0 ? "a" : "b", KIB, () => hasLeft),
    );
    expect(budget.waiting).toBe(1000);
    expect(budget.acquire("a", KIB)).toBeUndefined();
    hasLeft = true;
    const waiting = budget.acquire("c", KIB);
    expect(budget.waiting).toBe(1);
    expect(new Set(await Promise.all(abandoned))).toEqual(new Set([undefined]));
    for (const lease of leases) lease.release();
    (await waiting)!.release();
    expect([budget.usedBytes, budget.waiting]).toEqual([0, 0]);
  });

  test("leaves half of the memory to others when one client wants all", () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    for (let count = 0; count < 10; count++) take(budget, "greedy", 5 * KIB);
    expect(isWaiting(budget.acquire("greedy", 5 * KIB))).toBe(true);
    for (let count = 0; count < 3; count++) take(budget, "other", 5 * KIB);
  });

  test("a new client gets several lists at once, whatever ten others hold and wait for", () => {
    const budget = new StreamBudget({ maxBytes: DEFAULT_STREAM_BYTES });
    for (let count = 0; count < 130; count++)
      for (let token = 0; token < 10; token++) void budget.acquire(`token ${token}`, 128 * KIB);
    expect(budget.waiting).toBeGreaterThan(500);
    take(budget, "new", 128 * KIB);
    for (let count = 0; count < 3; count++) take(budget, "new", 640 * KIB);
  });

  test("leaves a quarter of the memory for the first lists of other clients, however many have more than one", () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    for (let count = 0; count < 20; count++)
      for (let client = 0; client < 30; client++) void budget.acquire(`client ${client}`, KIB);
    expect(budget.usedBytes).toBeLessThanOrEqual(75 * KIB);
    for (let client = 0; client < 25; client++) take(budget, `new client ${client}`, KIB);
    expect(isWaiting(budget.acquire("new client 0", KIB))).toBe(true);
  });

  test("grants memory first to the client that holds least", async () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    const leases = [70, 30].map((size, index) => take(budget, `client ${index}`, size * KIB));
    const order: string[] = [];
    const wait = async (client: string) => {
      await budget.acquire(client, 30 * KIB);
      order.push(client);
    };
    void wait("client 0");
    void wait("new");
    leases[1]!.release();
    await new Promise(setImmediate);
    expect(order).toEqual(["new"]);
  });

  test("skips a list whose client has left", async () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    const lease = take(budget, "a", 100 * KIB);
    const left = budget.acquire("b", 50 * KIB, () => true);
    const next = budget.acquire("c", 50 * KIB);
    lease.release();
    expect(await left).toBeUndefined();
    expect(await next).toBeDefined();
    expect(budget.usedBytes).toBe(50 * KIB);
  });

  test("recalls slow lists only when others wait, those of clients with the most first, and no more than needed", async () => {
    const budget = new StreamBudget({ maxBytes: 60 * KIB });
    const small = [take(budget, "small", 10 * KIB)];
    const large = Array.from({ length: 4 }, () => take(budget, "large", 5 * KIB));
    take(budget, "quick", 30 * KIB);
    const recalled = (leases: StreamLease[], pace: ResponsePace) =>
      leases.filter((lease) => lease.isRecalled(pace)).length;
    expect([recalled(large, SLOW), recalled(small, SLOW)]).toEqual([0, 0]);
    void budget.acquire("large", 40 * KIB);
    expect([recalled(small, SLOW), recalled(large, SLOW)]).toEqual([0, 0]);
    const waiting = budget.acquire("new", 9 * KIB);
    expect([recalled(small, SLOW), recalled(large, SLOW), recalled(small, SLOW)]).toEqual([0, 2, 0]);
    for (const lease of large.slice(0, 2)) lease.release();
    expect(await waiting).toBeDefined();
    expect(recalled(large, SLOW)).toBe(0);
  });

  test("recalls lists that have stalled for seconds only from clients above their share", () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    const one = take(budget, "one list", 20 * KIB);
    const few = Array.from({ length: 2 }, () => take(budget, "below its share", 4 * KIB));
    const many = Array.from({ length: 3 }, () => take(budget, "above its share", 10 * KIB));
    void budget.acquire("new", 60 * KIB);
    const recalled = (stalledSeconds: number) =>
      [one, ...few, ...many].filter((lease) => lease.isRecalled({ stalledSeconds, isSlow: false }));
    expect(recalled(19)).toEqual([]);
    expect(recalled(20)).toEqual(many);
  });

  test("lets 750 lists of one client wait and 1,000 of all; beyond, the client with the most loses its last", async () => {
    const budget = new StreamBudget({ maxBytes: KIB });
    take(budget, "a", KIB);
    const wait = (client: string) => Array.from({ length: 1000 }, () => budget.acquire(client, KIB));
    const greedy = wait("greedy").filter(isWaiting);
    expect(greedy).toHaveLength(750);
    const other = wait("other").filter(isWaiting);
    expect([other.length, budget.waiting]).toEqual([500, 1000]);
    expect(await Promise.all(greedy.slice(500))).toEqual(Array(250).fill(undefined));
  });

  test("a list that exceeds the whole budget is sent when it is the only one", () => {
    const budget = new StreamBudget({ maxBytes: KIB });
    take(budget, "a", 100 * KIB).release();
    take(budget, "b", KIB / 2);
    expect(isWaiting(budget.acquire("a", 100 * KIB))).toBe(true);
  });
});

const [FIRST, SECOND] = BOOKS.map(({ isbn }) => isbn);
const LISTS = [
  ...testPaths(({ isList }) => isList),
  "/api/skus?format=csv",
  "/api/imprint/zeta?format=ndjson",
  "/api/imprint/zeta?format=xml",
];

/** Records that are read by their ISBNs are buffered up to this size, while as many are read ahead. */
const BUFFER_BYTES = 256 * 1024;

/** Notes the bytes of each list, and the client of the last one. */
class NotingBudget extends StreamBudget {
  readonly acquired: number[] = [];
  client = "";

  override acquire(...args: Parameters<StreamBudget["acquire"]>) {
    this.client = args[0];
    this.acquired.push(args[1]);
    return super.acquire(...args);
  }
}

for (const engine of ENGINES) {
  describe(engine.name, () => {
    test("lists that are converted take more memory than those of stored bytes", async () => {
      const streamBudget = new NotingBudget({ maxBytes: 100 << 20 });
      await using api = await createTestApi(engine, { streamBudget });
      for (const format of ["json", "ndjson", "csv", "xml"])
        await api.get(`/api/imprint/zeta?format=${format}`);
      const [json, ...others] = streamBudget.acquired;
      expect(others.map((bytes) => bytes > json!)).toEqual([true, true, true]);
    });

    test("pages, searches, changes and lists of ISBNs take the memory of two buffers beyond that of a whole list", async () => {
      const streamBudget = new NotingBudget({ maxBytes: 100 << 20 });
      await using api = await createTestApi(engine, { streamBudget, cacheBytes: 0 });
      const bytesOf = async (path: string) => {
        expect([path, (await api.get(path)).status]).toEqual([path, 200]);
        expect(streamBudget.acquired.length).toBe(1);
        return streamBudget.acquired.pop()!;
      };
      const whole = await bytesOf("/api/imprints");
      for (const path of ["/api/skus", "/api/news", "/api/imprint/zeta", "/api/imprint/zeta?language=spa"])
        expect([path, (await bytesOf(path)) - whole]).toEqual([path, 0]);
      const { headers } = await api.get("/api/skus?limit=1");
      streamBudget.acquired.pop();
      const next = /<([^>]+)>; *rel="?next/.exec(headers.get("link")!)![1]!;
      for (const path of [
        "/api/skus?limit=1",
        "/api/skus?%6Cimit=1",
        `/api/skus${next}`,
        "/api/news?date=20200101&limit=2",
        "/api/imprint/zeta?limit=1000",
        "/api/imprint/zeta?language=spa&limit=1",
        "/api/search?q=la",
        "/api/search?q=la&limit=1",
        "/api/changes",
        "/api/changes?limit=1",
        `/api/isbns/${FIRST},${SECOND}`,
      ])
        expect([path, (await bytesOf(path)) - whole]).toEqual([path, 2 * BUFFER_BYTES]);
    });

    test("lists get 503 with Retry-After while the memory is taken; a lookup is served", async () => {
      const streamBudget = new StreamBudget({ maxBytes: 1024, maxWaitMs: 5 });
      await using api = await createTestApi(engine, { streamBudget });
      const lease = await streamBudget.acquire("other", 1024);
      for (const path of LISTS) {
        const { status, headers, json } = await api.get(path);
        expect([path, status, headers.get("retry-after")]).toEqual([path, 503, "5"]);
        expect(json.message).toBe("Service Unavailable");
      }
      expect((await api.get(`/api/isbn/${FIRST}`)).status).toBe(200);
      expect((await api.get("/api/translations")).status).toBe(200);
      lease!.release();
      expect((await api.get("/api/skus")).status).toBe(200);
    });

    test("a token with a list in flight gets its other lists and searches while ten tokens hold and want more", async () => {
      const streamBudget = new NotingBudget({ maxBytes: DEFAULT_STREAM_BYTES, maxWaitMs: 1000 });
      await using api = await createTestApi(engine, { streamBudget, cacheBytes: 0 });
      await api.get("/api/skus");
      const [listBytes] = streamBudget.acquired;
      const own = await streamBudget.acquire(streamBudget.client, listBytes!);
      const wanted = Array.from({ length: 1300 }, (_, index) =>
        streamBudget.acquire(`token ${index % 10}`, listBytes!),
      );
      expect(streamBudget.waiting).toBeGreaterThan(0);
      const responses = await Promise.all(LISTS.map((path) => api.get(path)));
      expect(responses.map(({ status }) => status)).toEqual(LISTS.map(() => 200));
      own!.release();
      await Promise.all(wanted);
    });

    test("every response to a list gives its memory back", async () => {
      const streamBudget = new StreamBudget({ maxBytes: 1024, maxWaitMs: 5 });
      await using api = await createTestApi(engine, { streamBudget });
      const { headers } = await api.get("/api/skus");
      const etag = headers.get("etag")!;
      const requests = [
        ...LISTS.map((path) => api.get(path, { headers: { "Accept-Encoding": "gzip" } })),
        api.get("/api/skus", { headers: { "If-None-Match": etag } }),
        api.get("/api/skus", { method: "HEAD" }),
        api.get("/api/imprint/zeta?format=xml", { method: "HEAD" }),
        api.get("/api/imprint/unknown?format=xml"),
        api.get("/api/imprint/unknown"),
        api.get("/api/isbns/9789999900003"),
        api.get("/api/news?date=1"),
      ];
      await Promise.all(requests);
      expect([streamBudget.usedBytes, streamBudget.waiting]).toEqual([0, 0]);
    });
  });
}
