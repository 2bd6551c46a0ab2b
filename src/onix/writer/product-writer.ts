/** Writes a record as a product of an ONIX message. */
import { elementByTag } from "../element-table.ts";
import type { Origin } from "../record/origin.ts";
import { elementNameOfKey, type RecordFields } from "../record/record-fields.ts";
import { arrange, attributesOf, childrenOf, ElementWriter } from "./element-writer.ts";
import { type TagNames, tagNames } from "./message.ts";
import { Release31, type WrittenElement } from "./release-31.ts";

export interface WriteProductOptions {
  readonly tags?: TagNames | undefined;
  /** Writes elements that ONIX 3.1 has removed in the way of 3.1, where it has one. */
  readonly asRelease31?: boolean | undefined;
}

const PRODUCT = elementByTag("Product");

/** Writes one product as it was sent: with the sender's reference, and without the identifiers and flags that were added. */
export function writeProduct(
  record: RecordFields,
  reference: string,
  origin: Origin,
  { tags = "reference", asRelease31 = false }: WriteProductOptions = {},
): string {
  const { _id, ...fields } = record;
  const asSent: RecordFields = { ...fields, RecordReference: reference };
  if (reference === "") delete asSent.RecordReference;
  restoreIdentifiers(asSent, origin);
  restoreFlags(asSent, origin);
  const tagOf = tagNames(tags);
  const release31 = asRelease31 ? new Release31(tagOf) : undefined;
  const writers = new Map<string, ElementWriter>();
  const elements: WrittenElement[] = [];
  for (const [key, value] of childrenOf(asSent)) {
    const name = elementNameOfKey(key);
    // `Name#more` continues the text count of `Name`.
    const writer =
      writers.get(name) ??
      new ElementWriter(tagOf, release31, own(origin.exceptions, name), own(origin.interleaved, name));
    writers.set(name, writer);
    elements.push(...writer.members(key, value, asSent, PRODUCT, "    "));
  }
  const tag = tagOf("Product");
  const comment = release31?.comment("    ") ?? "";
  return `  <${tag}${attributesOf(asSent)}>\n${arrange(elements, PRODUCT)}${comment}  </${tag}>\n`;
}

/** Returns the member for an element, which can be called `constructor`. */
function own<T>(members: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return members && Object.hasOwn(members, name) ? members[name] : undefined;
}

function restoreIdentifiers(fields: RecordFields, { completed = 0, sent = {} }: Origin): void {
  const identifiers = (fields.ProductIdentifier ?? []) as readonly RecordFields[];
  fields.ProductIdentifier = identifiers
    .slice(0, identifiers.length - completed)
    .map((identifier, index) =>
      sent[index] === undefined ? identifier : { ...identifier, IDValue: sent[index] },
    );
}

function restoreFlags(fields: RecordFields, { set = [], unset = [] }: Origin): void {
  if (set.length === 0 && unset.length === 0) return;
  const detail = { ...(fields.DescriptiveDetail as RecordFields) };
  for (const flag of set) delete detail[flag];
  for (const flag of unset) detail[flag] = [];
  fields.DescriptiveDetail = detail;
}
