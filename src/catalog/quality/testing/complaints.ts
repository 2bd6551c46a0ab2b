/** Complaints and products for tests of the quality of feeds. */
import { bitOf, completenessOf, NEEDS, type NeedName } from "../../../onix/completeness/needs.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import type { ScannedProduct } from "../../../onix/scanned-product.ts";
import type { ReportedComplaint } from "../../report.ts";

const ISBN = "9788437604947" as Isbn13;
const ALL_NEEDS = NEEDS.map(({ name }) => name);

export function complaint(members: Partial<ReportedComplaint> = {}): ReportedComplaint {
  return {
    severity: "warning",
    kind: "bad-value",
    file: "feed.xml",
    line: 1,
    column: 1,
    reference: "ref",
    isbn: ISBN,
    text: "A sentence.",
    advice: "An advice.",
    ...members,
  };
}

/** A product that lacks some of what was assessed. */
export function assessedProduct(
  unmet: readonly NeedName[] = [],
  members: Partial<ScannedProduct> = {},
  assessed: readonly NeedName[] = ALL_NEEDS,
): ScannedProduct {
  const bits = (names: readonly NeedName[]) => names.reduce((sum, name) => sum | bitOf(name), 0);
  return {
    action: "record",
    isbn: ISBN,
    reference: "ref",
    body: new Uint8Array(0),
    index: { imprint: undefined, languages: [], publishingDay: undefined, marketDay: undefined },
    origin: "",
    isWhole: false,
    rejection: "",
    complaints: [],
    completeness: completenessOf(bits(assessed), bits(unmet)),
    line: 1,
    column: 1,
    ...members,
  };
}
