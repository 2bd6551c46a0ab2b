/** A client that reads a list slowly holds the write-ahead log only until it leaves. */
import { beforeAll, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { openSocket } from "../src/server/testing/socket.ts";
import { openSqlite } from "../src/stores/sqlite/store.ts";
import { books, importBooks } from "../src/stores/testing/books.ts";
import { colophon, fetchAs, startColophon, temporaryFolder } from "./process.ts";

/** Their log has more than the 16 MB that are left alone. */
const BOOKS = 2500;

let folder: ReturnType<typeof temporaryFolder>;
let db: string;
let token: string;
let state = 0;

beforeAll(async () => {
  folder = temporaryFolder();
  db = join(folder, "catalog.db");
  await importNextState();
  token = (await colophon(["token", "--name", "Any", "--db", db])).stdout.trim();
});

async function importNextState(): Promise<void> {
  const store = openSqlite(db, { create: true, importOnly: true });
  await importBooks(store, books(1, BOOKS, { imprint: "A", title: String(state++).repeat(7000) }));
  await store.close();
}

const logBytes = () => statSync(`${db}-wal`, { throwIfNoEntry: false })?.size ?? 0;

test.each([1, 2])(
  "serve with %d process(es) truncates the log after a slow reader has left",
  async (workers) => {
    const server = await startColophon(["--db", db, "--workers", String(workers)]);
    const reader = await openSocket(server.port);
    reader.pause();
    reader.write(`GET /api/imprint/a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    // The list has begun when its first bytes are there.
    await new Promise((resolve) => reader.once("readable", resolve));
    await importNextState();
    expect(logBytes()).toBeGreaterThan(16 * 1024 * 1024);
    reader.destroy();
    await waitFor("the log is truncated", () => logBytes() === 0);
    const response = await fetchAs(token, `${server.url}/api/skus`);
    expect(await response.json()).toHaveLength(BOOKS);
    expect(await server.stop()).toBe(0);
  },
);
