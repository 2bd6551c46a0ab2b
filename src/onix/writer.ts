/** Writes records as an ONIX message with reference names. */

import { escapeAttribute, escapeText } from "../xml/markup.ts";
import { type ElementRule, elementByTag } from "./element-table.ts";
import type { OnixRelease } from "./message-version.ts";
import type { BookRecord, Origin } from "./record.ts";
import {
  elementNameOfKey,
  looksLikeXhtml,
  type RecordFields,
  type RecordValue,
  STRAY_TEXT,
} from "./record-fields.ts";

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

/** Replaces the products in a message without products. */
export const NO_PRODUCT = "  <NoProduct/>\n";

export const MESSAGE_END = "</ONIXMessage>\n";

/** Writes one product as it was sent: with the sender's reference, and without the identifiers and flags that were added. */
export function writeProduct(record: BookRecord, reference: string, origin: Origin): string {
  const { _id, ...fields } = record;
  const asSent: RecordFields = { ...fields, RecordReference: reference };
  if (reference === "") delete asSent.RecordReference;
  restoreIdentifiers(asSent, origin);
  restoreFlags(asSent, origin);
  let text = `  <Product${attributes(asSent)}>\n`;
  const rule = elementByTag("Product");
  const writers = new Map<string, ElementWriter>();
  for (const [key, value] of children(asSent)) {
    const name = elementNameOfKey(key);
    // `Name#more` continues the text count of `Name`.
    const writer = writers.get(name) ?? new ElementWriter(new Set(origin.exceptions?.[name] ?? []));
    writers.set(name, writer);
    text += writer.members(key, value, asSent, rule, "    ");
  }
  return `${text}  </Product>\n`;
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

/** Writes one child of a product. Counts texts in the same order as `FieldBuilder`. */
class ElementWriter {
  private textCount = 0;

  constructor(private readonly exceptions: ReadonlySet<number>) {}

  /** Writes all elements of one key, each on its own line. */
  members(
    key: string,
    value: RecordValue,
    siblings: RecordFields,
    parent: ElementRule | undefined,
    indent: string,
  ): string {
    if (key === STRAY_TEXT) {
      this.textCount++;
      return `${indent}${escapeText(String(value))}\n`;
    }
    const name = elementNameOfKey(key);
    const rule = elementByTag(name);
    if (rule?.kind === "flag" && parent?.children.has(name)) return this.flag(name, value, siblings, indent);
    const values = Array.isArray(value) ? (value as readonly RecordValue[]) : [value];
    return values
      .map((one, index) => this.element(key, one, siblings, Array.isArray(value), index, indent))
      .join("");
  }

  private element(
    key: string,
    value: RecordValue,
    siblings: RecordFields,
    isArray: boolean,
    index: number,
    indent: string,
  ): string {
    const name = elementNameOfKey(key);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return this.composite(name, value as RecordFields, indent);
    }
    const own = textAttributes(key, siblings, isArray ? index : undefined);
    const text = typeof value === "string" ? value : "";
    const format = own.find(([attribute]) => attribute === "textformat")?.[1];
    const isXhtml = looksLikeXhtml(text, format) !== this.exceptions.has(this.textCount++);
    const head = name + own.map(([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`).join("");
    return text === ""
      ? `${indent}<${head}/>\n`
      : `${indent}<${head}>${isXhtml ? text : escapeText(text)}</${name}>\n`;
  }

  private composite(name: string, fields: RecordFields, indent: string): string {
    const rule = elementByTag(name);
    const deeper = `${indent}  `;
    const inside =
      name === "AudienceRange" && Array.isArray(fields.AudienceRangePrecision)
        ? this.audienceRange(fields, deeper)
        : children(fields)
            .map(([child, value]) => this.members(child, value, fields, rule, deeper))
            .join("");
    const head = name + attributes(fields);
    return inside === "" ? `${indent}<${head}/>\n` : `${indent}<${head}>\n${inside}${indent}</${name}>\n`;
  }

  /** Alternates precisions and values (ONIX 3, P.13). No other composite mixes the names of its children. */
  private audienceRange(fields: RecordFields, indent: string): string {
    const rule = elementByTag("AudienceRange");
    const pairs = new Map<string, string[]>([
      ["AudienceRangePrecision", []],
      ["AudienceRangeValue", []],
    ]);
    let text = "";
    // Writes them in the order of the fields, in which texts are counted, and interleaves them afterwards.
    for (const [key, value] of children(fields)) {
      const list = pairs.get(key);
      if (!list || !Array.isArray(value)) text += this.members(key, value, fields, rule, indent);
      else list.push(...value.map((one, index) => this.element(key, one, fields, true, index, indent)));
    }
    const lists = [...pairs.values()];
    const length = Math.max(...lists.map((list) => list.length));
    for (let index = 0; index < length; index++) for (const list of lists) text += list[index] ?? "";
    return text;
  }

  private flag(name: string, value: RecordValue, siblings: RecordFields, indent: string): string {
    const content = Array.isArray(value) ? String(value[0] ?? "") : "";
    if (name === "MainSubject" && content === "") return "";
    const own = textAttributes(name, siblings, undefined)
      .map(([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`)
      .join("");
    return content === "" || name === "MainSubject"
      ? `${indent}<${name}${own}/>\n`
      : `${indent}<${name}${own}>${content}</${name}>\n`;
  }
}

/** Returns the entries that are elements, without the attributes. */
function children(fields: RecordFields): [string, RecordValue][] {
  return Object.entries(fields).filter(([name]) => !name.includes("@"));
}

/** Writes the attributes of a composite, which have the keys `@name`. */
function attributes(fields: RecordFields): string {
  return Object.entries(fields)
    .filter(([name]) => name.startsWith("@"))
    .map(([name, value]) => ` ${name.slice(1)}="${escapeAttribute(String(value))}"`)
    .join("");
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
