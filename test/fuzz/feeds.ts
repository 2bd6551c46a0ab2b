/** Feeds that something has happened to, into the real importer: refused or taken, and nothing in between. */

import { deepStrictEqual } from "node:assert";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { createEntry } from "../../src/catalog/entry.ts";
import { EMPTY_REVISION, RevisionSum } from "../../src/catalog/revision.ts";
import type { Entry } from "../../src/catalog/store.ts";
import { openSqlite } from "../../src/stores/sqlite/store.ts";
import { measurePeakMemory } from "../peak-memory.ts";

const COMMAND = join(import.meta.dir, "../../bin/colophon");
/** As in hostile.test.ts: what an import may take up. */
const MOST_BYTES = 350 * 2 ** 20;

export interface Run {
  readonly code: number;
  readonly peak: number;
}

/** Imports the bytes into the catalog in this folder. Throws what is wrong with how it went. */
export async function importBytes(folder: string, feed: Uint8Array): Promise<Run> {
  const db = join(folder, "catalog.db");
  const path = join(folder, "feed");
  writeFileSync(path, feed);
  const before = await revisionOf(db);
  const ended = await measurePeakMemory([COMMAND, "import", "--db", db, path]);
  const { code, stdout, stderr, signal, bytes: peak } = ended;
  const said = `exit ${code}, ${stdout}${stderr}`;
  need(signal === null, `ended by ${signal}: ${said}`);
  need(code === 0 || code === 1 || code === 3, said);
  need(!/^ +at |panic|Segmentation/m.test(stderr), `a stack for the operator: ${said}`);
  need(peak < MOST_BYTES, `${Math.round(peak / 2 ** 20)} MB: ${said}`);
  const after = await revisionOf(db);
  if (code === 1) {
    need(stdout === "" && /^colophon: /m.test(stderr), `refused without a reason: ${said}`);
    need(after === before, `refused, and the catalog is another: ${said}`);
  } else {
    const told = /Revision ([0-9a-f]{32})\.\n$/.exec(stdout)?.[1];
    need(told === undefined ? after === before : told === after, `the revision is ${after}: ${said}`);
  }
  return { code, peak };
}

/** Reads all of it, and holds what it is found by against what it is. */
async function revisionOf(db: string): Promise<string> {
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
    need(String(sum) === view.revision, `the revision is ${view.revision}, and the records make ${sum}`);
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
  need(isBook(record) === true, `${entry.isbn}: ${JSON.stringify(isBook.errors)}`);
  const { body: _, ...made } = createEntry(record, entry.reference, JSON.parse(entry.origin));
  const { body: __, ...kept } = entry;
  deepStrictEqual(kept, made);
}

const isBook: ValidateFunction = (() => {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(openApiDocument({ version: "0", codeListIssue: 0 }), "openapi");
  return ajv.compile({ $ref: "openapi#/components/schemas/Book" });
})();

function need(right: boolean, message: string): void {
  if (!right) throw new Error(message);
}
