/** Where a book may be sold, under which conditions it may be used, and who owns its copyright. */
import { nameInWords } from "../record/element-names.ts";
import { type Fact, type Fields, factOf, factsOf, type Shown, type ViewContext } from "../record/fields.ts";
import { nameOf } from "./contributors.ts";
import { onixDate } from "./dates.ts";
import { type LinkView, linkOf } from "./links.ts";
import { territoryText } from "./territory.ts";

interface RightsView {
  readonly sales: readonly SalesRightsView[];
  readonly restrictions: readonly Fact[];
  readonly usage: readonly Fact[];
  readonly licenses: readonly LicenseView[];
  readonly copyright: readonly Fact[];
}

interface SalesRightsView {
  readonly type: Shown | undefined;
  readonly territory: string;
  readonly facts: readonly Fact[];
}

interface LicenseView {
  readonly names: readonly Shown[];
  readonly links: readonly LinkView[];
}

export function readRights(publishing: Fields, descriptive: Fields, context: ViewContext): RightsView {
  const elsewhere = publishing.one("ROWSalesRightsType");
  return {
    sales: [
      ...publishing.composites("SalesRights").map((rights) => salesRightsOf(rights, context)),
      ...(elsewhere
        ? [{ type: elsewhere, territory: nameInWords("ROWSalesRightsType", context.language), facts: [] }]
        : []),
    ],
    restrictions: restrictionsOf(publishing, context),
    usage: descriptive.flatMap("EpubUsageConstraint", usageOf),
    licenses: descriptive.composites("EpubLicense").map(licenseOf),
    copyright: publishing.flatMap("CopyrightStatement", (each) => copyrightOf(each, context)),
  };
}

function salesRightsOf(rights: Fields, context: ViewContext): SalesRightsView {
  return {
    type: rights.one("SalesRightsType"),
    territory: territoryText([rights], context),
    facts: [...restrictionsOf(rights, context), ...factsOf(rights, ["PublisherName"], context)],
  };
}

function restrictionsOf(parent: Fields, context: ViewContext): readonly Fact[] {
  return parent.flatMap("SalesRestriction", (restriction) => {
    const type = restriction.one("SalesRestrictionType");
    const dates = ["StartDate", "EndDate"].flatMap((name) =>
      factOf(nameInWords(name, context.language), [onixDate(restriction, context, name).shown]),
    );
    const outlets = restriction.mapPresent("SalesOutlet", (outlet) => outlet.one("SalesOutletName"));
    return [
      ...factOf(nameInWords("SalesRestriction", context.language), [
        type,
        ...outlets,
        ...restriction.all("SalesRestrictionNote"),
      ]),
      ...dates,
    ];
  });
}

function usageOf(constraint: Fields): readonly Fact[] {
  const type = constraint.one("EpubUsageType");
  const limits = constraint.flatMap("EpubUsageLimit", (limit): Shown[] => {
    const [quantity, unit] = [limit.one("Quantity"), limit.one("EpubUsageUnit")];
    return quantity ? [{ text: `${quantity.text} ${unit?.text ?? ""}`.trim(), raw: quantity.text }] : [];
  });
  return type ? factOf(type.text, [constraint.one("EpubUsageStatus"), ...limits]) : [];
}

function licenseOf(license: Fields): LicenseView {
  return {
    names: license.all("EpubLicenseName"),
    links: license.flatMap("EpubLicenseExpression", (expression) => {
      const type = expression.one("EpubLicenseExpressionType");
      return expression.all("EpubLicenseExpressionLink").map((url) => linkOf(url, type));
    }),
  };
}

function copyrightOf(statement: Fields, context: ViewContext): readonly Fact[] {
  const owners = statement.mapPresent("CopyrightOwner", nameOf);
  const type = statement.one("CopyrightType");
  return factOf(type?.text ?? nameInWords("CopyrightStatement", context.language), [
    ...statement.all("CopyrightYear"),
    ...owners,
    ...statement.all("CopyrightStatementText"),
  ]);
}
