/**
 * Encodes products for `postMessage` between threads. Structured cloning costs more per value than per byte. So the
 * fields of the products travel as columns, and their bodies in one buffer that is transferred, not copied.
 */
import { etagOf } from "../catalog/entry.ts";
import type { PreparedProduct } from "../catalog/prepare-product.ts";
import type { Day } from "../onix/date.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import type { Remark } from "../onix/remark.ts";
import type { ProductAction, ScannedProduct } from "../onix/scanned-product.ts";
import type { Position } from "../xml/position.ts";
import { positionFrom, remarksFrom } from "./document-position.ts";

export interface EncodedProducts {
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
  /** JSON of `[index of the product, remarks]` for the products with remarks. Is empty when there are none. */
  readonly remarks: string;
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

const NO_REMARKS: readonly Remark[] = [];

/** Computes the etags too, on this thread. Expects the bodies in one buffer, in order and without gaps. */
export function encodeProducts(products: readonly ScannedProduct[]): EncodedProducts {
  const bodies = products.map(({ body }) => body);
  const references = products.map(({ reference }) => reference);
  const remarks = products.flatMap((product, index) =>
    product.remarks.length === 0 ? [] : [[index, product.remarks]],
  );
  const fixed = (length: number, read: (product: ScannedProduct) => string | undefined) =>
    products.map((product) => read(product) || " ".repeat(length)).join("");
  return {
    actions: Uint8Array.from(
      products,
      (each) => ACTIONS.indexOf(each.action) + (each.isWhole ? IS_WHOLE : 0),
    ),
    bodies: joinBodies(bodies),
    bodyEnds: endOffsets(bodies),
    lines: Uint32Array.from(products, ({ line }) => line),
    columns: Uint32Array.from(products, ({ column }) => column),
    completeness: Uint32Array.from(products, ({ completeness }) => completeness),
    isbns: fixed(ISBN_LENGTH, ({ isbn }) => isbn),
    etags: fixed(ETAG_LENGTH, ({ body }) => (body.length === 0 ? undefined : etagOf(body))),
    publishingDays: fixed(DAY_LENGTH, ({ index }) => index.publishingDay),
    marketDays: fixed(DAY_LENGTH, ({ index }) => index.marketDay),
    references: references.join(""),
    referenceEnds: endOffsets(references),
    imprints: dictionaryColumn(products.map(({ index }) => index.imprint)),
    languages: dictionaryColumn(
      products.map(({ index }) => index.languages),
      (languages) => languages.join("\n"),
    ),
    origins: dictionaryColumn(products.map(({ origin }) => origin)),
    rejections: dictionaryColumn(products.map(({ rejection }) => rejection)),
    remarks: remarks.length === 0 ? "" : JSON.stringify(remarks),
  };
}

/** Decodes the products of a chunk that begins at `start` of the document. */
export function decodeProducts(encoded: EncodedProducts, start: Position): PreparedProduct[] {
  const { actions, bodies, bodyEnds, references, referenceEnds } = encoded;
  const remarks = new Map<number, readonly Remark[]>(
    encoded.remarks === "" ? [] : (JSON.parse(encoded.remarks) as [number, Remark[]][]),
  );
  return Array.from(actions, (action, index) => ({
    action: ACTIONS[action & ~IS_WHOLE]!,
    isWhole: (action & IS_WHOLE) !== 0,
    isbn: fixedValue(encoded.isbns, ISBN_LENGTH, index) as Isbn13 | undefined,
    reference: references.slice(referenceEnds[index - 1] ?? 0, referenceEnds[index]),
    body: bodies.subarray(bodyEnds[index - 1] ?? 0, bodyEnds[index]),
    etag: fixedValue(encoded.etags, ETAG_LENGTH, index) ?? "",
    index: {
      imprint: dictionaryValue(encoded.imprints, index),
      languages: dictionaryValue(encoded.languages, index),
      publishingDay: fixedValue(encoded.publishingDays, DAY_LENGTH, index) as Day | undefined,
      marketDay: fixedValue(encoded.marketDays, DAY_LENGTH, index) as Day | undefined,
    },
    origin: dictionaryValue(encoded.origins, index),
    rejection: dictionaryValue(encoded.rejections, index),
    remarks: remarksFrom(start, remarks.get(index) ?? NO_REMARKS),
    completeness: encoded.completeness[index]!,
    ...positionFrom(start, { line: encoded.lines[index]!, column: encoded.columns[index]! }),
  }));
}

function fixedValue(column: FixedColumn, length: number, index: number): string | undefined {
  const value = column.slice(index * length, (index + 1) * length);
  return value.charCodeAt(0) === 0x20 ? undefined : value;
}

function dictionaryColumn<T>(
  column: readonly T[],
  keyOf: (value: T) => unknown = (value) => value,
): DictionaryColumn<T> {
  const values: T[] = [];
  const indexByKey = new Map<unknown, number>();
  const indexes = Uint32Array.from(column, (value) => {
    const key = keyOf(value);
    const known = indexByKey.get(key);
    if (known !== undefined) return known;
    indexByKey.set(key, values.length);
    return values.push(value) - 1;
  });
  return { values, indexes: values.length > 1 ? indexes : undefined };
}

function dictionaryValue<T>({ values, indexes }: DictionaryColumn<T>, index: number): T {
  return values[indexes ? indexes[index]! : 0] as T;
}

/** Returns the end offset of each item in their concatenation. */
function endOffsets(items: readonly { readonly length: number }[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(items, ({ length }) => {
    end += length;
    return end;
  });
}

/** Returns the buffer that the scanner wrote the bodies to, without a copy when it has nothing else. */
function joinBodies(bodies: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const written = bodies.filter(({ length }) => length > 0);
  const first = written[0];
  if (!first) return new Uint8Array(0);
  const { buffer } = first;
  const total = written.reduce((sum, { length }) => sum + length, 0);
  const isOneBuffer = buffer instanceof ArrayBuffer && written.every((body) => body.buffer === buffer);
  return isOneBuffer && buffer.byteLength === total
    ? new Uint8Array(buffer)
    : new Uint8Array(Buffer.concat(written));
}
