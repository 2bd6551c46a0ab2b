/**
 * `npm run test:faults`: runs the fault tests with all repetitions, and writes docs/reliability.md from the results
 * that they record. The page stays unchanged when a test fails. Needs Linux, root and a C compiler: no test is skipped.
 *
 *   npm run test:faults -- --results FILE TEST…   runs some, adds to FILE, and writes the page from all of FILE
 */
import { Database } from "bun:sqlite";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { FaultResult } from "../test/faults/fault-report.ts";
import { replaceSoakSection, soakSectionOf } from "../test/soak/report.ts";

const root = join(import.meta.dir, "..");
const folder = mkdtempSync(join(tmpdir(), "colophon-faults-"));
const { values, positionals } = parseArgs({
  options: { results: { type: "string" } },
  allowPositionals: true,
});
if ((values.results === undefined) !== (positionals.length === 0))
  throw new Error("--results FILE and the names of tests go together");
const resultsPath = resolve(values.results ?? join(folder, "faults.jsonl"));
const FAULT_TESTS = ["test/faults", "test/socket-activation.test.ts"];
/** Rows are sorted by kind of fault. Rows that match no pattern come last. */
const FAULT_KINDS = [
  /^kill -9/,
  /EIO/,
  /disk|limit on file sizes/,
  /truncated|flipped|damaged/,
  /^the file/,
  /backup/,
  /catalog (moved|copied|deleted)|catalog deleted/,
  /network|SIGSTOP/,
  /SIGTERM|restart/,
];

try {
  const paths = positionals.length > 0 ? positionals : FAULT_TESTS;
  const tests = Bun.spawn(
    [process.execPath, "test", "--timeout=3600000", ...paths.map((path) => join(root, path))],
    {
      cwd: root,
      env: { ...process.env, CI: "true", COLOPHON_FAULTS_LOG: resultsPath },
      stdout: "inherit",
      stderr: "inherit",
    },
  );
  if ((await tests.exited) !== 0)
    throw new Error("a fault test has failed: docs/reliability.md is unchanged");
  const lines = readFileSync(resultsPath, "utf8").trimEnd().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as FaultResult);
  const path = join(root, "docs/reliability.md");
  const soak = soakSectionOf(readFileSync(path, "utf8"));
  const page = reliabilityPage(rows);
  writeFileSync(path, soak === undefined ? page : replaceSoakSection(page, soak));
} finally {
  rmSync(folder, { recursive: true });
}

function reliabilityPage(rows: readonly FaultResult[]): string {
  const tried = rows.reduce((sum, row) => sum + row.tried, 0);
  const day = new Date().toISOString().slice(0, 10);
  return `# Reliability

This page shows what happens to a catalog when disks, processes and networks fail. Each row of the table is a test in \`test/faults/\` that breaks the real program; \`npm run test:faults\` runs them at full count and writes this page.

- **Records.** Every record that is read is checked: on PostgreSQL against its ETag (128 bits of SHA-256), in a file against a faster checksum of record and ETag (XXH3). A damaged record is never served: a lookup returns 500, a list is cut off, and the log names the ISBN.
- **Lists.** \`/api/skus\` and \`/api/imprint\` compare the number of their items with the count in the catalog, and are cut off when an index has lost a book.
- **Files.** A file that is not a catalog, is empty, or has a newer format is rejected and not changed. A new catalog gets its name only when it is complete.
- **Imports.** An import is one transaction. A commit that the disk did not make durable is also removed from the write-ahead log, so that it does not reappear after the next crash.

**Reads do not detect everything:** SQLite has no checksums on index pages. A flipped bit there can make a lookup return 404 for an existing book, omit a book from \`/api/news\` or from a list filtered by language, or change a character in \`/api/skus\` and \`/api/imprints\`. A flipped bit in a summary can omit its book, or a count, from \`/api/suggest\`; suggestions that are shown are checked. \`colophon verify\` finds such bits: run it regularly, on the catalog or on a backup.

## Faults

${day}, Bun ${Bun.version}, SQLite ${sqliteVersion()}, ${process.platform} ${process.arch}: ${tried.toLocaleString("en-US")} faults.

| Fault | Tried | Lost | How it was checked |
|---|---|---|---|
${joinFiles(sortByKind(rows)).map(tableRow).join("\n")}
`;
}

function sortByKind(rows: readonly FaultResult[]): readonly FaultResult[] {
  const rank = ({ fault }: FaultResult) => {
    const index = FAULT_KINDS.findIndex((pattern) => pattern.test(fault));
    return index === -1 ? FAULT_KINDS.length : index;
  };
  return rows.toSorted((a, b) => rank(a) - rank(b));
}

/** Joins the rows of files that are no catalog, which differ in the kind of file only. */
function joinFiles(rows: readonly FaultResult[]): readonly FaultResult[] {
  const start = "the file is ";
  const files = rows.filter(
    ({ fault, checked }) => fault.startsWith(start) && checked.endsWith("the reason in one line"),
  );
  const fault = start + files.map((row) => row.fault.slice(start.length)).join(", ");
  const tried = files.reduce((sum, row) => sum + row.tried, 0);
  return rows.flatMap((row) =>
    row === files[0] ? { ...row, fault, tried } : files.includes(row) ? [] : row,
  );
}

function tableRow({ fault, tried, lost, checked }: FaultResult): string {
  return `| ${[fault, tried.toLocaleString("en-US"), lost, checked].map(escapeCell).join(" | ")} |`;
}

function escapeCell(text: string): string {
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
