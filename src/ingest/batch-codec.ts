/**
 * A batch on its way between threads. What is copied there is copied value by value, and each value costs more than its
 * bytes: so what every scanned product has goes as columns, and the bodies in one buffer that changes hands.
 */
import { type PreparedProduct, prepareProduct } from "../catalog/prepare-product.ts";
import type { Day } from "../onix/date.ts";
import { isScannedProduct } from "../onix/fast/fast-reader.ts";
import type { ScannedProduct } from "../onix/fast/batch-scanner.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import type { Batch, PreparedBatch } from "./feed-batches.ts";

export interface PackedBatch extends Omit<PreparedBatch, "products"> {
  /** Those that were not scanned, at their places. */
  readonly others: readonly (readonly [place: number, product: PreparedProduct])[];
  readonly bodies: Uint8Array;
  readonly bodyEnds: Uint32Array;
  readonly lines: Float64Array;
  readonly columns: Float64Array;
  /** One behind the other, each of 13 digits. */
  readonly isbns: string;
  /** Of 8 digits, or blanks for none. */
  readonly published: string;
  readonly references: string;
  readonly referenceEnds: Uint32Array;
  readonly imprints: Repeated<ScannedProduct["imprint"]>;
  readonly languages: Repeated<ScannedProduct["languages"]>;
  readonly origins: Repeated<ScannedProduct["origin"]>;
}

/** A column of which many values are the same: each of them once, and which of them each product has. */
interface Repeated<T> {
  readonly values: readonly T[];
  readonly which: Uint16Array;
}

const ISBN = 13;
const DAY = 8;
const NO_DAY = " ".repeat(DAY);

export function pack({ products, release, ...batch }: Batch): PackedBatch {
  const scanned = products.filter(isScannedProduct);
  const others = products.flatMap((product, at): [number, PreparedProduct][] =>
    isScannedProduct(product) ? [] : [[at, prepareProduct(product, release)]],
  );
  const bodyEnds = endsOf(scanned.map(({ body }) => body));
  const references = scanned.map(({ reference }) => reference);
  return {
    ...batch,
    others,
    bodies: bodiesOf(scanned, bodyEnds.at(-1) ?? 0),
    bodyEnds,
    lines: Float64Array.from(scanned, ({ line }) => line),
    columns: Float64Array.from(scanned, ({ column }) => column),
    isbns: scanned.map(({ isbn }) => isbn).join(""),
    published: scanned.map(({ published }) => published ?? NO_DAY).join(""),
    references: references.join(""),
    referenceEnds: endsOf(references),
    imprints: repeated(scanned.map(({ imprint }) => imprint)),
    languages: repeated(
      scanned.map(({ languages }) => languages),
      (languages) => languages.join(" "),
    ),
    origins: repeated(scanned.map(({ origin }) => origin)),
  };
}

/** Here is what is left to be done of each, so that both threads have about as much to do. */
export function unpack(packed: PackedBatch): PreparedBatch {
  const { file, document, notes, bytes, others, bodies, bodyEnds, lines, columns } = packed;
  const products: PreparedProduct[] = Array.from(bodyEnds, (end, at) => {
    const published = packed.published.slice(at * DAY, (at + 1) * DAY);
    return prepareProduct({
      isbn: packed.isbns.slice(at * ISBN, (at + 1) * ISBN) as Isbn13,
      body: bodies.subarray(bodyEnds[at - 1] ?? 0, end),
      reference: packed.references.slice(packed.referenceEnds[at - 1] ?? 0, packed.referenceEnds[at]),
      imprint: valueAt(packed.imprints, at),
      languages: valueAt(packed.languages, at),
      published: published === NO_DAY ? undefined : (published as Day),
      origin: valueAt(packed.origins, at),
      line: lines[at]!,
      column: columns[at]!,
    });
  });
  for (const [place, product] of others) products.splice(place, 0, product);
  return { file, document, products, notes, bytes };
}

function repeated<T>(column: readonly T[], keyOf: (value: T) => unknown = (value) => value): Repeated<T> {
  const values: T[] = [];
  const known = new Map<unknown, number>();
  const which = Uint16Array.from(column, (value) => {
    const key = keyOf(value);
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, values.length);
    return values.push(value) - 1;
  });
  return { values, which };
}

function valueAt<T>({ values, which }: Repeated<T>, at: number): T {
  return values[which[at]!] as T;
}

/** Where each ends when they stand one behind the other. */
function endsOf(all: readonly { readonly length: number }[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(all, ({ length }) => {
    end += length;
    return end;
  });
}

/** The bodies one behind the other, as the scanner left them, or copied so. */
function bodiesOf(scanned: readonly ScannedProduct[], length: number): Uint8Array {
  const first = scanned[0]?.body.buffer;
  if (first?.byteLength === length && scanned.every(({ body }) => body.buffer === first)) {
    return new Uint8Array(first);
  }
  const bodies = new Uint8Array(length);
  let to = 0;
  for (const { body } of scanned) {
    bodies.set(body, to);
    to += body.length;
  }
  return bodies;
}
