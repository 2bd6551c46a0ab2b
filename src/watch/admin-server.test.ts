import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entry, fill } from "../api/testing/books.ts";
import { migratePostgres, openPostgres } from "../stores/postgres/store.ts";
import { startServer } from "../stores/postgres/testing/server.ts";
import { CATALOG } from "../stores/sqlite/schema.ts";
import { openSqlite } from "../stores/sqlite/store.ts";
import { type AdminOptions, type RunningAdmin, startAdmin } from "./admin-server.ts";
import { readiness, statsOf } from "./store-probe.ts";
import { Metrics } from "./metrics.ts";
import { parse } from "./testing/prometheus-parser.ts";

setDefaultTimeout(60_000);

let admin: RunningAdmin | undefined;
afterEach(async () => {
  await admin?.stop();
  admin = undefined;
});

const metrics = new Metrics({ version: "1.2.3" });
const BOOK = entry({ isbn: "9789999923019", title: "La Odisea", imprint: "Sello" });

function start(options: Partial<AdminOptions> = {}): void {
  admin = startAdmin({
    host: "127.0.0.1",
    port: 0,
    ready: async () => undefined,
    metrics: async () => metrics.snapshot(),
    onError(error) {
      throw error;
    },
    ...options,
  });
}

async function ask(path: string, method = "GET") {
  const reply = await fetch(admin!.url + path, { method });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

/** Asks until it is so; a suite that waits here for ever is the failure. */
async function readyzIs(status: number): Promise<string> {
  for (;;) {
    const reply = await ask("/readyz");
    if (reply.status === status) return reply.text;
    await Bun.sleep(20);
  }
}

describe("the admin port", () => {
  test("/livez", async () => {
    start({ ready: async () => "stopping" });
    expect(await ask("/livez")).toMatchObject({ status: 200, text: "ok" });
  });

  test("/readyz: 200, or 503 and why, in one line", async () => {
    let why: string | undefined;
    start({ ready: async () => why });
    expect(await ask("/readyz")).toMatchObject({ status: 200, text: "ok" });
    why = "no\r\nanswer from postgres://me:secret@db/x";
    expect(await ask("/readyz")).toMatchObject({
      status: 503,
      text: "no\\u000d\\nanswer from postgres://me:[password]@db/x",
    });
    why = undefined;
    expect((await ask("/readyz")).status).toBe(200);
  });

  test("/metrics", async () => {
    start();
    const { status, headers, text } = await ask("/metrics");
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(parse(text).get("colophon_build_info")!.samples[0]!.labels.version).toBe("1.2.3");
  });

  test("HEAD is GET without the body; other methods are 405, other paths 404", async () => {
    start();
    for (const path of ["/livez", "/readyz", "/metrics"]) {
      expect(await ask(path, "HEAD")).toMatchObject({ status: 200, text: "" });
      const refused = await ask(path, "POST");
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
    for (const path of ["/", "/livez/", "/LIVEZ", "/api/skus", "/toString", "/__proto__"])
      expect((await ask(path)).status).toBe(404);
    expect((await ask("/", "DELETE")).status).toBe(404);
    expect((await ask("/readyz?verbose")).status).toBe(200);
  });

  test("what fails is a 500 that says nothing, and is reported", async () => {
    const errors: unknown[] = [];
    const error = new Error("secret");
    start({
      metrics: () => Promise.reject(error),
      ready: () => {
        throw error;
      },
      onError: (failure) => errors.push(failure),
    });
    for (const path of ["/metrics", "/readyz"]) {
      const { status, text } = await ask(path);
      expect([status, text.includes("secret")]).toEqual([500, false]);
    }
    expect(errors).toEqual([error, error]);
  });

  test("a port that is taken is refused", () => {
    start();
    const { port } = admin!;
    const again = () => startAdmin({ ...unused, host: "127.0.0.1", port });
    expect(again).toThrow();
  });
});

const unused = { ready: async () => undefined, metrics: async () => metrics.snapshot(), onError: () => {} };

describe("readiness", () => {
  test("a service that stops is not ready, whatever the store says", async () => {
    let stopping = false;
    const ready = readiness({ revision: () => "0" }, () => stopping);
    expect(await ready()).toBeUndefined();
    stopping = true;
    expect(await ready()).toBe("stopping");
  });

  test("a store that is silent is given up; one that fails says why", async () => {
    const silent = { revision: () => new Promise<string>(() => {}) };
    expect(await readiness(silent, () => false, 20)()).toBe("the store does not answer within 0.02 s");
    const failing = {
      revision: () => {
        throw new Error("disk I/O error");
      },
    };
    expect(await readiness(failing, () => false)()).toBe("the store cannot answer: disk I/O error");
    expect(await statsOf({ stats: () => Promise.reject(new Error("x")) })).toBeUndefined();
    expect(await statsOf({ stats: () => new Promise(() => {}) }, 20)).toBeUndefined();
  });

  test("an embedded store that is cut off is noticed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "colophon-admin-"));
    const path = join(folder, "catalog.db");
    let store = openSqlite(path, { create: true });
    try {
      await fill(store, [BOOK]);
      start({ ready: () => readiness(store, () => false)() });
      expect((await ask("/readyz")).status).toBe(200);
      expect((await statsOf(store))?.records).toBe(1);
      // SQLite would answer from its memory for a while.
      await store.close();
      store = openSqlite(path);
      truncateSync(path, CATALOG.pageSize);
      const { status, text } = await ask("/readyz");
      expect([status, text]).toEqual([503, expect.stringMatching(/^the store cannot answer: .+$/)]);
      expect(await statsOf(store)).toBeUndefined();
    } finally {
      await store.close();
      rmSync(folder, { recursive: true });
    }
  });

  test("PostgreSQL that dies, comes back, freezes and goes on", async () => {
    await using server = await startServer();
    await migratePostgres(server.url);
    const store = openPostgres(server.url);
    try {
      await fill(store, [BOOK]);
      start({
        ready: readiness(store, () => false),
        metrics: async () => metrics.snapshot(await statsOf(store)),
      });
      const up = async () => parse((await ask("/metrics")).text).get("colophon_store_up")!.samples[0]!.value;
      expect((await ask("/readyz")).status).toBe(200);
      expect(await up()).toBe(1);

      await server.kill();
      expect(await readyzIs(503)).toContain("127.0.0.1");
      expect(await up()).toBe(0);
      await server.start();
      expect(await readyzIs(200)).toBe("ok");
      expect(await up()).toBe(1);

      await server.suspend();
      expect(await readyzIs(503)).not.toContain("\n");
      await server.resume();
      expect(await readyzIs(200)).toBe("ok");
    } finally {
      await store.close();
    }
  });
});
