/** Imports mutated feeds with the real program: each is applied as a whole or rejected as a whole. */

import { deepStrictEqual } from "node:assert";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bookErrors } from "../../src/api/openapi/record/testing/typed-values.ts";
import { EMPTY_REVISION, RevisionSum } from "../../src/catalog/revision.ts";
import type { Entry } from "../../src/catalog/store.ts";
import { createEntry } from "../../src/catalog/testing/entries.ts";
import { openSqlite } from "../../src/stores/sqlite/store.ts";
import { measurePeakMemory } from "../peak-memory.ts";
import { COMMAND } from "../process.ts";

/** An import of these small feeds takes about 150 MB. A busy machine collects garbage later than an idle one. */
const MAX_PEAK_BYTES = 400 * 2 ** 20;

export interface ImportOutcome {
  readonly code: number;
  readonly peakBytes: number;
}

/** Imports the bytes into the catalog in this folder. Throws when exit code, output or catalog are wrong. */
export async function importBytes(folder: string, feed: Uint8Array): Promise<ImportOutcome> {
  const db = join(folder, "catalog.db");
  const path = join(folder, "feed");
  writeFileSync(path, feed);
  const before = await revisionOf(db);
  const result = await measurePeakMemory([COMMAND, "import", "--db", db, path]);
  const { code, stdout, stderr, signal, peakBytes } = result;
  const output = `exit ${code}, ${stdout}${stderr}`;
  check(signal === null, `ended by ${signal}: ${output}`);
  check(code === 0 || code === 1 || code === 3, output);
  check(!/^ +at |panic|Segmentation/m.test(stderr), `a stack trace in the output: ${output}`);
  check(peakBytes < MAX_PEAK_BYTES, `${Math.round(peakBytes / 2 ** 20)} MB: ${output}`);
  const after = await checkedRevision(db);
  if (code === 1) {
    check(stdout === "" && /^colophon: /m.test(stderr), `rejected without a reason: ${output}`);
    check(after === before, `rejected, but the catalog has changed: ${output}`);
  } else {
    const printed = /Revision ([0-9a-f]{32})\.\n$/.exec(stdout)?.[1];
    check(
      printed === undefined ? after === before : printed === after,
      `the revision is ${after}: ${output}`,
    );
  }
  return { code, peakBytes };
}

/** Returns the revision alone: the records were checked after the import before. */
async function revisionOf(db: string): Promise<string> {
  const store = openSqlite(db, { create: true });
  try {
    return await store.revision();
  } finally {
    await store.close();
  }
}

/** Reads the whole catalog, checks its index fields against its records, and returns its revision. */
async function checkedRevision(db: string): Promise<string> {
  const store = openSqlite(db, { create: true });
  const view = await store.snapshot();
  try {
    const sum = new RevisionSum(EMPTY_REVISION);
    const isbns: string[] = [];
    for await (const batch of view.entries()) {
      for (const entry of batch) {
        checkEntry(entry);
        sum.change(undefined, entry.etag);
        isbns.push(entry.isbn);
      }
    }
    check(String(sum) === view.revision, `the revision is ${view.revision}, and the records make ${sum}`);
    const listed: string[] = [];
    for await (const batch of view.isbns()) listed.push(...batch);
    deepStrictEqual(listed, isbns);
    deepStrictEqual([...new Set(isbns)].sort(), isbns);
    return view.revision;
  } finally {
    view.close();
    await store.close();
  }
}

function checkEntry(entry: Entry): void {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(entry.body);
  const record = JSON.parse(text);
  const errors = bookErrors(record);
  check(errors === "", `${entry.isbn}: ${errors}`);
  const { body: _, ...expected } = createEntry(
    record,
    entry.reference,
    JSON.parse(entry.origin),
    entry.sender,
  );
  const { body: __, ...stored } = entry;
  deepStrictEqual(stored, expected);
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new Error(message);
}
