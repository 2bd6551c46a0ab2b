/** Writes records as an ONIX message with reference names. */

import { escapeAttribute, escapeText } from "../xml/markup.ts";
import { type ElementRule, elementByTag } from "./element-table.ts";
import { interleave } from "./interleaving.ts";
import type { OnixRelease } from "./message-version.ts";
import type { Origin } from "./record/origin.ts";
import {
  elementNameOfKey,
  FLAG_TEXT_SUFFIX,
  looksLikeXhtml,
  type RecordFields,
  type RecordValue,
  STRAY_TEXT,
} from "./record/record-fields.ts";

/** Returns everything before the first product. */
export function messageStart(release: OnixRelease, sender: string, sent: Date): string {
  const time = sent.toISOString().replace(/[-:]|\.\d+/g, "");
  return `<?xml version="1.0" encoding="UTF-8"?>
<ONIXMessage release="${release}" xmlns="http://ns.editeur.org/onix/${release}/reference">
  <Header>
    <Sender>
      <SenderName>${escapeText(sender)}</SenderName>
    </Sender>
    <SentDateTime>${time}</SentDateTime>
  </Header>
`;
}

const PRODUCT = elementByTag("Product");

/** Replaces the products in a message without products. */
export const NO_PRODUCT = "  <NoProduct/>\n";

export const MESSAGE_END = "</ONIXMessage>\n";

/** Writes one product as it was sent: with the sender's reference, and without the identifiers and flags that were added. */
export function writeProduct(record: RecordFields, reference: string, origin: Origin): string {
  const { _id, ...fields } = record;
  const asSent: RecordFields = { ...fields, RecordReference: reference };
  if (reference === "") delete asSent.RecordReference;
  restoreIdentifiers(asSent, origin);
  restoreFlags(asSent, origin);
  const writers = new Map<string, ElementWriter>();
  const elements: WrittenElement[] = [];
  for (const [key, value] of children(asSent)) {
    const name = elementNameOfKey(key);
    // `Name#more` continues the text count of `Name`.
    const writer =
      writers.get(name) ?? new ElementWriter(origin.exceptions?.[name], origin.interleaved?.[name]);
    writers.set(name, writer);
    elements.push(...writer.members(key, value, asSent, PRODUCT, "    "));
  }
  return `  <Product${attributes(asSent)}>\n${arrange(elements, PRODUCT)}  </Product>\n`;
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

/** One element with everything inside it, on lines of its own. */
interface WrittenElement {
  readonly name: string;
  readonly xml: string;
}

/** Writes one child of a product. Counts texts in the order of the record, as the reader does. */
class ElementWriter {
  private textCount = 0;
  private readonly exceptions: ReadonlySet<number>;

  constructor(
    exceptions: readonly number[] = [],
    private readonly interleaved: Readonly<Record<string, readonly string[]>> = {},
  ) {
    this.exceptions = new Set(exceptions);
  }

  /** Writes all elements of one key. */
  members(
    key: string,
    value: RecordValue,
    siblings: RecordFields,
    parent: ElementRule | undefined,
    indent: string,
  ): WrittenElement[] {
    if (key === STRAY_TEXT) {
      this.textCount++;
      return [{ name: key, xml: `${indent}${escapeText(String(value))}\n` }];
    }
    const name = elementNameOfKey(key);
    if (elementByTag(name)?.kind === "flag" && parent?.children.has(name)) {
      return flag(name, value, siblings, indent);
    }
    if (!Array.isArray(value)) return [{ name, xml: this.element(key, value, siblings, undefined, indent) }];
    return (value as readonly RecordValue[]).map((one, index) => ({
      name,
      xml: this.element(key, one, siblings, index, indent),
    }));
  }

  /** Omit `index` for a single value. */
  private element(
    key: string,
    value: RecordValue,
    siblings: RecordFields,
    index: number | undefined,
    indent: string,
  ): string {
    const name = elementNameOfKey(key);
    if (Array.isArray(value)) return writeFlag(name, String(value[0] ?? ""), name, indent);
    if (typeof value === "object" && value !== null) {
      return this.composite(name, value as RecordFields, indent);
    }
    const own = textAttributes(key, siblings, index);
    const text = typeof value === "string" ? value : "";
    const format = own.find(([attribute]) => attribute === "textformat")?.[1];
    const isXhtml = looksLikeXhtml(text, format) !== this.exceptions.has(this.textCount++);
    const head = name + formatAttributes(own);
    return text === ""
      ? `${indent}<${head}/>\n`
      : `${indent}<${head}>${isXhtml ? text : escapeText(text)}</${name}>\n`;
  }

  private composite(name: string, fields: RecordFields, indent: string): string {
    const rule = elementByTag(name);
    const remembered = this.interleaved[this.textCount];
    const elements = children(fields).flatMap(([key, value]) =>
      this.members(key, value, fields, rule, `${indent}  `),
    );
    const head = name + attributes(fields);
    return elements.length === 0
      ? `${indent}<${head}/>\n`
      : `${indent}<${head}>\n${arrange(elements, rule, remembered)}${indent}</${name}>\n`;
  }
}

/**
 * Joins the children of a composite in the order of the schema; unknown ones come last. Children that alternate follow
 * the order that the origin remembers or, without one, the usual order.
 */
function arrange(
  elements: readonly WrittenElement[],
  rule: ElementRule | undefined,
  remembered?: readonly string[],
): string {
  const order = ({ name }: WrittenElement) => rule?.children.get(name)?.order ?? Number.MAX_SAFE_INTEGER;
  const sorted = elements.toSorted((a, b) => order(a) - order(b));
  const arranged = rule ? interleave(rule.name, sorted, remembered) : sorted;
  return arranged.map(({ xml }) => xml).join("");
}

/** Writes an empty element, or the content that a flag had in the feed. */
function flag(name: string, value: RecordValue, siblings: RecordFields, indent: string): WrittenElement[] {
  const content = (Array.isArray(value) ? value[0] : undefined) ?? "";
  const sent = name === "MainSubject" ? (siblings[name + FLAG_TEXT_SUFFIX] ?? "") : content;
  if (name === "MainSubject" && content === "" && sent === "") return [];
  const head = name + formatAttributes(textAttributes(name, siblings, undefined));
  return [{ name, xml: writeFlag(name, String(sent), head, indent) }];
}

/** Also writes a flag where the standard does not allow it: such a flag is an array in an array. */
function writeFlag(name: string, content: string, head: string, indent: string): string {
  return content === "" ? `${indent}<${head}/>\n` : `${indent}<${head}>${content}</${name}>\n`;
}

/** Returns the entries that are elements, without attributes and the texts of flags. */
function children(fields: RecordFields): [string, RecordValue][] {
  return Object.entries(fields).filter(
    ([key]) => !key.includes("@") && (key === STRAY_TEXT || !key.endsWith(FLAG_TEXT_SUFFIX)),
  );
}

/** Writes the attributes of a composite, which have the keys `@name`. */
function attributes(fields: RecordFields): string {
  const own = Object.entries(fields).filter(([key]) => key.startsWith("@"));
  return formatAttributes(own.map(([key, value]) => [key.slice(1), String(value)]));
}

/** Returns the attributes of a text, which have the keys `Name@attribute` beside it. Omit `index` for a single value. */
function textAttributes(key: string, siblings: RecordFields, index: number | undefined): [string, string][] {
  const found: [string, string][] = [];
  for (const [other, value] of Object.entries(siblings)) {
    if (!other.startsWith(`${key}@`)) continue;
    const own = index === undefined ? value : (value as readonly RecordValue[])[index];
    if (typeof own === "string") found.push([other.slice(key.length + 1), own]);
  }
  return found;
}

function formatAttributes(list: readonly (readonly [name: string, value: string])[]): string {
  return list.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join("");
}
