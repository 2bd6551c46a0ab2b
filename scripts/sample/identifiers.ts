/** ProductIdentifier composites of the types 01, 02, 03 and 15 (ONIX list 5), in varying order. */

import { toIsbn10 } from "../../src/onix/isbn.ts";
import { uuid } from "./deterministic.ts";
import type { Product } from "./types.ts";
import { type Element, group, leaf } from "./xml.ts";

export function identifier(type: string, value: string, typeName?: string): Element {
  return group(
    "ProductIdentifier",
    leaf("ProductIDType", type),
    typeName !== undefined && leaf("IDTypeName", typeName),
    leaf("IDValue", value),
  );
}

export function identifiersOf({ isbn, chance }: Product): Element[] {
  const selection = chance("identifiers");
  if (selection < 0.14) return [identifier("15", isbn)];
  if (selection < 0.3) return [identifier("03", isbn), identifier("15", isbn)];
  const all: [string, Element][] = [
    ["01", identifier("01", uuid(isbn), "ONIX_NOSEQ")],
    ["03", identifier("03", isbn)],
    ["15", identifier("15", isbn)],
  ];
  const isbn10 = toIsbn10(isbn);
  if (isbn10 !== undefined) all.push(["02", identifier("02", isbn10)]);
  return all.sort(([a], [b]) => chance(`order${a}`) - chance(`order${b}`)).map(([, element]) => element);
}
