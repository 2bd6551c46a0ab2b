/** Estimates what VACUUM would give back. Records and summaries are nearly all of a catalog file. */
import type { Database } from "bun:sqlite";

/** Removed records leave few empty pages, but many that are half empty. So the packed bodies are counted, too. */
export function estimateGainBytes(db: Database): number {
  using now = db.prepare<{ free: number; pageBytes: number }, []>(
    "SELECT freelist_count AS free, page_size AS pageBytes FROM pragma_freelist_count, pragma_page_size",
  );
  const { free, pageBytes } = now.get()!;
  using tables = db.prepare<{ name: string; pages: number }, []>(
    "SELECT name, pageno AS pages FROM dbstat WHERE aggregate = TRUE AND name IN ('body', 'summary')",
  );
  let gainedPages = free;
  for (const { name, pages } of tables.all()) {
    gainedPages += Math.max(0, pages - packedPages(rowSizes(db, name), pageBytes));
  }
  return gainedPages * pageBytes;
}

/** The header of a row, its size and its id, and the pointer to it. */
const ROW_OVERHEAD_BYTES = 15;
const PAGE_HEADER_BYTES = 8;

function* rowSizes(db: Database, table: string): Generator<number, void> {
  const origin = table === "body" ? "octet_length(origin)" : "0";
  using rows = db.prepare<{ bytes: number }, []>(
    `SELECT octet_length(etag) + ${origin} + octet_length(body) AS bytes FROM ${table} ORDER BY id`,
  );
  for (const { bytes } of rows.iterate()) yield bytes + ROW_OVERHEAD_BYTES;
}

/** Returns the number of pages of rows that are written one after the other, as VACUUM does. */
export function packedPages(sizes: Iterable<number>, pageBytes: number): number {
  let pages = 1;
  let used = PAGE_HEADER_BYTES;
  for (const size of sizes) {
    const local = localBytes(size, pageBytes);
    pages += Math.ceil((size - local) / (pageBytes - 4));
    if (used + local > pageBytes) {
      pages++;
      used = PAGE_HEADER_BYTES;
    }
    used += local;
  }
  return pages;
}

/** Returns the part of a row that is in its own page; the rest is in overflow pages (SQLite file format §1.6). */
function localBytes(size: number, pageBytes: number): number {
  const max = pageBytes - 35;
  if (size <= max) return size;
  const min = Math.floor(((pageBytes - 12) * 32) / 255) - 23;
  const local = min + ((size - min) % (pageBytes - 4));
  return local <= max ? local : min;
}
