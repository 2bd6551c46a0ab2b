/**
 * A batch on its way between threads. What is copied there is copied value by value, so what every scanned product has
 * goes as columns, and the bodies in one buffer that changes hands.
 */
import { type Prepared, prepare } from "../catalog/prepare.ts";
import { isScanned } from "../onix/fast/reader.ts";
import type { Scanned } from "../onix/fast/scanning.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import type { Batch, PreparedBatch } from "./preparing.ts";

type Column<Name extends keyof Scanned> = readonly Scanned[Name][];

export interface PackedBatch extends Omit<PreparedBatch, "products"> {
  /** Those that were not scanned, at their places. */
  readonly others: readonly (readonly [place: number, product: Prepared])[];
  readonly bodies: Uint8Array;
  readonly ends: Uint32Array;
  readonly lines: Float64Array;
  readonly columns: Float64Array;
  readonly isbns: string;
  readonly references: Column<"reference">;
  readonly imprints: Column<"imprint">;
  readonly languages: Column<"languages">;
  readonly published: Column<"published">;
  readonly origins: Column<"origin">;
}

export function pack({ products, release, ...batch }: Batch): PackedBatch {
  const scanned = products.filter(isScanned);
  const others = products.flatMap((product, at): [number, Prepared][] =>
    isScanned(product) ? [] : [[at, prepare(product, release)]],
  );
  const ends = endsOf(scanned);
  return {
    ...batch,
    others,
    bodies: bodiesOf(scanned, ends.at(-1) ?? 0),
    ends,
    lines: Float64Array.from(scanned, ({ line }) => line),
    columns: Float64Array.from(scanned, ({ column }) => column),
    isbns: scanned.map(({ isbn }) => isbn).join(""),
    references: scanned.map(({ reference }) => reference),
    imprints: scanned.map(({ imprint }) => imprint),
    languages: scanned.map(({ languages }) => languages),
    published: scanned.map(({ published }) => published),
    origins: scanned.map(({ origin }) => origin),
  };
}

/** Here is what is left to be done of each, so that both threads have about as much to do. */
export function unpack(packed: PackedBatch): PreparedBatch {
  const { file, document, notes, bytes, others, bodies, ends, lines, columns, isbns } = packed;
  const products: Prepared[] = Array.from(ends, (end, at) =>
    prepare({
      isbn: isbns.slice(at * 13, at * 13 + 13) as Isbn13,
      body: bodies.subarray(at === 0 ? 0 : ends[at - 1], end),
      reference: packed.references[at]!,
      imprint: packed.imprints[at],
      languages: packed.languages[at]!,
      published: packed.published[at],
      origin: packed.origins[at]!,
      line: lines[at]!,
      column: columns[at]!,
    }),
  );
  for (const [place, product] of others) products.splice(place, 0, product);
  return { file, document, products, notes, bytes };
}

function endsOf(scanned: readonly Scanned[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(scanned, ({ body }) => {
    end += body.length;
    return end;
  });
}

/** The bodies one behind the other, as the scanner left them, or copied so. */
function bodiesOf(scanned: readonly Scanned[], length: number): Uint8Array {
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
