/** The work that a book belongs to, and its other editions, as its feed names them (ONIX groups P.22 and P.23). */
import type { BookFields } from "../fields/book-fields.ts";
import { type Isbn13, parseIsbn } from "../isbn.ts";
import { findIsbn } from "../product-identifiers.ts";
import { allOf, composites, firstText, texts } from "../record/field-access.ts";

/** WorkRelationCode (list 164): the product is a manifestation of the work, or of the original work. */
const MANIFESTATION_OF: ReadonlySet<string> = new Set(["01", "06"]);
/** ProductRelationCode (list 51): alternative format, e-publication based on, electronic version available as. */
const EDITION_OF: ReadonlySet<string> = new Set(["06", "13", "27"]);

/** WorkIDType (list 16). */
const PROPRIETARY = "01";
const DOI = "06";
const ISTC = "11";
/** The ISBN of a manifestation of the work: ISBN-10 and ISBN-13. */
const ISBN_TYPES: ReadonlySet<string> = new Set(["02", "15"]);
const NAME_OF_ISBN = "15";

/** An identifier of a work. */
export interface WorkIdentifier {
  /** The type and the value, with the name of a proprietary scheme between them: `11:A0220090000154FA`. */
  readonly id: string;
  /** Defined when the work is identified by the ISBN of one of its editions. */
  readonly isbn: Isbn13 | undefined;
  /** The scheme is proprietary and has no name, so the identifier counts within its publisher only. */
  readonly isOfPublisher: boolean;
}

/** Returns the first identifier of the work, or null. */
export function workIdOf(record: BookFields): string | null {
  if (record.RelatedMaterial === undefined) return null;
  return workIdentifiersOf(record)[0]?.id ?? null;
}

/** Returns the identifiers of the first work that the book is a manifestation of. A compilation may have several works. */
export function workIdentifiersOf(record: BookFields): readonly WorkIdentifier[] {
  for (const { RelatedWork } of allOf(record, "RelatedMaterial")) {
    for (const work of composites(RelatedWork)) {
      if (!MANIFESTATION_OF.has(firstText(work.WorkRelationCode))) continue;
      const identifiers = composites(work.WorkIdentifier).flatMap(identifierOf);
      if (identifiers.length > 0) return identifiers;
    }
  }
  return [];
}

function identifierOf({ WorkIDType, IDTypeName, IDValue }: BookFields): readonly WorkIdentifier[] {
  const type = firstText(WorkIDType).trim();
  const value = firstText(IDValue).trim();
  if (type === "" || value === "") return [];
  if (type === PROPRIETARY) {
    const name = firstText(IDTypeName).trim();
    const id = name === "" ? `${type}:${value}` : `${type}:${name}:${value}`;
    return [{ id, isbn: undefined, isOfPublisher: name === "" }];
  }
  const isbn = ISBN_TYPES.has(type) ? parseIsbn(value) : undefined;
  const id = isbn === undefined ? `${type}:${canonical(type, value)}` : `${NAME_OF_ISBN}:${isbn}`;
  return [{ id, isbn, isOfPublisher: false }];
}

/** ISO 21047 §4: the hyphens of an ISTC are for display. A DOI is the same in upper and lower case (ISO 26324 §4.2). */
function canonical(type: string, value: string): string {
  if (type === ISTC) return value.replace(/[\s-]/g, "").toUpperCase();
  return type === DOI ? value.toLowerCase() : value;
}

/** Returns the ISBNs of the products that the record names as other editions of the same content. */
export function editionIsbnsOf(record: BookFields): readonly Isbn13[] {
  const isbns: Isbn13[] = [];
  for (const { RelatedProduct } of allOf(record, "RelatedMaterial")) {
    for (const { ProductRelationCode, ProductIdentifier } of composites(RelatedProduct)) {
      if (!texts(ProductRelationCode).some((code) => EDITION_OF.has(code))) continue;
      const isbn = findIsbn(
        composites(ProductIdentifier).map(({ ProductIDType, IDValue }) => ({
          type: firstText(ProductIDType),
          value: firstText(IDValue),
        })),
      );
      if (isbn !== undefined) isbns.push(isbn);
    }
  }
  return isbns;
}
