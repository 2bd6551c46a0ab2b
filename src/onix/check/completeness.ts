/** Finds out what a product lacks that a shop needs to sell it. */
import { lackingBits } from "../completeness/book-needs.ts";
import { BOOK_NEEDS, bitOf, completenessOf, NEEDS, needNameOf } from "../completeness/needs.ts";
import type { BookFields, VisitedRecord } from "../fields/book-fields.ts";
import { allOf, composites, firstText, texts } from "../record/field-access.ts";
import type { ProductAction } from "../scanned-product.ts";
import { summarize } from "../summary/summary.ts";
import type { ComplaintList } from "./complaint-list.ts";
import { DATATYPES } from "./datatypes.ts";

const ALL_NEEDS = (1 << NEEDS.length) - 1;

/** The needs that each block of ONIX can meet. */
const BLOCKS = [
  { block: "DescriptiveDetail", needs: ["title", "contributor", "form", "language", "subject", "audience"] },
  { block: "CollateralDetail", needs: ["description", "cover"] },
  { block: "PublishingDetail", needs: ["publisher", "publication date", "publishing status"] },
  { block: "ProductSupply", needs: ["availability", "price"] },
] as const;
const NEEDS_OF_BLOCKS = BLOCKS.map(({ block, needs }) => ({
  block,
  bits: needs.reduce((bits, need) => bits | bitOf(need), 0),
}));

/** The need that a missing element leaves unmet. Its absence has a complaint already. */
const NEED_OF_ELEMENT: Readonly<Record<string, number>> = {
  TitleDetail: bitOf("title"),
  TitleElement: bitOf("title"),
  TitleText: bitOf("title"),
  ProductForm: bitOf("form"),
  Imprint: bitOf("publisher"),
  ProductAvailability: bitOf("availability"),
  Price: bitOf("price"),
  PriceAmount: bitOf("price"),
};

const BITS_OF_BOOK_NEEDS = BOOK_NEEDS.map((need) => bitOf(needNameOf(need)));
/** LanguageRole (list 22): of the text, of a multilingual edition, of the audio track. */
const LANGUAGE_ROLES: ReadonlySet<string> = new Set(["01", "06", "07", "08"]);

export class CompletenessCheck {
  constructor(private readonly complaints: ComplaintList) {}

  /**
   * Returns what was assessed and what is unmet. Deletions and tests, which have no record, are not assessed.
   * `reportedElements` have complaints already.
   */
  check(
    action: ProductAction,
    record: VisitedRecord | undefined,
    reportedElements: readonly string[],
  ): number {
    if (record === undefined) return 0;
    const assessed = action === "update" ? needsOfUpdate(record.fields) : ALL_NEEDS;
    // Wrong amounts have complaints of their own. A product with nothing else has a wrong price, not none.
    const wrong = hasOnlyWrongAmounts(record.fields) ? bitOf("price") : 0;
    const unmet = assessed & (unmetBits(record) | wrong);
    if (unmet !== 0) this.complaint(unmet, wrong, reportedElements);
    return completenessOf(assessed, unmet);
  }

  private complaint(unmet: number, reported: number, reportedElements: readonly string[]): void {
    let silent = reported;
    for (const name of reportedElements) silent |= NEED_OF_ELEMENT[name] ?? 0;
    NEEDS.forEach(({ name, element, hint }, index) => {
      if ((unmet & ~silent & (1 << index)) === 0) return;
      this.complaints.add("incomplete", 0, `The product has no ${name} (${hint}).`, name, element);
    });
  }
}

/** Only the blocks that an update carries are assessed. */
function needsOfUpdate(record: BookFields): number {
  let needs = 0;
  for (const { block, bits } of NEEDS_OF_BLOCKS) if (record[block] !== undefined) needs |= bits;
  return needs;
}

function unmetBits({ fields, index }: VisitedRecord): number {
  const summary = summarize(fields, index, undefined);
  const lacking = lackingBits(fields, summary);
  let unmet = 0;
  BITS_OF_BOOK_NEEDS.forEach((bit, place) => {
    if ((lacking & (1 << place)) !== 0) unmet |= bit;
  });
  if (!hasLanguage(fields)) unmet |= bitOf("language");
  if (summary.imprint === null && summary.publisher === null) unmet |= bitOf("publisher");
  if (summary.status === null) unmet |= bitOf("publishing status");
  return unmet;
}

/** Tells whether the product has amounts, none of which is a number as ONIX has them. */
function hasOnlyWrongAmounts(record: BookFields): boolean {
  const amounts = composites(record.ProductSupply)
    .flatMap(({ SupplyDetail }) => composites(SupplyDetail))
    .flatMap(({ Price }) => composites(Price))
    .flatMap(({ PriceAmount }) => texts(PriceAmount));
  return amounts.length > 0 && amounts.every((text) => !isAmount(Buffer.from(text)));
}

function isAmount(text: Uint8Array): boolean {
  return DATATYPES.PositiveDecimal.isValid(text, 0, text.length);
}

function hasLanguage(record: BookFields): boolean {
  return allOf(record, "DescriptiveDetail").some(({ Language }) =>
    composites(Language).some(({ LanguageRole }) => LANGUAGE_ROLES.has(firstText(LanguageRole))),
  );
}
