import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../../catalog/store-error.ts";
import { book, importBooks, isbn } from "../testing/books.ts";
import { openSqlite, type SqliteOptions } from "./store.ts";
import { runChild, TempFolder } from "./testing/folder.ts";

// A disk or a machine that is slow is no failure.
setDefaultTimeout(60_000);

function refused(path: string, options: SqliteOptions = {}): string {
  try {
    openSqlite(path, options);
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    return (error as Error).message;
  }
  throw new Error("It was opened");
}

/** A SQLite file made by `sql`. */
function sqliteFile(path: string, ...sql: string[]): Buffer {
  const db = new Database(path);
  for (const one of sql) db.run(one);
  db.close(true);
  return readFileSync(path);
}

describe("a file that is refused", () => {
  test("is not there, and is not made unless asked for", () => {
    using folder = new TempFolder();
    const path = join(folder.path, "sub", "catalog.db");
    expect(refused(path)).toContain(`There is no catalog at ${path}; import a feed first`);
    expect(refused(path, { create: true, readonly: true })).toContain("There is no catalog");
    expect(existsSync(join(folder.path, "sub"))).toBe(false);
  });

  test("is a folder", () => {
    using folder = new TempFolder();
    expect(refused(folder.path, { create: true })).toContain(`${folder.path} is a folder; name a file in it`);
  });

  test("would stand in a file", () => {
    using folder = new TempFolder();
    writeFileSync(join(folder.path, "file"), "");
    for (const path of [join(folder.path, "file", "catalog.db"), join(folder.path, "file", "a", "b.db")]) {
      expect(refused(path, { create: true })).toContain("is not a folder");
    }
  });

  test("is no SQLite file, and stays as it is", () => {
    using folder = new TempFolder();
    const path = join(folder.path, "letter.txt");
    writeFileSync(path, "Dear reader, ".repeat(1000));
    for (const options of [{ create: true }, { readonly: true }, {}]) {
      expect(refused(path, options)).toContain("nor any SQLite file; name another file");
    }
    expect(readFileSync(path, "utf8")).toBe("Dear reader, ".repeat(1000));
  });

  test("is of another program, and stays as it is", () => {
    using folder = new TempFolder();
    const path = join(folder.path, "other.db");
    const made = [
      ["CREATE TABLE record (id)"],
      ["PRAGMA application_id = 7"],
      ["PRAGMA application_id = 7", "CREATE TABLE t (a)", "PRAGMA user_version = 1"],
      ["PRAGMA user_version = 1"],
    ];
    for (const [index, sql] of made.entries()) {
      const bytes = sqliteFile(path + index, ...sql);
      expect(refused(path + index, { create: true })).toContain("no catalog of Colophon; name another file");
      expect(readFileSync(path + index).equals(bytes)).toBe(true);
    }
  });

  test("is our registry of tokens, not a catalog; and the other way round", async () => {
    using folder = new TempFolder();
    const store = openSqlite(folder.catalog, { create: true });
    store.tokens.add({ id: "a", name: "A", issued: "2026", expires: "2027", revoked: undefined });
    await store.close();
    expect(refused(`${folder.catalog}.tokens`)).toContain("no catalog of Colophon");
    sqliteFile(join(folder.path, "b.db.tokens"), "CREATE TABLE t (a)");
    const other = openSqlite(join(folder.path, "b.db"), { create: true });
    expect(() => other.tokens.isRevoked("a")).toThrow("no registry of tokens of Colophon");
    await other.close();
  });

  test("was made by a newer Colophon", async () => {
    using folder = new TempFolder();
    await openSqlite(folder.catalog, { create: true }).close();
    const bytes = sqliteFile(folder.catalog, "PRAGMA user_version = 99");
    const message = "was made by a newer Colophon (format 99, this one knows 3); update Colophon";
    expect(refused(folder.catalog)).toContain(message);
    expect(refused(folder.catalog, { readonly: true })).toContain(message);
    expect(readFileSync(folder.catalog).equals(bytes)).toBe(true);
  });

  test("is empty: it has lost what it had, as a new one is never seen before it is whole", async () => {
    using folder = new TempFolder();
    const path = join(folder.path, "wal.db");
    writeFileSync(folder.catalog, "");
    const bytes = sqliteFile(path, "PRAGMA journal_mode = WAL");
    for (const options of [{}, { create: true }, { readonly: true }]) {
      expect(refused(folder.catalog, options)).toContain("is empty, and no catalog; put a copy in its place");
      expect(refused(path, options)).toContain("is empty, and no catalog");
    }
    expect(statSync(folder.catalog).size).toBe(0);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test("is an empty registry: what it struck out must not count again", async () => {
    using folder = new TempFolder();
    const store = openSqlite(folder.catalog, { create: true });
    writeFileSync(`${folder.catalog}.tokens`, "");
    expect(() => store.tokens.isRevoked("a")).toThrow("is empty, and no registry of tokens");
    await store.close();
  });

  test("may not be read, or not written, by this user", async () => {
    using folder = new TempFolder();
    await openSqlite(folder.catalog, { create: true }).close();
    chmodSync(folder.path, 0o777);
    const tries = async (mode: number, options: SqliteOptions) => {
      chmodSync(folder.catalog, mode);
      return (await runChild("open-as-nobody", folder.catalog, JSON.stringify(options))).trim();
    };
    const right = "cannot be opened; give the user who runs this the right to";
    expect(await tries(0o666, {})).toBe("opened");
    expect(await tries(0o444, {})).toContain(`${right} write`);
    expect(await tries(0o000, {})).toContain(`${right} write`);
    expect(await tries(0o000, { readonly: true })).toContain(`${right} read`);
    expect(await tries(0o444, { readonly: true })).toBe("opened");
    chmodSync(folder.path, 0o755);
    expect(await tries(0o666, {})).toContain(`${right} write`);
  });

  test("in a folder that may not be made", async () => {
    using folder = new TempFolder();
    mkdirSync(join(folder.path, "closed"), { mode: 0o755 });
    const path = join(folder.path, "closed", "a", "catalog.db");
    chmodSync(folder.path, 0o755);
    const said = await runChild("open-as-nobody", path, JSON.stringify({ create: true }));
    expect(said).toContain("StoreRefused");
    expect(said).toContain("the right to write");
  });
});

describe("a file that is taken", () => {
  test("is made with its folder", async () => {
    using folder = new TempFolder();
    const path = join(folder.path, "a", "b", "catalog.db");
    const store = openSqlite(path, { create: true });
    await importBooks(store, [book(1)]);
    await store.close();
    const again = openSqlite(path);
    expect(again.record(isbn(1))).toBeDefined();
    await again.close();
  });

  test("has strange characters in its name, and is no URI", async () => {
    using folder = new TempFolder();
    for (const name of ["file:x?mode=memory", "ñ 📚 #1.db", ":memory:"]) {
      const path = join(folder.path, name);
      await importBooks(openSqlite(path, { create: true }), [book(1)]);
      expect(statSync(path).size).toBeGreaterThan(0);
      expect(openSqlite(path, { readonly: true }).record(isbn(1))).toBeDefined();
    }
  });

  test("for reading only takes no import and no token", async () => {
    using folder = new TempFolder();
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

  test("of tokens is for its owner alone, and made with the first token", async () => {
    using folder = new TempFolder();
    const store = openSqlite(folder.catalog, { create: true });
    store.tokens.isRevoked("a");
    store.tokens.list();
    store.tokens.revoke("a", "2026");
    expect(existsSync(`${folder.catalog}.tokens`)).toBe(false);
    store.tokens.add({ id: "a", name: "A", issued: "2026", expires: "2027", revoked: undefined });
    for (const file of [".tokens", ".tokens-wal"]) {
      expect(statSync(folder.catalog + file).mode & 0o777).toBe(0o600);
    }
    await store.close();
  });
});
