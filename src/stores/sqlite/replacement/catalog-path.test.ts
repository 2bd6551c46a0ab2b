import { expect, spyOn } from "bun:test";
import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { SnapshotExpired } from "../../../catalog/store-errors.ts";
import { testsWith } from "../../../lib/testing/tests-with.ts";
import { waitFor } from "../../../lib/testing/wait-for.ts";
import { books, collect } from "../../testing/books.ts";
import { withSteps } from "../../testing/next-format.ts";
import { migrateSqlite } from "../migrate.ts";
import { CATALOG } from "../schema.ts";
import { openSqlite } from "../store.ts";
import { runChild } from "../testing/child-process.ts";
import { createSqlite, TempFolder } from "../testing/folder.ts";
import type { CatalogChange } from "./catalog-path.ts";
import { OverwriteDetector } from "./overwrite-detector.ts";

const test = testsWith(follow);

const CHECK_INTERVAL_MS = 20;

const createCatalog = (path: string, bookCount: number) =>
  createSqlite(path, books(1, bookCount, { imprint: "A" }));

/** Creates a catalog of ten books, and a store that follows what happens to its file. */
async function follow() {
  const folder = new TempFolder();
  await createCatalog(folder.catalog, 10);
  const changes: CatalogChange[] = [];
  const onCatalogChange = (change: CatalogChange) => changes.push(change);
  const store = openSqlite(folder.catalog, { onCatalogChange, checkIntervalMs: CHECK_INTERVAL_MS });
  const reasons = () => changes.flatMap((change) => (change.state === "lost" ? [change.reason] : []));
  /** Waits until the store has looked at the file several times. */
  const looks = () => Bun.sleep(10 * CHECK_INTERVAL_MS);
  return {
    ...{ folder, store, changes, reasons, looks },
    /** Returns the path of a new catalog beside that of the store. */
    other: (bookCount: number) => createCatalog(join(folder.path, "new.db"), bookCount),
    async [Symbol.asyncDispose]() {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
}

test("serves a catalog that is moved over its own, and cuts off the lists of the old one", async (followed) => {
  const { folder, store, changes, other } = followed;
  const snapshot = await store.snapshot();
  renameSync(await other(20), folder.catalog);
  await waitFor("the new catalog is open", () => changes.length === 2);
  expect((await store.stats()).records).toBe(20);
  expect(() => snapshot.hasImprint("a")).toThrow(SnapshotExpired);
  expect(changes[1]).toEqual({ state: "opened", path: folder.catalog });
});

test("does not change within a lookup transaction", async (followed) => {
  const { folder, store, changes, looks, other } = followed;
  const lookups = store.lookupTransaction!;
  const before = lookups.begin();
  renameSync(await other(20), folder.catalog);
  await looks();
  expect([await store.revision(), changes]).toEqual([before, []]);
  lookups.end();
  await waitFor("the new catalog is open", () => changes.length === 2);
  expect(lookups.begin()).not.toBe(before);
});

test("imports and a changed time of the file are no change", async (followed) => {
  const { folder, store, changes, looks } = followed;
  for (const number of ["11", "12", "13"]) {
    expect(await runChild("add-one", folder.catalog, number)).toBe("done\n");
    await looks();
  }
  utimesSync(folder.catalog, new Date(), new Date());
  await looks();
  expect(changes).toEqual([]);
  expect((await store.stats()).records).toBe(13);
});

test("notices that its file was overwritten in place, and serves the new content", async (followed) => {
  const { folder, store, changes, reasons, other } = followed;
  expect((await store.stats()).records).toBe(10);
  copyFileSync(await other(500), folder.catalog);
  await waitFor("the new content is served", () => changes.at(-1)?.state === "opened");
  expect(reasons()[0]).toContain("was overwritten while it was in use");
  expect((await store.stats()).records).toBe(500);
  const snapshot = await store.snapshot();
  expect(await collect(snapshot.entries())).toHaveLength(500);
  snapshot.close();
  // A smaller file lacks pages of the one before.
  rmSync(join(folder.path, "new.db"));
  copyFileSync(await other(20), folder.catalog);
  await waitFor(
    "the smaller catalog is served",
    () => changes.length === 4 && changes[3]!.state === "opened",
  );
  expect((await store.stats()).records).toBe(20);
});

test("says why a file that was put there cannot be served, and serves it when it can", async (followed) => {
  const { folder, store, changes, reasons, other } = followed;
  const put = (content: Uint8Array) => {
    const path = join(folder.path, "next");
    writeFileSync(path, content);
    renameSync(path, folder.catalog);
  };
  put(Buffer.from("not a catalog".repeat(100)));
  await waitFor("the file is refused", () => /not a Colophon catalog/.test(reasons().at(-1) ?? ""));
  expect(() => store.revision()).toThrow(/not a Colophon catalog/);
  const old = readFileSync(await other(3));
  using _ = withSteps(CATALOG, "ALTER TABLE catalog ADD COLUMN next INTEGER");
  put(old);
  await waitFor("the old format is refused", () =>
    /run "colophon migrate" once/.test(reasons().at(-1) ?? ""),
  );
  migrateSqlite(folder.catalog);
  await waitFor("the migrated file is served", () => changes.at(-1)?.state === "opened");
  expect((await store.stats()).records).toBe(3);
});

test("does not serve a file that is still being copied", async (followed) => {
  const { folder, store, changes, looks, other } = followed;
  const whole = readFileSync(await other(1000));
  rmSync(folder.catalog);
  await waitFor("the loss is noticed", () => changes.length > 0);
  writeFileSync(folder.catalog, whole.subarray(0, 10_000));
  await looks();
  truncateSync(folder.catalog, 0);
  writeFileSync(folder.catalog, whole.subarray(0, 8192 * 3));
  await looks();
  expect(changes.map(({ state }) => state)).not.toContain("opened");
  expect(() => store.revision()).toThrow();
  appendFileSync(folder.catalog, whole.subarray(8192 * 3));
  await waitFor("the file is served", () => changes.at(-1)?.state === "opened");
  expect((await store.stats()).records).toBe(1000);
  expect(statSync(folder.catalog).size % 8192).toBe(0);
});

test("requires the token registry that it had, also beside a catalog that does not know of it", async (followed) => {
  const { folder, store, changes, reasons, other } = followed;
  await store.tokens.revoke("a", "2026-01-01T00:00:00.000Z");
  const registry = `${folder.catalog}.tokens`;
  const away = join(folder.path, "away");
  renameSync(registry, away);
  renameSync(await other(20), folder.catalog);
  await waitFor("the registry is missed", () => /token registry .+ is missing/.test(reasons().at(-1) ?? ""));
  expect(() => store.tokens.isRevoked("a")).toThrow(/is missing/);
  expect(() => store.revision()).toThrow(/is missing/);
  renameSync(away, registry);
  await waitFor("the registry is open", () => changes.at(-1)?.state === "opened");
  expect(await store.tokens.isRevoked("a")).toBe(true);
});

test("requires the registry also when the new file could not be read at first", async (followed) => {
  const { folder, store, changes, reasons, other } = followed;
  await store.tokens.revoke("a", "2026-01-01T00:00:00.000Z");
  const next = await other(20);
  using look = spyOn(OverwriteDetector.prototype, "wasOverwritten").mockImplementation(() => {
    throw new Error("disk I/O error");
  });
  rmSync(`${folder.catalog}.tokens`);
  renameSync(next, folder.catalog);
  await waitFor("the error is reported", () => reasons().at(-1) === "disk I/O error");
  look.mockRestore();
  await waitFor("the registry is missed", () => /token registry .+ is missing/.test(reasons().at(-1) ?? ""));
  expect(changes.map(({ state }) => state)).not.toContain("opened");
});
