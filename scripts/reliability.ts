/**
 * `npm run test:faults`: tries every fault at its full number, and makes docs/reliability.md of what the tests have
 * recorded. When one fails, the page stays as it was. Nothing is skipped: this needs root on Linux, and a C compiler.
 */
import { Database } from "bun:sqlite";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Survived } from "../test/faults/recorded.ts";

const root = join(import.meta.dir, "..");
const folder = mkdtempSync(join(tmpdir(), "colophon-faults-"));
const log = join(folder, "faults.jsonl");
/** By what happens, not by which file was tested first. */
const ORDER = [/^kill -9/, /EIO/, /disk|limit on the size/, /cut off|flipped|damaged/, /^the file/, /backup/];

try {
  const started = performance.now();
  const tests = Bun.spawn([process.execPath, "test", "--timeout", "60000", join(root, "test/faults")], {
    cwd: root,
    env: { ...process.env, CI: "true", COLOPHON_FAULTS_LOG: log },
    stdout: "inherit",
    stderr: "inherit",
  });
  if ((await tests.exited) !== 0)
    throw new Error("A fault was not survived: docs/reliability.md stays as it was");
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as Survived);
  const minutes = Math.ceil((performance.now() - started) / 60_000);
  writeFileSync(join(root, "docs/reliability.md"), pageOf(rows, minutes));
} finally {
  rmSync(folder, { recursive: true });
}

function pageOf(rows: readonly Survived[], minutes: number): string {
  const tried = rows.reduce((sum, row) => sum + row.tried, 0);
  const day = new Date().toISOString().slice(0, 10);
  return `# What Colophon survives

Made by \`npm run test:faults\` (\`test/faults/\`), not by hand. Each line is a test that runs the real program. \`npm test\` runs the same tests, fewer times each.

${day}, Bun ${Bun.version}, SQLite ${sqliteVersion()}, ${process.platform} ${process.arch}: ${tried.toLocaleString("en-US")} faults in ${minutes} minutes.

| Fault | Tried | Lost | How it was checked |
|---|---|---|---|
${ordered(rows).map(lineOf).join("\n")}

## How damage is noticed
- **Records.** The ETag of a record is 128 bits of the SHA-256 of its bytes, and is kept apart from them. Whenever a record is read from the store, it is held against its ETag: what does not agree is answered by 500, breaks a list off on the wire, and is named in the log by its ISBN. It is never served.
- **Lists.** \`/api/skus\` and \`/api/imprint\` count what they send against what the catalog says there must be. An index that has lost a book breaks them off.
- **The file.** What is not a catalog, is empty, or was made by a newer Colophon is refused and not touched. A new catalog gets its name when it is whole, so an empty file is never taken for a new one.
- **Imports.** One transaction: what was not committed is not there after a crash. A commit that the disk refused to make durable is also taken out of the log, so that it does not come back with the next crash.

## What is not noticed when it is read
SQLite has no checksums of its own on the pages of indexes. A flipped bit there can make a lookup answer 404 for a book that is there, leave a book out of \`/api/news\` or of a list that is filtered by language, or change a letter of what \`/api/skus\` and \`/api/imprints\` show. It cannot change a record. The line above on flipped bits counts how often it happened; \`colophon verify\` found every one. Run it from time to time, as a disk is checked: \`colophon verify\` on the catalog, or on a backup of it.
`;
}

function ordered(rows: readonly Survived[]): readonly Survived[] {
  const place = ({ fault }: Survived) => {
    const at = ORDER.findIndex((pattern) => pattern.test(fault));
    return at === -1 ? ORDER.length : at;
  };
  return rows.toSorted((a, b) => place(a) - place(b));
}

function lineOf({ fault, tried, lost, checked }: Survived): string {
  return `| ${[fault, tried.toLocaleString("en-US"), lost, checked].map(cell).join(" | ")} |`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function sqliteVersion(): string {
  const db = new Database(":memory:");
  try {
    return db.prepare<{ version: string }, []>("SELECT sqlite_version() AS version").get()!.version;
  } finally {
    db.close();
  }
}
