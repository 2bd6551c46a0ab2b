import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartedImport } from "../catalog/import-run.ts";
import { message } from "../onix/testing/message.ts";
import { openSqlite } from "../stores/sqlite/store.ts";
import { feedSource } from "./feed-source.ts";
import { runImport } from "./import-run.ts";

const folder = mkdtempSync(join(tmpdir(), "colophon-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

const product = (isbn: string) => `<Product><RecordReference>${isbn}</RecordReference>
  <NotificationType>03</NotificationType><ProductIdentifier><ProductIDType>15</ProductIDType>
  <IDValue>${isbn}</IDValue></ProductIdentifier></Product>`;
const XML = message(product("9789999901116"), product("9789999901253"));
const digestOf = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

const QUIET = { waiting() {}, complaint() {}, removed() {}, progress() {}, feedsRead: async () => {} };
const RULES = { replace: false, allowRemovals: false, inOrder: false };

function write(name: string, content: string | Uint8Array): { path: string; bytes: Uint8Array } {
  const path = join(folder, name);
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  writeFileSync(path, bytes);
  return { path, bytes };
}

/** Imports files into a new catalog. Returns what the history has of the import. */
async function importAndRead(...paths: readonly string[]) {
  const store = openSqlite(join(folder, `${crypto.randomUUID()}.db`), { create: true });
  try {
    await runImport(
      store,
      paths.map((path) => feedSource(path, false)),
      RULES,
      QUIET,
    ).catch(() => {});
    const run = await store.importHistory.get(1);
    return { run: run!, applied: await store.appliedFeeds(run!.feeds.map(({ sha256 }) => sha256 ?? "")) };
  } finally {
    await store.close();
  }
}

describe("the history of an import", () => {
  test.each([
    ["plain.xml", XML],
    ["feed.xml.gz", Bun.gzipSync(Buffer.from(XML))],
    // Bytes after the end of the compressed data are part of the file.
    [
      "large.xml",
      message(...Array.from({ length: 3 }, () => `${product("9789999901116")}${" ".repeat(600_000)}`)),
    ],
  ])("has the digest of %s as it was given", async (name, content) => {
    const { path, bytes } = write(name, content);
    const { run, applied } = await importAndRead(path);
    const sha256 = digestOf(bytes);
    expect(run).toMatchObject({ outcome: "changed", feedCount: 1 });
    expect(run.feeds).toMatchObject([{ number: 1, name, sha256, bytes: bytes.length }]);
    expect(applied).toEqual(new Map([[sha256, 1]]));
  });

  test("has the digest of a small feed that is not well-formed, and does not count it as applied", async () => {
    const [good, broken] = [write("good.xml", XML), write("broken.xml", XML.slice(0, -20))];
    const { run, applied } = await importAndRead(good.path, broken.path, good.path);
    expect(run.outcome).toBe("failed");
    expect(run.message).toContain("broken.xml");
    // The third feed was not begun.
    expect(run.feeds.map(({ name, sha256 }) => [name, sha256])).toEqual([
      ["good.xml", digestOf(good.bytes)],
      ["broken.xml", digestOf(broken.bytes)],
    ]);
    expect(applied.size).toBe(0);
  });

  test("has no digest of a feed that was not read to its end", async () => {
    const { path } = write("long.xml", `<ONIXMessage release="3.0"><<${" ".repeat(5_000_000)}`);
    const { run } = await importAndRead(path);
    expect(run.feeds).toMatchObject([{ name: "long.xml", sha256: undefined }]);
  });

  test("groups complaints, with their places", async () => {
    const { path } = write("complaints.xml", message(product("9789999901116"), product("x"), product("y")));
    const { run } = await importAndRead(path);
    expect(run.complaintCount).toBeGreaterThanOrEqual(2);
    expect(run.complaintGroups[0]).toMatchObject({ severity: "rejected", kind: "no-isbn", count: 2 });
    expect(run.complaintGroups[0]!.examples).toMatchObject([
      { reference: "x", file: "complaints.xml" },
      { reference: "y", file: "complaints.xml" },
    ]);
  });
});

test("a duration does not depend on the clock", async () => {
  const started = new StartedImport();
  await Bun.sleep(5);
  expect(started.durationMs).toBeGreaterThanOrEqual(4);
});
