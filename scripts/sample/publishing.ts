/** PublishingDetail: who published it, where, when, and who may sell it. */

import { after } from "./calendar.ts";
import { pick } from "./deterministic.ts";
import { isDigital } from "./products.ts";
import type { Product } from "./types.ts";
import { type Element, group, leaf } from "./xml.ts";

const FORMATS: Record<number, string> = { 6: "01", 4: "05" };

/** A Date element; of a whole day the format may go unsaid. */
export function dateElement(date: string, unsaid = false): Element {
  const dateformat = FORMATS[date.length] ?? "00";
  return leaf("Date", date, dateformat === "00" && unsaid ? {} : { dateformat });
}

function publishingDate(role: string, date: string, unsaid = false): Element {
  return group("PublishingDate", leaf("PublishingDateRole", role), dateElement(date, unsaid));
}

export function statusOf({ stage, date, form, chance }: Product): string {
  if (stage === "soon" || stage === "far") return "02";
  if (stage === "recent" || form === "SC") return "04";
  const dice = chance("status");
  if (dice < 0.07 && date !== undefined && date < "2018") return "07";
  return dice > 0.97 ? "06" : "04";
}

function dates(product: Product): Element[] {
  const { date, stage, book, form, chance } = product;
  const found: Element[] = [];
  if (date !== undefined) found.push(publishingDate("01", date, chance("unsaid") < 0.4));
  if (stage === "soon") found.push(publishingDate("02", date!));
  if (stage === "soon" || stage === "far") {
    if (chance("announced") < 0.6)
      found.push(publishingDate("09", after(-10 - Math.floor(chance("days") * 140))));
  } else if (statusOf(product) === "07") {
    found.push(publishingDate("13", String(Number(date!.slice(0, 4)) + 4)));
  }
  const print = product.siblings.find((sibling) => !isDigital(sibling.form))?.date;
  if (isDigital(form) && print?.length === 8 && chance("print") < 0.5)
    found.push(publishingDate("19", print));
  if (book.year !== undefined && chance("first") < 0.2) {
    found.push(publishingDate(book.from ? "20" : "11", String(book.year)));
  }
  return found;
}

function copyright({ date, stage, contributors, imprint, chance }: Product): Element | false {
  if (stage !== "old" || date === undefined || chance("copyright") > 0.25) return false;
  const translator = contributors.find(({ role }) => role === "B06");
  return group(
    "CopyrightStatement",
    leaf("CopyrightYear", date.slice(0, 4)),
    group(
      "CopyrightOwner",
      translator
        ? leaf("PersonName", translator.name.replace("|", " ").trim())
        : leaf("CorporateName", imprint.publisher),
    ),
  );
}

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

function rights({ imprint, chance }: Product): Element[] {
  const dice = chance("rights");
  if (dice > 0.2) return [];
  if (dice > 0.08) {
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
    rights(product),
  );
}
