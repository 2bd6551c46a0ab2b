import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entry } from "../../../catalog/store.ts";
import { importBooks } from "../../testing/books.ts";
import { openSqlite } from "../store.ts";

/** A temporary folder for a catalog. */
export class TempFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "colophon-"));
  readonly catalog = join(this.path, "catalog.db");

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}

export function runSql(path: string, sql: string): Record<string, unknown>[] {
  using db = new Database(path);
  return db.prepare<Record<string, unknown>, []>(sql).all();
}

/** Creates a closed catalog of these books, and returns its path. */
export async function createSqlite(path: string, books: readonly Entry[]): Promise<string> {
  const store = openSqlite(path, { create: true });
  await importBooks(store, books);
  await store.close();
  return path;
}
