/** From records back to an ONIX message with reference names. */
import { type ElementRule, elementByTag } from "./element-table.ts";
import { elementOfKey, type Fields, looksLikeElements, STRAY_TEXT, type Value } from "./fields.ts";
import { escapeAttribute, escapeText } from "./markup.ts";
import type { BookRecord, Origin } from "./record.ts";
import type { Release } from "./release.ts";

/** What a message begins with. */
export function messageStart(release: Release, sender: string, sent: Date): string {
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

/** What a message has in the place of products when there are none. */
export const NO_PRODUCT = "  <NoProduct/>\n";

export const messageEnd = "</ONIXMessage>\n";

/** One product, as it was sent: under its sender's reference, without what we completed. */
export function writeProduct(record: BookRecord, reference: string, origin: Origin): string {
  const { _id, ...fields } = record;
  const asSent: Fields = { ...fields, RecordReference: reference };
  if (reference === "") delete asSent.RecordReference;
  restoreIdentifiers(asSent, origin);
  restoreFlags(asSent, origin);
  let text = `  <Product${attributes(asSent)}>\n`;
  const rule = elementByTag("Product");
  const writers = new Map<string, Writer>();
  for (const [key, value] of children(asSent)) {
    const name = elementOfKey(key);
    // Those that came behind the first count on where it ended.
    const writer = writers.get(name) ?? new Writer(new Set(origin.exceptions?.[name] ?? []));
    writers.set(name, writer);
    text += writer.members(key, value, asSent, rule, "    ");
  }
  return `${text}  </Product>\n`;
}

function restoreIdentifiers(fields: Fields, { completed = 0, sent = {} }: Origin): void {
  const identifiers = (fields.ProductIdentifier ?? []) as readonly Fields[];
  fields.ProductIdentifier = identifiers
    .slice(0, identifiers.length - completed)
    .map((identifier, at) => (sent[at] === undefined ? identifier : { ...identifier, IDValue: sent[at] }));
}

function restoreFlags(fields: Fields, { set = [], unset = [] }: Origin): void {
  if (set.length === 0 && unset.length === 0) return;
  const detail = { ...(fields.DescriptiveDetail as Fields) };
  for (const flag of set) delete detail[flag];
  for (const flag of unset) detail[flag] = [];
  fields.DescriptiveDetail = detail;
}

class Writer {
  private texts = 0;

  constructor(private readonly exceptions: ReadonlySet<number>) {}

  /** All elements of one name, each on a line of its own. */
  members(
    key: string,
    value: Value,
    siblings: Fields,
    parent: ElementRule | undefined,
    indent: string,
  ): string {
    if (key === STRAY_TEXT) {
      this.texts++;
      return `${indent}${escapeText(String(value))}\n`;
    }
    const name = elementOfKey(key);
    const rule = elementByTag(name);
    if (rule?.kind === "flag" && parent?.children.has(name)) return this.flag(name, value, siblings, indent);
    const values = Array.isArray(value) ? (value as readonly Value[]) : [value];
    return values
      .map((one, at) => this.element(key, one, siblings, Array.isArray(value), at, indent))
      .join("");
  }

  private element(
    key: string,
    value: Value,
    siblings: Fields,
    many: boolean,
    at: number,
    indent: string,
  ): string {
    const name = elementOfKey(key);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return this.composite(name, value as Fields, indent);
    }
    const own = attributesBeside(key, siblings, many ? at : undefined);
    const text = typeof value === "string" ? value : "";
    const format = own.find(([attribute]) => attribute === "textformat")?.[1];
    const asElements = looksLikeElements(text, format) !== this.exceptions.has(this.texts++);
    const head = name + own.map(([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`).join("");
    return text === ""
      ? `${indent}<${head}/>\n`
      : `${indent}<${head}>${asElements ? text : escapeText(text)}</${name}>\n`;
  }

  private composite(name: string, fields: Fields, indent: string): string {
    const rule = elementByTag(name);
    const deeper = `${indent}  `;
    const inside =
      name === "AudienceRange" && Array.isArray(fields.AudienceRangePrecision)
        ? this.range(fields, deeper)
        : children(fields)
            .map(([child, value]) => this.members(child, value, fields, rule, deeper))
            .join("");
    const head = name + attributes(fields);
    return inside === "" ? `${indent}<${head}/>\n` : `${indent}<${head}>\n${inside}${indent}</${name}>\n`;
  }

  /** Precisions and values stand in turn (ONIX 3, P.13): the one place where names of siblings are mixed. */
  private range(fields: Fields, indent: string): string {
    const rule = elementByTag("AudienceRange");
    const pairs = new Map<string, string[]>([
      ["AudienceRangePrecision", []],
      ["AudienceRangeValue", []],
    ]);
    let text = "";
    // Made in the order of the fields, in which texts are counted, and put into turn afterwards.
    for (const [key, value] of children(fields)) {
      const list = pairs.get(key);
      if (!list || !Array.isArray(value)) text += this.members(key, value, fields, rule, indent);
      else list.push(...value.map((one, at) => this.element(key, one, fields, true, at, indent)));
    }
    const lists = [...pairs.values()];
    const length = Math.max(...lists.map((list) => list.length));
    for (let at = 0; at < length; at++) for (const list of lists) text += list[at] ?? "";
    return text;
  }

  private flag(name: string, value: Value, siblings: Fields, indent: string): string {
    const content = Array.isArray(value) ? String(value[0] ?? "") : "";
    if (name === "MainSubject" && content === "") return "";
    const own = attributesBeside(name, siblings, undefined)
      .map(([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`)
      .join("");
    return content === "" || name === "MainSubject"
      ? `${indent}<${name}${own}/>\n`
      : `${indent}<${name}${own}>${content}</${name}>\n`;
  }
}

/** The members of an object that are elements, not attributes. */
function children(fields: Fields): [string, Value][] {
  return Object.entries(fields).filter(([name]) => !name.includes("@"));
}

/** Attributes of a composite: `"@name"` inside it. */
function attributes(fields: Fields): string {
  return Object.entries(fields)
    .filter(([name]) => name.startsWith("@"))
    .map(([name, value]) => ` ${name.slice(1)}="${escapeAttribute(String(value))}"`)
    .join("");
}

/** Attributes of a text: `"Name@attribute"` beside it, in the shape of the value. */
function attributesBeside(key: string, siblings: Fields, at: number | undefined): [string, string][] {
  const found: [string, string][] = [];
  for (const [other, value] of Object.entries(siblings)) {
    if (!other.startsWith(`${key}@`)) continue;
    const own = at === undefined ? value : (value as readonly Value[])[at];
    if (typeof own === "string") found.push([other.slice(key.length + 1), own]);
  }
  return found;
}
