/** From an element to the JSON of a record: names, order and arity come from the standard, never from the data. */
import { isCode } from "./codes.ts";
import type { OnixElement } from "./element.ts";
import { type ElementRule, elementByTag } from "./element-table.ts";
import { markupOf, trimBlanks } from "./markup.ts";
import type { Remark, RemarkKind } from "./remark.ts";

export type Value = string | null | readonly Value[] | Fields;
/** Without a prototype: an element may be called `__proto__`. */
export interface Fields {
  [name: string]: Value;
}

/** Shown as one value by the specification, but only in this composite. */
const ONE_OR_MANY_IN: ReadonlyMap<string, string> = new Map([
  ["ContributorRole", "Contributor"],
  ["CorporateName", "Contributor"],
  ["SubjectHeadingText", "Subject"],
  ["ContentAudience", "TextContent"],
  ["Text", "TextContent"],
]);

/**
 * These repeat in ONIX, but the specification shows them as one value: they are that one value when there is
 * one, and an array when there are several.
 */
export const ONE_OR_MANY: ReadonlySet<string> = new Set([
  "ProductFormDetail",
  "TitleDetail",
  "TitleElement",
  "Contributor",
  "Language",
  "Extent",
  "Audience",
  "AudienceRange",
  ...ONE_OR_MANY_IN.keys(),
]);

export function isOneOrMany(name: string, parent: string): boolean {
  return ONE_OR_MANY.has(name) && (ONE_OR_MANY_IN.get(name) ?? parent) === parent;
}

/** Text that stands where only elements may, kept under a name that no element can have. */
export const STRAY_TEXT = "#text";

/** Ends the name under which those stand that came behind the first, where ONIX has only one. */
export const MORE = "#more";

/** `Name` of `Name@attribute`, `Name#more` and `Name#more@attribute`. */
export function elementOfKey(key: string): string {
  return /^.[^@#]*/s.exec(key)?.[0] ?? "";
}

/** The text format (list 34) of which the content is elements, not escaped text. */
const XHTML = "05";

/** Whether a text is written as elements, to judge by its format and look alone. See `Builder.exceptions`. */
export function looksLikeElements(text: string, format: string | undefined): boolean {
  return format === XHTML && /<[A-Za-z]/.test(text);
}

/** Builds the fields of one child of a product, with all that is below it. */
export class Builder {
  /**
   * The texts (counted from 0, in the order of the fields) that came as elements though `looksLikeElements`
   * denies it, or the other way round. With these, the writer restores the very form of the feed.
   */
  readonly exceptions: number[] = [];
  private texts = 0;

  constructor(private readonly remarks: Remark[]) {}

  value(element: OnixElement, rule: ElementRule | undefined): Value {
    switch (rule?.kind) {
      case "composite":
        return this.fields(element, rule);
      case "flag":
        return this.flag(element);
      case "data":
      case "markup":
        return this.text(element, rule);
      default:
        return element.children.some(isElement) && !element.children.some(isText)
          ? this.fields(element, undefined)
          : this.text(element, undefined);
    }
  }

  fields(element: OnixElement, rule: ElementRule | undefined): Fields {
    const fields: Fields = Object.create(null);
    for (const [name, value] of element.attributes) fields[`@${name}`] = value;
    if (rule?.name === "Subject") fields.MainSubject = [];
    for (const [name, members] of this.inOrder(element, rule)) this.add(fields, name, members, rule);
    return fields;
  }

  /** Children by name, in the order of the schema; what it does not know comes last, as it came. */
  private inOrder(element: OnixElement, rule: ElementRule | undefined): [string, OnixElement[]][] {
    const groups = new Map<string, OnixElement[]>();
    let stray = "";
    for (const child of element.children) {
      if (typeof child === "string") {
        stray += child;
        continue;
      }
      const group = groups.get(child.name);
      if (group) group.push(child);
      else groups.set(child.name, [child]);
    }
    if (isText(stray)) {
      this.remark("stray-text", element, `There is text between the elements of ${element.name}.`);
      groups.set(STRAY_TEXT, [{ ...element, name: STRAY_TEXT, attributes: [], children: [stray] }]);
    }
    const order = (name: string) => rule?.children.get(name)?.order ?? Number.MAX_SAFE_INTEGER;
    return [...groups].sort(([a], [b]) => order(a) - order(b));
  }

  private add(fields: Fields, name: string, members: OnixElement[], parent: ElementRule | undefined): void {
    const rule = elementByTag(name);
    const place = parent?.children.get(name);
    const first = members[0]!;
    if (name !== STRAY_TEXT && !place) this.unexpected(first, rule, parent);
    const isOnce = place !== undefined && !place.repeats;
    if (isOnce && members.length > 1) {
      this.remark("repeated-element", members[1]!, `${name} may stand only once in ${parent?.name}.`);
    }
    if (rule?.kind === "flag" && place) {
      fields[name] = this.value(first, rule);
      for (const [attribute, value] of first.attributes) fields[`${name}@${attribute}`] = value;
      return;
    }
    const mayBeOne = name === STRAY_TEXT || (place !== undefined && isOneOrMany(name, parent!.name));
    const isOne = isOnce || (members.length === 1 && mayBeOne);
    this.addValues(fields, name, isOne ? [first] : members, rule, isOne);
    const more = isOne ? members.slice(1) : [];
    if (more.length > 0) this.addValues(fields, name + MORE, more, rule, false);
  }

  private addValues(
    fields: Fields,
    key: string,
    members: readonly OnixElement[],
    rule: ElementRule | undefined,
    isOne: boolean,
  ): void {
    const values = members.map((member) => this.value(member, rule));
    fields[key] = isOne ? values[0]! : values;
    const texts = members.filter((_, at) => typeof values[at] === "string");
    for (const attribute of new Set(texts.flatMap((text) => text.attributes.map(([name]) => name)))) {
      const those = members.map((member, at) =>
        typeof values[at] === "string" ? (attributeOf(member, attribute) ?? null) : null,
      );
      fields[`${key}@${attribute}`] = isOne ? those[0]! : those;
    }
  }

  private text(element: OnixElement, rule: ElementRule | undefined): string {
    const asElements = element.children.some(isElement);
    const text = trimBlanks(asElements ? markupOf(element.children) : element.children.join(""));
    if (asElements !== looksLikeElements(text, attributeOf(element, "textformat"))) {
      this.exceptions.push(this.texts);
    }
    this.texts++;
    if (rule && rule.lists.length > 0 && !rule.lists.some((list) => isCode(list, text) !== false)) {
      const lists = rule.lists.length > 1 ? `lists ${rule.lists.join(" and ")}` : `list ${rule.lists[0]}`;
      this.remark(
        "unknown-code",
        element,
        `${rule.name} has the code "${cut(text)}", which is not in ${lists}.`,
      );
    }
    return text;
  }

  /** `[]`; for the main subject `["true"]`, as the specification has `[]` for the others. */
  private flag(element: OnixElement): Value {
    if (element.name === "MainSubject") return ["true"];
    const text = trimBlanks(markupOf(element.children));
    if (text === "") return [];
    this.remark("stray-text", element, `${element.name} should be empty.`);
    return [text];
  }

  private unexpected(
    element: OnixElement,
    rule: ElementRule | undefined,
    parent: ElementRule | undefined,
  ): void {
    if (!rule) this.remark("unknown-element", element, `${element.name} is no element of ONIX 3.`);
    else if (parent)
      this.remark("misplaced-element", element, `${rule.name} has no place in ${parent.name}.`);
  }

  private remark(kind: RemarkKind, { line, column }: OnixElement, text: string): void {
    this.remarks.push({ kind, text, line, column });
  }
}

export function attributeOf(element: OnixElement, name: string): string | undefined {
  return element.attributes.find(([given]) => given === name)?.[1];
}

function isElement(child: OnixElement | string): child is OnixElement {
  return typeof child !== "string";
}

function isText(child: OnixElement | string): boolean {
  return typeof child === "string" && /[^ \t\r\n]/.test(child);
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
