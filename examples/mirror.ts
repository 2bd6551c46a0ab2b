/**
 * A mirror of a catalog in a SQLite file. It can be killed at any time, and goes on where it was.
 *
 *     COLOPHON_TOKEN=… bun mirror.ts http://127.0.0.1:8080 mirror.db
 */
import { Database } from "bun:sqlite";

const [url = "", file = ""] = process.argv.slice(2);
const token = process.env.COLOPHON_TOKEN ?? "";
const limit = process.env.MIRROR_LIMIT ?? "1000";
const pollMs = Number(process.env.MIRROR_POLL_MS ?? "60000");

const db = new Database(file);
db.run("PRAGMA busy_timeout = 5000");
db.run("PRAGMA journal_mode = WAL");
// `load` tells in which load of the whole catalog a book was listed last.
db.run(
  "CREATE TABLE IF NOT EXISTS book (isbn TEXT PRIMARY KEY, record TEXT NOT NULL, load INTEGER NOT NULL)",
);
db.run("CREATE TABLE IF NOT EXISTS state (cursor TEXT, load INTEGER NOT NULL, is_loading INTEGER NOT NULL)");
db.run("INSERT INTO state SELECT NULL, 1, 1 WHERE NOT EXISTS (SELECT * FROM state)");

interface Change {
  readonly isbn: string;
  readonly change: "added" | "updated" | "deleted";
  readonly record?: unknown;
}

interface Page {
  readonly changes: readonly Change[];
  readonly next: string;
  readonly more: boolean;
}

interface State {
  readonly cursor: string | null;
  readonly load: number;
  readonly is_loading: number;
}

const readState = db.prepare<State, []>("SELECT * FROM state");
const put = db.prepare("INSERT OR REPLACE INTO book VALUES (?, ?, ?)");
const remove = db.prepare("DELETE FROM book WHERE isbn = ?");

/** One transaction has the changes of a page and the cursor after it. */
const savePage = db.transaction(({ changes, next, more }: Page, { load, is_loading }: State) => {
  for (const { isbn, change, record } of changes) {
    if (change === "deleted") remove.run(isbn);
    else put.run(isbn, JSON.stringify(record), load);
  }
  // At the end of a load, the books that it has not listed are gone.
  if (is_loading && !more) db.run("DELETE FROM book WHERE load < ?", [load]);
  db.run("UPDATE state SET cursor = ?, is_loading = ?", [next, is_loading && more ? 1 : 0]);
});

/** The state of the catalog when the mirror was up to date: the response is 304 while it is the same. */
let etag: string | null = null;

for (;;) {
  const state = readState.get()!;
  const query = new URLSearchParams({ view: "record", limit, ...(state.cursor && { since: state.cursor }) });
  const headers: Record<string, string> = {
    Authorization: `Bearer ${token}`,
    ...(etag && { "If-None-Match": etag }),
  };
  try {
    const response: Response = await fetch(`${url}/api/changes?${query}`, { headers });
    if (response.status === 200) {
      const page = (await response.json()) as Page;
      savePage(page, state);
      etag = page.more ? null : response.headers.get("etag");
      console.log(`${page.changes.length} changes${page.more ? "" : ", up to date"}`);
      if (page.more) continue;
    } else if (response.status === 410) {
      // The catalog cannot continue after the cursor: load it anew. The books stay until the load has ended.
      db.run("UPDATE state SET cursor = NULL, load = load + 1, is_loading = 1");
      etag = null;
      console.log("load anew");
      continue;
    } else if (response.status < 500 && ![304, 408, 429].includes(response.status)) {
      console.error(`The catalog has refused the request: ${response.status} ${await response.text()}`);
      process.exit(1);
    }
  } catch (error) {
    // The connection broke, or the page was cut off. Nothing of it was saved.
    console.error(String(error));
  }
  await Bun.sleep(pollMs);
}
