/** Dates of a book for its timeline, and single dates for the other parts of the page. */
import { firstDayOfDate, isSpecialDateFormat, lastDayOfDate } from "../../../../onix/date.ts";
import { dateText, machineDate } from "../../shared/format/dates.ts";
import type { Fields, Shown, ViewContext } from "../record/fields.ts";
import { territoryText } from "./territory.ts";

export interface OnixDate {
  readonly shown: Shown | undefined;
  /** The first day, YYYYMMDD. Is undefined for a date without one. */
  readonly day: string | undefined;
  readonly lastDay: string | undefined;
  /** The value of a `datetime` attribute. */
  readonly machine: string | undefined;
}

/** Reads the date of a composite. ONIX 3.0 has its format in an element, ONIX 3.1 in an attribute. */
export function onixDate(composite: Fields, { language }: ViewContext, name = "Date"): OnixDate {
  const format = composite.code("DateFormat") || composite.attributeCode(name, "dateformat");
  const text = composite.code(name);
  if (!text) return { shown: undefined, day: undefined, lastDay: undefined, machine: undefined };
  return {
    shown: { text: dateText(text, format, language), raw: text },
    day: firstDayOfDate(text, format),
    lastDay: lastDayOfDate(text, format),
    machine: isSpecialDateFormat(format) ? undefined : machineDate(text),
  };
}

export interface TimelineDate extends OnixDate {
  readonly role: Shown | undefined;
  /** The markets or suppliers that the date holds for. */
  readonly places: readonly string[];
  readonly isPast: boolean;
  readonly isMain: boolean;
}

/** ONIX list 163. */
const PUBLICATION_DATE = "01";

/** Returns all dates of publishing, markets and supply in their order. Those that have no day come last. */
export function readTimeline(product: Fields, context: ViewContext): readonly TimelineDate[] {
  const publishing = product.composite("PublishingDetail");
  const dates = [
    ...datesOf(publishing, "PublishingDate", undefined, context),
    ...product.flatMap("ProductSupply", (supply) => datesOfSupply(supply, context)),
  ];
  const place = ({ day }: TimelineDate) => Number(day ?? "99999999");
  return merged(dates).toSorted((a, b) => place(a) - place(b));
}

function datesOfSupply(supply: Fields, context: ViewContext): readonly TimelineDate[] {
  const place = territoryText(supply.composites("Market"), context);
  return [
    ...datesOf(supply.composite("MarketPublishingDetail"), "MarketDate", place || undefined, context),
    ...supply.flatMap("SupplyDetail", (detail) => {
      const supplier = detail.composite("Supplier").text("SupplierName");
      return datesOf(detail, "SupplyDate", supplier || place || undefined, context);
    }),
  ];
}

function datesOf(
  parent: Fields,
  name: string,
  place: string | undefined,
  context: ViewContext,
): readonly TimelineDate[] {
  return parent.flatMap(name, (composite) => {
    const role = composite.one(`${name}Role`);
    const date = onixDate(composite, context);
    if (!date.shown) return [];
    return [
      {
        ...date,
        role,
        places: place === undefined ? [] : [place],
        isPast: date.day !== undefined && date.day <= context.today,
        isMain: name === "PublishingDate" && role?.raw === PUBLICATION_DATE,
      },
    ];
  });
}

/** Feeds repeat a date for each market. Dates with the same day and role are one, with all of their places. */
function merged(dates: readonly TimelineDate[]): readonly TimelineDate[] {
  const byText = new Map<string, TimelineDate>();
  for (const date of dates) {
    const key = `${date.role?.text}\n${date.shown?.raw}`;
    const before = byText.get(key);
    const places = [...new Set([...(before?.places ?? []), ...date.places])];
    byText.set(key, { ...date, places, isMain: date.isMain || (before?.isMain ?? false) });
  }
  return [...byText.values()];
}
