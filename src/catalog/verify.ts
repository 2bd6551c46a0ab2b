/** Whether a store still holds what it was given, and finds it by what it is. In bounded memory. */
import type { RecordFields } from "../onix/field-builder.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import { recordId } from "../onix/record.ts";
import { isIntact } from "./damaged-record.ts";
import { etagOf, imprintOf, languagesOf, publicationDay } from "./entry.ts";
import { imprintFromName } from "./imprint.ts";
import type { Inspection, SpellingCount } from "./inspection.ts";
import { EMPTY_REVISION, RevisionSum } from "./revision.ts";
import type { Entry } from "./store.ts";

/** Something that is wrong: with a record, or with the store as a whole. */
export interface Finding {
  readonly isbn: Isbn13 | undefined;
  readonly text: string;
}

export interface VerifyResult {
  readonly records: number;
  /** Those that something is wrong with. */
  readonly damaged: number;
}

export async function* verify(inspection: Inspection): AsyncGenerator<Finding, VerifyResult> {
  for await (const batch of inspection.faults()) for (const text of batch) yield about(text);
  const revision = new RevisionSum(EMPTY_REVISION);
  const spellings = new SpellingSum();
  let [records, damaged, isWhole] = [0, 0, true];
  for await (const batch of inspection.entries()) {
    for (const kept of batch) {
      if ("unreadable" in kept) {
        yield { isbn: kept.isbn, text: `cannot be read (${kept.unreadable})` };
        isWhole = false;
        if (kept.isbn !== undefined) damaged++;
        continue;
      }
      const { isbn, etag, imprint } = kept.entry;
      records++;
      const wrong = [...(kept.fault ? [kept.fault] : []), ...faultsOf(kept.entry)];
      if (wrong.length > 0) damaged++;
      for (const text of wrong) yield { isbn, text };
      if (/^[0-9a-f]{32}$/.test(etag)) revision.change(undefined, etag);
      if (imprint) spellings.add(imprint, 1);
    }
  }
  // Of a store that could not be read to its end the sums are wrong, and that has been said.
  if (!isWhole) return { records, damaged };
  if (records !== inspection.records) {
    yield about(`the catalog says that it has ${inspection.records} records, and has ${records}`);
  }
  if (String(revision) !== inspection.revision) {
    yield about(`the catalog's revision is ${inspection.revision}, and its records make ${revision}`);
  }
  for await (const batch of inspection.spellings()) {
    for (const spelling of batch) spellings.add(spelling, -spelling.records);
  }
  if (!spellings.isZero) yield about("the table of imprints does not agree with the records");
  return { records, damaged };
}

function about(text: string): Finding {
  return { isbn: undefined, text };
}

/** What is wrong with one record. */
export function faultsOf(entry: Entry): string[] {
  if (!isIntact(entry)) return ["its bytes are not those that were stored"];
  const record = parsed(entry.body);
  if (!record) return ["it is no JSON object"];
  const name = imprintOf(record);
  const imprint = name === undefined ? undefined : imprintFromName(name);
  const wrong: string[] = [];
  const compare = (what: string, kept: unknown, derived: unknown) => {
    const [found, expected] = [JSON.stringify(kept), JSON.stringify(derived)];
    if (found !== expected) wrong.push(`it is kept under the ${what} ${found}, and has ${expected}`);
  };
  compare("ISBN", entry.isbn, record.RecordReference);
  compare("id", recordId(entry.isbn), record._id);
  compare("imprint", [entry.imprint?.slug, entry.imprint?.name], [imprint?.slug, imprint?.name]);
  compare("languages", entry.languages, languagesOf(record));
  compare("day of publication", entry.published ?? null, publicationDay(record) ?? null);
  if (!parsed(entry.origin)) wrong.push("what it was made from is no JSON object");
  return wrong;
}

function parsed(json: Uint8Array | string): RecordFields | undefined {
  try {
    const value = JSON.parse(typeof json === "string" ? json : decoder.decode(json));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether two counts of spellings are the same, without keeping either: as with the revision, each spelling is a
 * number of 128 bits, and the sums are compared.
 */
class SpellingSum {
  #sum = 0n;
  readonly #numbers = new Map<string, bigint>();

  add({ slug, name }: Pick<SpellingCount, "slug" | "name">, times: number): void {
    this.#sum += this.#numberOf(`${slug}\n${name}`) * BigInt(times);
  }

  get isZero(): boolean {
    return this.#sum === 0n;
  }

  /** Of thousands of books the same, and asked for one after the other. */
  #numberOf(spelling: string): bigint {
    const known = this.#numbers.get(spelling);
    if (known !== undefined) return known;
    if (this.#numbers.size >= 10_000) this.#numbers.clear();
    const number = BigInt(`0x${etagOf(encoder.encode(spelling))}`);
    this.#numbers.set(spelling, number);
    return number;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
