/** PublishingDetail: imprint, publisher, place, dates, copyright and sales rights. */

import { daysAfterFeed } from "./calendar.ts";
import { pick } from "./deterministic.ts";
import { isDigital, plainName } from "./products.ts";
import type { Product } from "./types.ts";
import { type Element, group, leaf } from "./xml.ts";

/** Date formats of ONIX list 55, by the number of digits. */
const DATE_FORMATS: Record<number, string> = { 6: "01", 4: "05" };

/** Returns a Date element. With `omitFormat`, a full date has no dateformat attribute. */
export function dateElement(date: string, omitFormat = false): Element {
  const dateformat = DATE_FORMATS[date.length] ?? "00";
  return leaf("Date", date, dateformat === "00" && omitFormat ? {} : { dateformat });
}

function publishingDate(role: string, date: string, omitFormat = false): Element {
  return group("PublishingDate", leaf("PublishingDateRole", role), dateElement(date, omitFormat));
}

export function statusOf({ stage, date, form, chance }: Product): string {
  if (stage === "soon" || stage === "far") return "02";
  if (stage === "recent" || form === "SC") return "04";
  const selection = chance("status");
  if (selection < 0.07 && date !== undefined && date < "2018") return "07";
  return selection > 0.97 ? "06" : "04";
}

function dates(product: Product): Element[] {
  const { date, stage, book, form, chance } = product;
  const elements: Element[] = [];
  if (date !== undefined) elements.push(publishingDate("01", date, chance("unsaid") < 0.4));
  if (stage === "soon") elements.push(publishingDate("02", date!));
  if (stage === "soon" || stage === "far") {
    if (chance("announced") < 0.6)
      elements.push(publishingDate("09", daysAfterFeed(-10 - Math.floor(chance("days") * 140))));
  } else if (statusOf(product) === "07") {
    elements.push(publishingDate("13", String(Number(date!.slice(0, 4)) + 4)));
  }
  const printDate = product.siblings.find((sibling) => !isDigital(sibling.form))?.date;
  if (isDigital(form) && printDate?.length === 8 && chance("print") < 0.5)
    elements.push(publishingDate("19", printDate));
  if (book.year !== undefined && chance("first") < 0.2) {
    elements.push(publishingDate(book.original ? "20" : "11", String(book.year)));
  }
  return elements;
}

function copyright({ date, stage, contributors, imprint, chance }: Product): Element | false {
  if (stage !== "old" || date === undefined || chance("copyright") > 0.25) return false;
  const translator = contributors.find(({ role }) => role === "B06");
  return group(
    "CopyrightStatement",
    leaf("CopyrightYear", date.slice(0, 4)),
    group(
      "CopyrightOwner",
      translator ? leaf("PersonName", plainName(translator.name)) : leaf("CorporateName", imprint.publisher),
    ),
  );
}

/** The countries of sale by the currency of the imprint. */
const TERRITORIES: Record<string, string> = {
  USD: "US CA",
  GBP: "GB IE AU NZ",
  MXN: "MX GT HN SV NI CR PA CO",
  EUR: "ES PT FR IT DE AD",
};

export function territory(currency: string, world: boolean): Element {
  return group(
    "Territory",
    world ? leaf("RegionsIncluded", "WORLD") : leaf("CountriesIncluded", TERRITORIES[currency]!),
  );
}

function salesRights({ imprint, chance }: Product): Element[] {
  const selection = chance("rights");
  if (selection > 0.2) return [];
  if (selection > 0.08) {
    return [group("SalesRights", leaf("SalesRightsType", "01"), territory(imprint.currency, true))];
  }
  return [
    group(
      "SalesRights",
      leaf("SalesRightsType", pick(["01", "02"], chance("right"))),
      territory(imprint.currency, false),
    ),
    leaf("ROWSalesRightsType", "03"),
  ];
}

export function publishingDetail(product: Product): Element {
  const { imprint, imprintName } = product;
  return group(
    "PublishingDetail",
    !imprint.publisherOnly && group("Imprint", leaf("ImprintName", imprintName)),
    group("Publisher", leaf("PublishingRole", "01"), leaf("PublisherName", imprint.publisher)),
    leaf("CityOfPublication", imprint.city),
    leaf("CountryOfPublication", imprint.country),
    leaf("PublishingStatus", statusOf(product)),
    dates(product),
    copyright(product),
    salesRights(product),
  );
}
