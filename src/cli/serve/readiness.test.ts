/** The admin port in front of real stores that fail. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entryOf } from "../../api/testing/books.ts";
import type { Store } from "../../catalog/store.ts";
import { waitFor } from "../../lib/testing/wait-for.ts";
import { migratePostgres, openPostgres } from "../../stores/postgres/store.ts";
import { isPostgresLeftOut } from "../../stores/postgres/testing/database.ts";
import { startServer } from "../../stores/postgres/testing/server.ts";
import { CATALOG } from "../../stores/sqlite/schema.ts";
import { openSqlite } from "../../stores/sqlite/store.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { type AdminServer, startAdminServer } from "../../telemetry/admin-server.ts";
import { Metrics } from "../../telemetry/metrics.ts";
import { createReadinessProbe, readStats } from "../../telemetry/store-probe.ts";
import { parseMetrics } from "../../telemetry/testing/prometheus-parser.ts";

const BOOK = entryOf({ isbn: "9789999923019", title: "La Odisea", imprint: "Sello" });

/** Starts an admin server for the store that `store` returns at the time of each request. */
function start(store: () => Store): AdminServer {
  const metrics = new Metrics({ version: "1.2.3" });
  return startAdminServer({
    host: "127.0.0.1",
    port: 0,
    notLiveReason: () => undefined,
    notReadyReason: () => createReadinessProbe(store(), () => false)(),
    metrics: async () => metrics.snapshot(await readStats(store())),
    onError(error) {
      throw error;
    },
  });
}

async function readyz(admin: AdminServer): Promise<{ status: number; text: string }> {
  const response = await fetch(`${admin.url}/readyz`);
  return { status: response.status, text: await response.text() };
}

/** Returns the text of the first response with the status. */
async function readyzWith(admin: AdminServer, status: number): Promise<string> {
  let text = "";
  await waitFor(`/readyz is ${status}`, async () => {
    const response = await readyz(admin);
    text = response.text;
    return response.status === status;
  });
  return text;
}

async function storeUp(admin: AdminServer): Promise<number> {
  const families = parseMetrics(await (await fetch(`${admin.url}/metrics`)).text());
  return families.get("colophon_store_up")!.samples[0]!.value;
}

describe("/readyz", () => {
  test("is 503 when the SQLite file is truncated", async () => {
    const folder = mkdtempSync(join(tmpdir(), "colophon-admin-"));
    const path = join(folder, "catalog.db");
    let store = openSqlite(path, { create: true });
    const admin = start(() => store);
    try {
      await importBooks(store, [BOOK]);
      expect((await readyz(admin)).status).toBe(200);
      expect((await readStats(store))?.records).toBe(1);
      // An open connection would respond from its page cache for a while.
      await store.close();
      store = openSqlite(path);
      truncateSync(path, CATALOG.pageSize);
      expect(await readyz(admin)).toEqual({
        status: 503,
        text: expect.stringMatching(/^the store failed: .+$/),
      });
      expect(await readStats(store)).toBeUndefined();
    } finally {
      await admin.stop();
      await store.close();
      rmSync(folder, { recursive: true });
    }
  });

  test.skipIf(isPostgresLeftOut)(
    "is 503 while PostgreSQL is killed or suspended, and 200 again afterwards (skipped without it)",
    async () => {
      await using server = await startServer();
      await migratePostgres(server.url);
      const store = openPostgres(server.url);
      const admin = start(() => store);
      try {
        await importBooks(store, [BOOK]);
        expect((await readyz(admin)).status).toBe(200);
        expect(await storeUp(admin)).toBe(1);

        await server.kill();
        expect(await readyzWith(admin, 503)).toContain("127.0.0.1");
        expect(await storeUp(admin)).toBe(0);
        await server.start();
        expect(await readyzWith(admin, 200)).toBe("ok");
        expect(await storeUp(admin)).toBe(1);

        await server.suspend();
        expect(await readyzWith(admin, 503)).not.toContain("\n");
        await server.resume();
        expect(await readyzWith(admin, 200)).toBe("ok");
      } finally {
        await admin.stop();
        await store.close();
      }
    },
  );
});
