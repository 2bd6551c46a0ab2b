/** Writes the elements of a product, with everything inside them. */
import { escapeAttribute, escapeText } from "../../xml/markup.ts";
import { type ElementRule, elementByTag } from "../element-table.ts";
import { interleave } from "../interleaving.ts";
import {
  elementNameOfKey,
  FLAG_TEXT_SUFFIX,
  looksLikeXhtml,
  type RecordFields,
  type RecordValue,
  STRAY_TEXT,
} from "../record/record-fields.ts";
import type { Attribute, Release31, WrittenElement } from "./release-31.ts";

/** Writes one child of a product. Counts texts in the order of the record, as the reader does. */
export class ElementWriter {
  private textCount = 0;
  private readonly exceptions: ReadonlySet<number>;
  /** The fields whose attributes are in `attributeKeys`. Finding these once per composite saves half of the time. */
  private siblings: RecordFields | undefined;
  private attributeKeys: readonly string[] = [];

  /** `tagOf` returns the tag of a reference name. Without `release31`, elements are written as they are. */
  constructor(
    private readonly tagOf: (name: string) => string,
    private readonly release31: Release31 | undefined,
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
  ): readonly WrittenElement[] {
    if (key === STRAY_TEXT) {
      this.textCount++;
      return [{ name: key, xml: `${indent}${escapeText(String(value))}\n` }];
    }
    const name = elementNameOfKey(key);
    if (elementByTag(name)?.kind === "flag" && parent?.children.has(name)) {
      return this.flag(name, value, siblings, indent);
    }
    const elements = Array.isArray(value)
      ? (value as readonly RecordValue[]).map((one, index) => ({
          name,
          xml: this.element(key, one, siblings, index, indent),
        }))
      : [{ name, xml: this.element(key, value, siblings, undefined, indent) }];
    return this.release31?.members(parent?.name, name, value, elements, indent) ?? elements;
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
    const tag = this.tagOf(name);
    if (Array.isArray(value)) return writeFlag(tag, String(value[0] ?? ""), tag, indent);
    if (typeof value === "object" && value !== null) {
      return this.composite(name, value as RecordFields, indent);
    }
    const own = this.textAttributes(key, siblings, index);
    const text = typeof value === "string" ? value : "";
    const format = own.find(([attribute]) => attribute === "textformat")?.[1];
    const isXhtml = looksLikeXhtml(text, format) !== this.exceptions.has(this.textCount++);
    const head = tag + formatAttributes(this.release31?.attributes(name, own, siblings) ?? own);
    return text === ""
      ? `${indent}<${head}/>\n`
      : `${indent}<${head}>${isXhtml ? text : escapeText(text)}</${tag}>\n`;
  }

  private composite(name: string, fields: RecordFields, indent: string): string {
    const rule = elementByTag(name);
    const remembered = this.interleaved[this.textCount];
    const written = childrenOf(fields).flatMap(([key, value]) =>
      this.members(key, value, fields, rule, `${indent}  `),
    );
    const elements = this.release31?.children(name, fields, written, `${indent}  `) ?? written;
    const tag = this.tagOf(name);
    const head = tag + attributesOf(fields);
    return elements.length === 0
      ? `${indent}<${head}/>\n`
      : `${indent}<${head}>\n${arrange(elements, rule, remembered)}${indent}</${tag}>\n`;
  }

  /** Writes an empty element, or the content that a flag had in the feed. */
  private flag(name: string, value: RecordValue, siblings: RecordFields, indent: string): WrittenElement[] {
    const content = (Array.isArray(value) ? value[0] : undefined) ?? "";
    const sent = name === "MainSubject" ? (siblings[name + FLAG_TEXT_SUFFIX] ?? "") : content;
    if (name === "MainSubject" && content === "" && sent === "") return [];
    const tag = this.tagOf(name);
    const head = tag + formatAttributes(this.textAttributes(name, siblings, undefined));
    return [{ name, xml: writeFlag(tag, String(sent), head, indent) }];
  }

  /** Returns the attributes of a text, which have the keys `Name@attribute` beside it. Omit `index` for a single value. */
  private textAttributes(
    key: string,
    siblings: RecordFields,
    index: number | undefined,
  ): readonly Attribute[] {
    if (siblings !== this.siblings) {
      this.siblings = siblings;
      this.attributeKeys = Object.keys(siblings).filter((other) => other.includes("@", 1));
    }
    if (this.attributeKeys.length === 0) return NO_ATTRIBUTES;
    const found: Attribute[] = [];
    for (const other of this.attributeKeys) {
      if (!other.startsWith(`${key}@`)) continue;
      const value = siblings[other]!;
      const own = index === undefined ? value : (value as readonly RecordValue[])[index];
      if (typeof own === "string") found.push([other.slice(key.length + 1), own]);
    }
    return found;
  }
}

/**
 * Joins the children of a composite in the order of the schema; unknown ones come last. Children that alternate follow
 * the order that the origin remembers or, without one, the usual order.
 */
export function arrange(
  elements: readonly WrittenElement[],
  rule: ElementRule | undefined,
  remembered?: readonly string[],
): string {
  const order = ({ name }: WrittenElement) => rule?.children.get(name)?.order ?? Number.MAX_SAFE_INTEGER;
  const orders = elements.map(order);
  const isSorted = orders.every((one, index) => index === 0 || orders[index - 1]! <= one);
  const sorted = isSorted ? elements : elements.toSorted((a, b) => order(a) - order(b));
  const arranged = rule ? interleave(rule.name, sorted, remembered) : sorted;
  return arranged.map(({ xml }) => xml).join("");
}

/** Also writes a flag where the standard does not allow it: such a flag is an array in an array. */
function writeFlag(tag: string, content: string, head: string, indent: string): string {
  return content === "" ? `${indent}<${head}/>\n` : `${indent}<${head}>${content}</${tag}>\n`;
}

/** Returns the entries that are elements, without attributes and the texts of flags. */
export function childrenOf(fields: RecordFields): [string, RecordValue][] {
  return Object.entries(fields).filter(
    ([key]) => !key.includes("@") && (key === STRAY_TEXT || !key.endsWith(FLAG_TEXT_SUFFIX)),
  );
}

/** Writes the attributes of a composite, which have the keys `@name`. */
export function attributesOf(fields: RecordFields): string {
  const own = Object.entries(fields).filter(([key]) => key.startsWith("@"));
  return formatAttributes(own.map(([key, value]) => [key.slice(1), String(value)]));
}

const NO_ATTRIBUTES: readonly Attribute[] = [];

function formatAttributes(list: readonly Attribute[]): string {
  if (list.length === 0) return "";
  return list.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join("");
}
