/**
 * Encodes a batch for `postMessage` between threads. Structured cloning costs more per value than per byte. So the
 * fields of scanned products travel as columns, and their bodies in one buffer that is transferred, not copied.
 */
import { type PreparedProduct, prepareProduct } from "../catalog/prepare-product.ts";
import type { Day } from "../onix/date.ts";
import type { ScannedProduct } from "../onix/fast/batch-scanner.ts";
import { isScannedProduct } from "../onix/fast/fast-reader.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import type { ParsedBatch, PreparedBatch } from "./feed-batches.ts";

export interface EncodedBatch extends Omit<PreparedBatch, "products"> {
  /** Products that the fast reader did not scan, with their indexes in the batch. */
  readonly others: readonly (readonly [index: number, product: PreparedProduct])[];
  readonly bodies: Uint8Array;
  readonly bodyEnds: Uint32Array;
  readonly lines: Float64Array;
  readonly columns: Float64Array;
  /** Concatenated, 13 digits each. */
  readonly isbns: string;
  /** Concatenated, 8 digits each, or 8 spaces for a record without a date. */
  readonly published: string;
  readonly references: string;
  readonly referenceEnds: Uint32Array;
  readonly imprints: DictionaryColumn<ScannedProduct["imprint"]>;
  readonly languages: DictionaryColumn<ScannedProduct["languages"]>;
  readonly origins: DictionaryColumn<ScannedProduct["origin"]>;
}

/** A dictionary-encoded column: each distinct value once, and for each product the index of its value. */
interface DictionaryColumn<T> {
  readonly values: readonly T[];
  readonly indexes: Uint16Array;
}

const ISBN_LENGTH = 13;
const DATE_LENGTH = 8;
const NO_DATE = " ".repeat(DATE_LENGTH);

export function encodeBatch({ products, release, ...origin }: ParsedBatch): EncodedBatch {
  const scanned = products.filter(isScannedProduct);
  const others = products.flatMap((product, index): [number, PreparedProduct][] =>
    isScannedProduct(product) ? [] : [[index, prepareProduct(product, release)]],
  );
  const bodyEnds = endOffsets(scanned.map(({ body }) => body));
  const references = scanned.map(({ reference }) => reference);
  return {
    ...origin,
    others,
    bodies: concatenateBodies(scanned, bodyEnds.at(-1) ?? 0),
    bodyEnds,
    lines: Float64Array.from(scanned, ({ line }) => line),
    columns: Float64Array.from(scanned, ({ column }) => column),
    isbns: scanned.map(({ isbn }) => isbn).join(""),
    published: scanned.map(({ published }) => published ?? NO_DATE).join(""),
    references: references.join(""),
    referenceEnds: endOffsets(references),
    imprints: dictionaryColumn(scanned.map(({ imprint }) => imprint)),
    languages: dictionaryColumn(
      scanned.map(({ languages }) => languages),
      (languages) => languages.join(" "),
    ),
    origins: dictionaryColumn(scanned.map(({ origin }) => origin)),
  };
}

/** Prepares the scanned products here, on the receiving thread, to divide the work about evenly. */
export function decodeBatch(encoded: EncodedBatch): PreparedBatch {
  const { file, document, remarks, bytesRead, others, bodies, bodyEnds, lines, columns } = encoded;
  const products: PreparedProduct[] = Array.from(bodyEnds, (end, index) => {
    const published = encoded.published.slice(index * DATE_LENGTH, (index + 1) * DATE_LENGTH);
    return prepareProduct({
      isbn: encoded.isbns.slice(index * ISBN_LENGTH, (index + 1) * ISBN_LENGTH) as Isbn13,
      body: bodies.subarray(bodyEnds[index - 1] ?? 0, end),
      reference: encoded.references.slice(
        encoded.referenceEnds[index - 1] ?? 0,
        encoded.referenceEnds[index],
      ),
      imprint: valueAt(encoded.imprints, index),
      languages: valueAt(encoded.languages, index),
      published: published === NO_DATE ? undefined : (published as Day),
      origin: valueAt(encoded.origins, index),
      line: lines[index]!,
      column: columns[index]!,
    });
  });
  for (const [index, product] of others) products.splice(index, 0, product);
  return { file, document, products, remarks, bytesRead };
}

function dictionaryColumn<T>(
  column: readonly T[],
  keyOf: (value: T) => unknown = (value) => value,
): DictionaryColumn<T> {
  const values: T[] = [];
  const indexByKey = new Map<unknown, number>();
  const indexes = Uint16Array.from(column, (value) => {
    const key = keyOf(value);
    const known = indexByKey.get(key);
    if (known !== undefined) return known;
    indexByKey.set(key, values.length);
    return values.push(value) - 1;
  });
  return { values, indexes };
}

function valueAt<T>({ values, indexes }: DictionaryColumn<T>, index: number): T {
  return values[indexes[index]!] as T;
}

/** Returns the end offset of each item in their concatenation. */
function endOffsets(items: readonly { readonly length: number }[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(items, ({ length }) => {
    end += length;
    return end;
  });
}

/** Concatenates the bodies. The scanner often leaves them so in one buffer, which is then returned without a copy. */
function concatenateBodies(scanned: readonly ScannedProduct[], totalBytes: number): Uint8Array {
  const first = scanned[0]?.body.buffer;
  if (first?.byteLength === totalBytes && scanned.every(({ body }) => body.buffer === first)) {
    return new Uint8Array(first);
  }
  const bodies = new Uint8Array(totalBytes);
  let offset = 0;
  for (const { body } of scanned) {
    bodies.set(body, offset);
    offset += body.length;
  }
  return bodies;
}
