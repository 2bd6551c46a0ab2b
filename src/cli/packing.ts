/**
 * A batch on its way between threads. What is copied there is copied value by value, so what every product has goes as
 * columns, and the bodies in one buffer that changes hands.
 */
import type { Prepared, Whole } from "../catalog/prepare.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import type { PreparedBatch } from "./preparing.ts";

type Column<Name extends keyof Whole["entry"]> = readonly Whole["entry"][Name][];

export interface PackedBatch extends Omit<PreparedBatch, "products"> {
  /** Those that ask for anything else, at their places. */
  readonly others: readonly (readonly [place: number, product: Prepared])[];
  readonly bodies: Uint8Array;
  readonly ends: Uint32Array;
  readonly lines: Float64Array;
  readonly columns: Float64Array;
  readonly isbns: string;
  readonly etags: string;
  readonly references: Column<"reference">;
  readonly imprints: Column<"imprint">;
  readonly languages: Column<"languages">;
  readonly published: Column<"published">;
  readonly origins: Column<"origin">;
}

export function pack({ products, ...batch }: PreparedBatch): PackedBatch {
  const plain = products.filter(isPlain);
  const others = products.flatMap((product, at): [number, Prepared][] =>
    isPlain(product) ? [] : [[at, product]],
  );
  const entries = plain.map(({ entry }) => entry);
  const ends = endsOf(entries);
  return {
    ...batch,
    others,
    bodies: bodiesOf(entries, ends.at(-1) ?? 0),
    ends,
    lines: Float64Array.from(plain, ({ line }) => line),
    columns: Float64Array.from(plain, ({ column }) => column),
    isbns: entries.map(({ isbn }) => isbn).join(""),
    etags: entries.map(({ etag }) => etag).join(""),
    references: entries.map(({ reference }) => reference),
    imprints: entries.map(({ imprint }) => imprint),
    languages: entries.map(({ languages }) => languages),
    published: entries.map(({ published }) => published),
    origins: entries.map(({ origin }) => origin),
  };
}

function endsOf(entries: readonly Whole["entry"][]): Uint32Array {
  let end = 0;
  return Uint32Array.from(entries, ({ body }) => {
    end += body.length;
    return end;
  });
}

/** The bodies one behind the other, as the scanner left them, or copied so. */
function bodiesOf(entries: readonly Whole["entry"][], length: number): Uint8Array {
  const first = entries[0]?.body.buffer;
  if (first?.byteLength === length && entries.every(({ body }) => body.buffer === first))
    return new Uint8Array(first);
  const bodies = new Uint8Array(length);
  let to = 0;
  for (const { body } of entries) {
    bodies.set(body, to);
    to += body.length;
  }
  return bodies;
}

export function unpack(packed: PackedBatch): PreparedBatch {
  const { file, document, notes, bytes, others, bodies, ends, lines, columns, isbns, etags } = packed;
  const products: Prepared[] = Array.from(ends, (end, at): Whole => {
    const entry = {
      isbn: isbns.slice(at * 13, at * 13 + 13) as Isbn13,
      body: bodies.subarray(at === 0 ? 0 : ends[at - 1], end),
      etag: etags.slice(at * 32, at * 32 + 32),
      reference: packed.references[at]!,
      imprint: packed.imprints[at],
      languages: packed.languages[at]!,
      published: packed.published[at],
      origin: packed.origins[at]!,
    };
    return { asks: "whole", entry, line: lines[at]!, column: columns[at]!, notes: [] };
  });
  for (const [place, product] of others) products.splice(place, 0, product);
  return { file, document, products, notes, bytes };
}

/** A whole product of which there is nothing to say. */
function isPlain(product: Prepared): product is Whole {
  return product.asks === "whole" && product.notes.length === 0;
}
