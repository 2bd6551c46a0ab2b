/** Related products and works, with the ISBNs that may be in the catalog. */
import { parseIsbn } from "../../../../onix/isbn.ts";
import type { Fields, Shown, ViewContext } from "../record/fields.ts";
import { contributorsOf } from "./contributors.ts";
import { titleOfDetail } from "./title.ts";

export interface RelatedView {
  readonly relations: readonly Shown[];
  readonly identifiers: readonly IdentifierView[];
  readonly form: Shown | undefined;
  readonly titles: readonly Shown[];
  readonly contributors: readonly Shown[];
  /** An ISBN by which the catalog may have the book. */
  readonly isbn: string | undefined;
}

export interface IdentifierView {
  /** The type in words, and its name when the sender has given one. */
  readonly type: string;
  /** The code of ONIX list 5 or 16. */
  readonly typeCode: string;
  readonly value: Shown;
}

/** ONIX lists 5 and 16: ISBN-13, GTIN-13, ISBN-10. */
const ISBN_TYPES = ["15", "03", "02"];

export function readRelatedProducts(product: Fields, context: ViewContext): readonly RelatedView[] {
  return product
    .composite("RelatedMaterial")
    .composites("RelatedProduct")
    .map((related) => relatedOf(related, "ProductRelationCode", "Product", context));
}

export function readRelatedWorks(product: Fields, context: ViewContext): readonly RelatedView[] {
  return product
    .composite("RelatedMaterial")
    .composites("RelatedWork")
    .map((related) => relatedOf(related, "WorkRelationCode", "Work", context));
}

function relatedOf(
  related: Fields,
  relation: string,
  kind: "Product" | "Work",
  context: ViewContext,
): RelatedView {
  const identifiers = identifiersOf(related, `${kind}Identifier`, `${kind}IDType`);
  return {
    relations: related.all(relation),
    identifiers,
    form: related.one("ProductForm"),
    titles: related.mapPresent("TitleDetail", (detail) => {
      detail.code("TitleType");
      return titleOfDetail(detail);
    }),
    contributors: contributorsOf(related, context).flatMap(({ name }) => name ?? []),
    isbn: isbnOf(identifiers),
  };
}

export function identifiersOf(parent: Fields, name: string, typeName: string): readonly IdentifierView[] {
  return parent.flatMap(name, (identifier) => {
    const value = identifier.one("IDValue");
    if (!value) return [];
    const type = identifier.one(typeName);
    const typeTexts = [type, identifier.one("IDTypeName")].flatMap((each) => each?.text ?? []);
    return [{ type: typeTexts.join(" · "), typeCode: type?.raw ?? "", value }];
  });
}

function isbnOf(identifiers: readonly IdentifierView[]): string | undefined {
  for (const type of ISBN_TYPES) {
    for (const { typeCode, value } of identifiers) {
      const isbn = typeCode === type ? parseIsbn(value.text) : undefined;
      if (isbn !== undefined) return isbn;
    }
  }
  return undefined;
}
