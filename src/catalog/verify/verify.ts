/**
 * Checks a store: each record against its checksum, the indexed fields, the summary, the search index and the links of
 * editions against the record, and the totals and counts against the records. It needs a bounded amount of memory.
 */
import type { Isbn13 } from "../../onix/isbn.ts";
import { indexFieldsOf } from "../../onix/record/index-fields.ts";
import { type RecordFields, recordId } from "../../onix/record/record-fields.ts";
import { summarize } from "../../onix/summary/summary.ts";
import { editionTargetsOf } from "../editions/edition-links.ts";
import { etagOf, type FoundBy, foundByFields, isIntact, summaryOfEntry } from "../entry.ts";
import { spellingKey } from "../imprint.ts";
import { type CountedBook, countedBookOf, countsOf, TOTALS } from "../quality/book-counts.ts";
import { EMPTY_REVISION, RevisionSum } from "../revision.ts";
import { searchDocumentOf } from "../search/document-builder.ts";
import { stateOf } from "../search/search-document.ts";
import { isSearchable } from "../search/search-id.ts";
import type { Entry } from "../store.ts";
import type { InspectedEntry, Inspection } from "./inspection.ts";

/** A defect of a record or, without an ISBN, of the store as a whole. */
export interface Fault {
  readonly isbn: Isbn13 | undefined;
  readonly text: string;
}

interface VerifyResult {
  readonly records: number;
  /** The number of records with a defect. */
  readonly damaged: number;
}

const FOUND_BY_WORDS: Readonly<Record<keyof FoundBy, string>> = {
  imprint: "imprint",
  languages: "languages",
  published: "publication date",
};
const FOUND_BY = Object.keys(FOUND_BY_WORDS) as readonly (keyof FoundBy)[];

/** Yields every defect of a store. */
export async function* verify(inspection: Inspection): AsyncGenerator<Fault, VerifyResult> {
  for await (const batch of inspection.faults()) for (const text of batch) yield storeFault(text);
  const revision = new RevisionSum(EMPTY_REVISION);
  const spellings = new CountSum();
  const counts = new CountSum();
  let [records, damaged, isComplete] = [0, 0, true];
  for await (const batch of inspection.entries()) {
    for (const inspected of batch) {
      if ("unreadable" in inspected) {
        yield { isbn: inspected.isbn, text: `cannot be read (${inspected.unreadable})` };
        isComplete = false;
        if (inspected.isbn !== undefined) damaged++;
        continue;
      }
      const { isbn, etag, imprint } = inspected.entry;
      records++;
      const faults = [
        ...(inspected.fault ? [inspected.fault] : []),
        ...faultsOf(inspected, (book) =>
          countsOf(book, (kind, value) => {
            counts.add(countKey(kind, value), 1);
            const total = TOTALS.get(kind);
            if (total !== undefined) counts.add(countKey("total", total), 1);
          }),
        ),
      ];
      if (faults.length > 0) damaged++;
      for (const text of faults) yield { isbn, text };
      if (/^[0-9a-f]{32}$/.test(etag)) revision.change(undefined, etag);
      if (imprint) spellings.add(spellingKey(imprint), 1);
    }
  }
  // When some records could not be read, the totals are bound to differ, and that has been reported.
  if (!isComplete) return { records, damaged };
  if (records !== inspection.records) {
    yield storeFault(`the catalog states ${inspection.records} records, but has ${records}`);
  }
  if (String(revision) !== inspection.revision) {
    yield storeFault(
      `the catalog's revision is ${inspection.revision}, but its records add up to ${revision}`,
    );
  }
  for await (const batch of inspection.spellings()) {
    for (const spelling of batch) spellings.add(spellingKey(spelling), -spelling.records);
  }
  if (!spellings.isZero) yield storeFault("the imprint table does not match the records");
  // A damaged record is counted as it was, which cannot be known.
  if (damaged > 0) return { records, damaged };
  for await (const batch of inspection.counts()) {
    for (const { kind, value, books } of batch) counts.add(countKey(kind, value), -books);
  }
  if (!counts.isZero) yield storeFault("the counts of books do not match the records");
  return { records, damaged };
}

function storeFault(text: string): Fault {
  return { isbn: undefined, text };
}

/** No kind has a line feed, so the key is unambiguous. */
function countKey(kind: string, value: string): string {
  return `${kind}\n${value}`;
}

/** Returns the defects of one record. `count` gets what is counted of it. */
function faultsOf(
  { entry, searchState, editionTargets }: Extract<InspectedEntry, { entry: Entry }>,
  count: (book: CountedBook) => void,
): string[] {
  if (!isIntact(entry)) return ["its bytes do not match its checksum"];
  const record = parseObject(entry.body);
  if (!record) return ["it is not a JSON object"];
  const index = indexFieldsOf(record);
  const foundBy = foundByFields(index);
  const faults: string[] = [];
  const compare = (field: string, stored: unknown, derived: unknown) => {
    const [found, expected] = [JSON.stringify(stored), JSON.stringify(derived)];
    if (found !== expected)
      faults.push(`its ${field} in the store is ${found}, but in the record ${expected}`);
  };
  compare("ISBN", entry.isbn, record.RecordReference);
  compare("id", recordId(entry.isbn), record._id);
  for (const name of FOUND_BY) compare(FOUND_BY_WORDS[name], entry[name] ?? null, foundBy[name] ?? null);
  compare("links of editions", editionTargets, editionTargetsOf(entry));
  if (!parseObject(entry.origin)) faults.push("its origin is not a JSON object");
  if (entry.summary === undefined) faults.push("its summary is missing");
  else if (!isIntact(entry.summary)) faults.push("the bytes of its summary do not match their checksum");
  else if (entry.summary.etag !== summaryOfEntry({ body: entry.body }).etag) {
    faults.push("its summary is not that of the record");
  }
  if (!isSearchable(entry.isbn)) return faults;
  const document = searchDocumentOf(record, summarize(record, index, undefined));
  count(countedBookOf(document, entry.published));
  if (searchState === undefined) faults.push("it is missing in the search index");
  else if (searchState !== stateOf(document)) {
    faults.push("its entry in the search index is not that of the record");
  }
  return faults;
}

function parseObject(json: Uint8Array | string): RecordFields | undefined {
  try {
    const value = JSON.parse(typeof json === "string" ? json : decoder.decode(json));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const MAX_CACHED_KEYS = 10_000;

/**
 * Compares two tables of counts without storing either. As in the revision, each key is a 128-bit number, and the sums
 * are compared.
 */
class CountSum {
  #sum = 0n;
  /** Thousands of consecutive records share a key. */
  readonly #cache = new Map<string, bigint>();

  add(key: string, times: number): void {
    this.#sum += this.#numberOf(key) * BigInt(times);
  }

  get isZero(): boolean {
    return this.#sum === 0n;
  }

  #numberOf(key: string): bigint {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    if (this.#cache.size >= MAX_CACHED_KEYS) this.#cache.clear();
    const number = BigInt(`0x${etagOf(encoder.encode(key))}`);
    this.#cache.set(key, number);
    return number;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
