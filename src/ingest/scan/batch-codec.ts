/**
 * Encodes products for `postMessage` between threads. Structured cloning costs more per value than per byte. So the
 * fields of the products travel as columns, and their bodies in one buffer that is transferred, not copied.
 */
import { etagOf, type PreparedProduct } from "../../catalog/entry.ts";
import { documentOf } from "../../catalog/search/search-document.ts";
import { type Complaint, complaintsFrom } from "../../onix/complaint.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import type { ProductAction, ScannedProduct } from "../../onix/scanned-product.ts";
import type { Position } from "../../xml/position.ts";
import { decodeSummary, type Extracts, noExtracts } from "./extract-codec.ts";

export interface EncodedProducts extends Extracts {
  /** Indexes of `ACTIONS`, plus IS_WHOLE. */
  readonly actions: Uint8Array;
  readonly bodies: Uint8Array<ArrayBuffer>;
  readonly bodyEnds: Uint32Array;
  readonly lines: Uint32Array;
  readonly columns: Uint32Array;
  readonly completeness: Uint32Array;
  readonly isbns: FixedColumn;
  readonly etags: FixedColumn;
  readonly publishingDays: FixedColumn;
  readonly marketDays: FixedColumn;
  readonly references: string;
  readonly referenceEnds: Uint32Array;
  readonly imprints: DictionaryColumn<string | undefined>;
  readonly languages: DictionaryColumn<readonly string[]>;
  readonly origins: DictionaryColumn<string>;
  readonly rejections: DictionaryColumn<string>;
  /** JSON of `[index of the product, complaints]` for the products with complaints. Empty when there are none. */
  readonly complaints: string;
}

/** Values of one length, concatenated. A missing value is spaces. */
type FixedColumn = string;

/** Each distinct value once, and for each product the index of its value. Indexes are omitted for a single value. */
interface DictionaryColumn<T> {
  readonly values: readonly T[];
  readonly indexes: Uint32Array | undefined;
}

const ACTIONS: readonly ProductAction[] = ["record", "update", "deletion", "test", "rejection"];
const IS_WHOLE = 8;

const ISBN_LENGTH = 13;
const ETAG_LENGTH = 32;
const DAY_LENGTH = 8;

/** Missing values. */
const NO_ISBN = " ".repeat(ISBN_LENGTH);
const NO_ETAG = " ".repeat(ETAG_LENGTH);
const NO_DAY = " ".repeat(DAY_LENGTH);
const SPACE = 0x20;

const NO_COMPLAINTS: readonly Complaint[] = [];

/** Computes the etags too, on this thread. Expects the bodies in one buffer, in order and without gaps. */
export function encodeProducts(
  products: readonly ScannedProduct[],
  extracts: Extracts = noExtracts(),
): EncodedProducts {
  const count = products.length;
  const actions = new Uint8Array(count);
  const bodyEnds = new Uint32Array(count);
  const referenceEnds = new Uint32Array(count);
  const lines = new Uint32Array(count);
  const columns = new Uint32Array(count);
  const completeness = new Uint32Array(count);
  const imprints = new DictionaryEncoder<string | undefined>(count);
  const languages = new DictionaryEncoder<readonly string[]>(count);
  const origins = new DictionaryEncoder<string>(count);
  const rejections = new DictionaryEncoder<string>(count);
  const complaints: [index: number, complaints: readonly Complaint[]][] = [];
  let [isbns, etags, publishingDays, marketDays, references, bodyEnd] = ["", "", "", "", "", 0];
  for (let index = 0; index < count; index++) {
    const product = products[index]!;
    const { body, index: fields } = product;
    actions[index] = ACTIONS.indexOf(product.action) + (product.isWhole ? IS_WHOLE : 0);
    bodyEnd += body.length;
    bodyEnds[index] = bodyEnd;
    lines[index] = product.line;
    columns[index] = product.column;
    completeness[index] = product.completeness;
    isbns += product.isbn ?? NO_ISBN;
    etags += body.length === 0 ? NO_ETAG : etagOf(body);
    publishingDays += fields.publishingDay ?? NO_DAY;
    marketDays += fields.marketDay ?? NO_DAY;
    references += product.reference;
    referenceEnds[index] = references.length;
    imprints.add(index, fields.imprint);
    languages.add(index, fields.languages, fields.languages.join("\0"));
    origins.add(index, product.origin);
    rejections.add(index, product.rejection);
    if (product.complaints.length > 0) complaints.push([index, product.complaints]);
  }
  return {
    actions,
    bodies: joinBodies(products, bodyEnd),
    bodyEnds,
    ...extracts,
    lines,
    columns,
    completeness,
    isbns,
    etags,
    publishingDays,
    marketDays,
    references,
    referenceEnds,
    imprints: imprints.column,
    languages: languages.column,
    origins: origins.column,
    rejections: rejections.column,
    complaints: complaints.length === 0 ? "" : JSON.stringify(complaints),
  };
}

/** Decodes the products of a chunk that begins at `start` of the document. */
export function decodeProducts(encoded: EncodedProducts, start: Position): PreparedProduct[] {
  const { actions, bodies, bodyEnds, references, referenceEnds } = encoded;
  const complaints =
    encoded.complaints === ""
      ? undefined
      : new Map(JSON.parse(encoded.complaints) as [number, Complaint[]][]);
  const editions = JSON.parse(encoded.editions) as (readonly string[] | null)[];
  const products: PreparedProduct[] = [];
  for (let index = 0; index < actions.length; index++) {
    const action = actions[index]!;
    const line = encoded.lines[index]!;
    const column = encoded.columns[index]!;
    products.push({
      action: ACTIONS[action & ~IS_WHOLE]!,
      isbn: fixedValue(encoded.isbns, ISBN_LENGTH, index) as Isbn13 | undefined,
      reference: references.slice(referenceEnds[index - 1] ?? 0, referenceEnds[index]),
      body: bodies.subarray(bodyEnds[index - 1] ?? 0, bodyEnds[index]),
      etag: fixedValue(encoded.etags, ETAG_LENGTH, index) ?? "",
      summary: decodeSummary(encoded.summaries, index),
      search: documentOf(encoded.searchDocuments, index),
      editions: editions[index] ?? undefined,
      index: {
        imprint: dictionaryValue(encoded.imprints, index),
        languages: dictionaryValue(encoded.languages, index),
        publishingDay: fixedValue(encoded.publishingDays, DAY_LENGTH, index) as Day | undefined,
        marketDay: fixedValue(encoded.marketDays, DAY_LENGTH, index) as Day | undefined,
      },
      origin: dictionaryValue(encoded.origins, index),
      isWhole: (action & IS_WHOLE) !== 0,
      rejection: dictionaryValue(encoded.rejections, index),
      complaints: complaintsFrom(start, complaints?.get(index) ?? NO_COMPLAINTS),
      completeness: encoded.completeness[index]!,
      line: start.line + line - 1,
      column: line === 1 ? start.column + column - 1 : column,
    });
  }
  return products;
}

function fixedValue(column: FixedColumn, length: number, index: number): string | undefined {
  const from = index * length;
  return column.charCodeAt(from) === SPACE ? undefined : column.slice(from, from + length);
}

class DictionaryEncoder<T> {
  private readonly values: T[] = [];
  private readonly indexes: Uint32Array;
  private readonly indexByKey = new Map<unknown, number>();

  constructor(count: number) {
    this.indexes = new Uint32Array(count);
  }

  /** Values with the same key are the same. */
  add(index: number, value: T, key: unknown = value): void {
    let known = this.indexByKey.get(key);
    if (known === undefined) {
      known = this.values.push(value) - 1;
      this.indexByKey.set(key, known);
    }
    this.indexes[index] = known;
  }

  get column(): DictionaryColumn<T> {
    return { values: this.values, indexes: this.values.length > 1 ? this.indexes : undefined };
  }
}

function dictionaryValue<T>({ values, indexes }: DictionaryColumn<T>, index: number): T {
  return values[indexes ? indexes[index]! : 0] as T;
}

/** Returns the buffer that the scanner wrote the bodies to, without a copy when it has nothing else. */
function joinBodies(products: readonly ScannedProduct[], totalBytes: number): Uint8Array<ArrayBuffer> {
  const bodies = products.map(({ body }) => body).filter(({ length }) => length > 0);
  const buffer = bodies[0]?.buffer;
  if (!buffer) return new Uint8Array(0);
  const isOneBuffer = buffer instanceof ArrayBuffer && bodies.every((body) => body.buffer === buffer);
  return isOneBuffer && buffer.byteLength === totalBytes
    ? new Uint8Array(buffer)
    : new Uint8Array(Buffer.concat(bodies));
}
