/** What to send instead, for complaints whose remedy depends on the element that they are about. */
import type { ComplaintKind } from "../complaint.ts";
import { elementNumber } from "../element-numbers.ts";
import { elementByTag } from "../element-table.ts";
import { schemaOf } from "./schema-rows.ts";

/** What ONIX 3.1 has instead of elements that it has removed. */
const SUCCESSORS: Readonly<Record<string, string>> = {
  AudienceCode: "send an Audience with AudienceCodeType 01",
  DateFormat: "send the attribute dateformat of Date",
  SalesRestriction: "send it within the SalesRights that it restricts",
};

/** Completes a sentence. Returns undefined when the remedy is that of the kind. */
export function remedyFor(
  kind: ComplaintKind,
  element: string | undefined,
  value: string | undefined,
): string | undefined {
  if (element === undefined) return undefined;
  switch (kind) {
    case "bad-value":
      return remedyForValue(element);
    case "missing-element":
      return value && `send ${value}`;
    case "wrong-release":
      return SUCCESSORS[element];
    default:
      return undefined;
  }
}

function remedyForValue(element: string): string | undefined {
  if (element === "Date") return "send a date of the form that its dateformat names, without one YYYYMMDD";
  if (element === "ExtentValue") return "send a number, or HHHMM or HHHMMSS where ExtentUnit is 15 or 16";
  if (elementByTag(element) === undefined) return undefined;
  const number = elementNumber(element);
  const { datatype } = schemaOf("3.1").has(element)
    ? schemaOf("3.1").row(number)
    : schemaOf("3.0").row(number);
  return datatype && `send ${datatype.description}`;
}
