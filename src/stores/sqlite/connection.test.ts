import { Database } from "bun:sqlite";
import { describe, expect } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../../catalog/store-errors.ts";
import { testsWith } from "../../lib/testing/tests-with.ts";
import { book, books, importBooks, isbn } from "../testing/books.ts";
import { openSqlite, type SqliteOptions } from "./store.ts";
import { runChild } from "./testing/child-process.ts";
import { createSqlite, TempFolder } from "./testing/folder.ts";

const test = testsWith(() => new TempFolder());

function errorOnOpening(path: string, options: SqliteOptions = {}): string {
  try {
    openSqlite(path, options);
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    return (error as Error).message;
  }
  throw new Error("The file was opened");
}

function createSqliteFile(path: string, ...sql: string[]): Buffer {
  const db = new Database(path);
  for (const statement of sql) db.run(statement);
  db.close(true);
  return readFileSync(path);
}

describe("openSqlite rejects", () => {
  test("a missing file, and does not create it without the option", (folder) => {
    const path = join(folder.path, "sub", "catalog.db");
    expect(errorOnOpening(path)).toContain(`There is no catalog at ${path}; import a feed first`);
    expect(errorOnOpening(path, { create: true, readonly: true })).toContain("There is no catalog");
    expect(existsSync(join(folder.path, "sub"))).toBe(false);
  });

  test("a folder", (folder) => {
    expect(errorOnOpening(folder.path, { create: true })).toContain(
      `${folder.path} is a folder; name a file in it`,
    );
  });

  test("a path below a file", (folder) => {
    writeFileSync(join(folder.path, "file"), "");
    for (const path of [join(folder.path, "file", "catalog.db"), join(folder.path, "file", "a", "b.db")]) {
      expect(errorOnOpening(path, { create: true })).toContain("is not a folder");
    }
  });

  test("a file that is no SQLite file, without changing it", (folder) => {
    const path = join(folder.path, "letter.txt");
    writeFileSync(path, "Dear reader, ".repeat(1000));
    for (const options of [{ create: true }, { readonly: true }, {}]) {
      expect(errorOnOpening(path, options)).toContain(
        "is not a Colophon catalog or any SQLite file; name another file",
      );
    }
    expect(readFileSync(path, "utf8")).toBe("Dear reader, ".repeat(1000));
  });

  test("the database of another program, without changing it", (folder) => {
    const path = join(folder.path, "other.db");
    const databases = [
      ["CREATE TABLE record (id)"],
      ["CREATE TABLE format (name)"],
      ["PRAGMA application_id = 7"],
      ["PRAGMA application_id = 7", "CREATE TABLE t (a)", "PRAGMA user_version = 1"],
      ["PRAGMA user_version = 1"],
    ];
    for (const [index, sql] of databases.entries()) {
      const bytes = createSqliteFile(path + index, ...sql);
      expect(errorOnOpening(path + index, { create: true })).toContain(
        "not a Colophon catalog; name another file",
      );
      expect(readFileSync(path + index).equals(bytes)).toBe(true);
    }
  });

  test("a token registry instead of a catalog, and vice versa", async (folder) => {
    const store = openSqlite(folder.catalog, { create: true });
    store.tokens.add({ id: "a", name: "A", issued: "2026", expires: "2027", revoked: undefined });
    await store.close();
    expect(errorOnOpening(`${folder.catalog}.tokens`)).toContain("not a Colophon catalog");
    createSqliteFile(join(folder.path, "b.db.tokens"), "CREATE TABLE t (a)");
    const other = openSqlite(join(folder.path, "b.db"), { create: true });
    expect(() => other.tokens.isRevoked("a")).toThrow("not a Colophon token registry");
    await other.close();
  });

  test("an empty file, because a new catalog is never visible before it is complete", async (folder) => {
    const path = join(folder.path, "wal.db");
    writeFileSync(folder.catalog, "");
    const bytes = createSqliteFile(path, "PRAGMA journal_mode = WAL");
    for (const options of [{}, { create: true }, { readonly: true }]) {
      expect(errorOnOpening(folder.catalog, options)).toContain("is empty, not a catalog; restore a backup");
      expect(errorOnOpening(path, options)).toContain("is empty, not a catalog");
    }
    expect(statSync(folder.catalog).size).toBe(0);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test("an empty token registry, which would make revoked tokens valid again", async (folder) => {
    const store = openSqlite(folder.catalog, { create: true });
    writeFileSync(`${folder.catalog}.tokens`, "");
    expect(() => store.tokens.isRevoked("a")).toThrow("is empty, not a token registry");
    await store.close();
  });

  test("a file that the user may not read or write", async (folder) => {
    await openSqlite(folder.catalog, { create: true }).close();
    chmodSync(folder.path, 0o777);
    const openWithMode = async (mode: number, options: SqliteOptions) => {
      chmodSync(folder.catalog, mode);
      return (await runChild("open-as-nobody", folder.catalog, JSON.stringify(options))).trim();
    };
    const right = "cannot be opened; give the user who runs this the right to";
    expect(await openWithMode(0o666, {})).toBe("opened");
    expect(await openWithMode(0o444, {})).toContain(`${right} write`);
    expect(await openWithMode(0o000, {})).toContain(`${right} write`);
    expect(await openWithMode(0o000, { readonly: true })).toContain(`${right} read`);
    expect(await openWithMode(0o444, { readonly: true })).toBe("opened");
    chmodSync(folder.path, 0o555);
    expect(await openWithMode(0o666, {})).toContain(`${right} write`);
    chmodSync(folder.path, 0o755);
  });

  test("a folder that the user may not create", async (folder) => {
    mkdirSync(join(folder.path, "closed"), { mode: 0o555 });
    const path = join(folder.path, "closed", "a", "catalog.db");
    chmodSync(folder.path, 0o755);
    const output = await runChild("open-as-nobody", path, JSON.stringify({ create: true }));
    expect(output).toContain("StoreError");
    expect(output).toContain("the right to write");
  });
});

describe("openSqlite", () => {
  test("creates the file and its folder", async (folder) => {
    const path = join(folder.path, "a", "b", "catalog.db");
    await createSqlite(path, [book(1)]);
    const again = openSqlite(path);
    expect(again.record(isbn(1))).toBeDefined();
    await again.close();
  });

  test("accepts special characters in a name, and does not treat it as a URI", async (folder) => {
    for (const name of ["file:x?mode=memory", "ñ 📚 #1.db", ":memory:"]) {
      const path = join(folder.path, name);
      await importBooks(openSqlite(path, { create: true }), [book(1)]);
      expect(statSync(path).size).toBeGreaterThan(0);
      expect(openSqlite(path, { readonly: true }).record(isbn(1))).toBeDefined();
    }
  });

  test("rejects imports and new tokens when opened for reading only", async (folder) => {
    const writer = openSqlite(folder.catalog, { create: true });
    await importBooks(writer, [book(1)]);
    const reader = openSqlite(folder.catalog, { readonly: true });
    const snapshot = await reader.snapshot();
    expect(await snapshot.missing([isbn(1)])).toEqual([]);
    snapshot.close();
    await expect(reader.beginImport()).rejects.toThrow(StoreError);
    const token = { id: "a", name: "A", issued: "2026", expires: "2027", revoked: undefined };
    expect(() => reader.tokens.add(token)).toThrow(StoreError);
    expect(reader.tokens.isRevoked("a")).toBe(false);
    await writer.tokens.add(token);
    await writer.tokens.revoke("a", "2026");
    expect(reader.tokens.isRevoked("a")).toBe(true);
    await reader.close();
    await writer.close();
  });

  test("creates the token registry with the first token, readable by its owner alone", async (folder) => {
    const store = openSqlite(folder.catalog, { create: true });
    store.tokens.isRevoked("a");
    store.tokens.list();
    expect(existsSync(`${folder.catalog}.tokens`)).toBe(false);
    store.tokens.add({ id: "a", name: "A", issued: "2026", expires: "2027", revoked: undefined });
    for (const file of [".tokens", ".tokens-wal"]) {
      expect(statSync(folder.catalog + file).mode & 0o777).toBe(0o600);
    }
    await store.close();
  });
});

/** Otherwise each scrape of the metrics would read the whole table of imprints, in the process that serves requests. */
test("stats counts the imprints once for each revision", async (folder) => {
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(store, [...books(1, 2, { imprint: "A" }), ...books(3, 4, { imprint: "B" })]);
  const before = await store.stats();
  expect(before.imprints).toBe(2);
  const db = new Database(folder.catalog);
  db.run("DELETE FROM imprint WHERE slug = 'a'");
  db.close();
  expect(await store.stats()).toEqual(before);
  await importBooks(store, books(5, 5, { imprint: "C" }));
  expect(await store.stats()).toMatchObject({ records: 5, imprints: 2 });
  await store.close();
});
