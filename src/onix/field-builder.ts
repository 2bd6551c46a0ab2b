/** Builds the JSON fields of a record from elements. Names, order and arity come from the standard, not the data. */
import { trimWhitespace } from "../xml/markup.ts";
import { isCode } from "./code-lists.ts";
import { attributeOf, type OnixElement } from "./element.ts";
import { type ElementRule, elementByTag } from "./element-table.ts";
import {
  isSingleOrArray,
  looksLikeXhtml,
  REPEATED_SUFFIX,
  type RecordFields,
  type RecordValue,
  STRAY_TEXT,
} from "./record-fields.ts";
import type { Remark, RemarkKind } from "./remark.ts";
import { serializeXhtml } from "./xhtml.ts";

/** Builds the fields of one child of a product, with everything inside it. */
export class FieldBuilder {
  /**
   * The texts, counted from 0 in the order of the fields, for which `looksLikeXhtml` is wrong. The writer needs them
   * to restore the form of the feed.
   */
  readonly exceptions: number[] = [];
  private textCount = 0;

  constructor(private readonly remarks: Remark[]) {}

  fields(element: OnixElement, rule: ElementRule | undefined): RecordFields {
    const fields: RecordFields = Object.create(null);
    for (const [name, value] of element.attributes) fields[`@${name}`] = value;
    if (rule?.name === "Subject") fields.MainSubject = [];
    for (const [name, members] of this.groupChildren(element, rule)) this.add(fields, name, members, rule);
    return fields;
  }

  private value(element: OnixElement, rule: ElementRule | undefined): RecordValue {
    switch (rule?.kind) {
      case "composite":
        return this.fields(element, rule);
      case "flag":
        return this.flag(element);
      case "data":
      case "markup":
        return this.text(element, rule);
      default:
        return element.children.some(isElement) && !element.children.some(isVisibleText)
          ? this.fields(element, undefined)
          : this.text(element, undefined);
    }
  }

  /** Groups children by name, in the order of the schema. Unknown elements come last, in the order of the feed. */
  private groupChildren(element: OnixElement, rule: ElementRule | undefined): [string, OnixElement[]][] {
    const groups = new Map<string, OnixElement[]>();
    let strayText = "";
    for (const child of element.children) {
      if (typeof child === "string") {
        strayText += child;
        continue;
      }
      const group = groups.get(child.name);
      if (group) group.push(child);
      else groups.set(child.name, [child]);
    }
    if (isVisibleText(strayText)) {
      this.remark("stray-text", element, `There is text between the elements of ${element.name}.`);
      groups.set(STRAY_TEXT, [{ ...element, name: STRAY_TEXT, attributes: [], children: [strayText] }]);
    }
    const order = (name: string) => rule?.children.get(name)?.order ?? Number.MAX_SAFE_INTEGER;
    return [...groups].sort(([a], [b]) => order(a) - order(b));
  }

  /** Adds all children of one name. */
  private add(
    fields: RecordFields,
    name: string,
    members: OnixElement[],
    parent: ElementRule | undefined,
  ): void {
    const rule = elementByTag(name);
    const placement = parent?.children.get(name);
    const first = members[0]!;
    if (name !== STRAY_TEXT && !placement) this.remarkUnexpected(first, rule, parent);
    const mustBeSingle = placement !== undefined && !placement.repeats;
    if (mustBeSingle && members.length > 1) {
      this.remark("repeated-element", members[1]!, `${name} may occur only once in ${parent?.name}.`);
    }
    if (rule?.kind === "flag" && placement) {
      fields[name] = this.value(first, rule);
      for (const [attribute, value] of first.attributes) fields[`${name}@${attribute}`] = value;
      return;
    }
    const mayBeSingle =
      name === STRAY_TEXT || (placement !== undefined && isSingleOrArray(name, parent!.name));
    const isSingle = mustBeSingle || (members.length === 1 && mayBeSingle);
    this.addValues(fields, name, isSingle ? [first] : members, rule, isSingle);
    const repeated = isSingle ? members.slice(1) : [];
    if (repeated.length > 0) this.addValues(fields, name + REPEATED_SUFFIX, repeated, rule, false);
  }

  /** Adds the values of one key, then `key@attribute` in the same shape for each attribute of the texts. */
  private addValues(
    fields: RecordFields,
    key: string,
    members: readonly OnixElement[],
    rule: ElementRule | undefined,
    isSingle: boolean,
  ): void {
    const values = members.map((member) => this.value(member, rule));
    fields[key] = isSingle ? values[0]! : values;
    const texts = members.filter((_, index) => typeof values[index] === "string");
    for (const attribute of new Set(texts.flatMap((text) => text.attributes.map(([name]) => name)))) {
      const attributeValues = members.map((member, index) =>
        typeof values[index] === "string" ? (attributeOf(member, attribute) ?? null) : null,
      );
      fields[`${key}@${attribute}`] = isSingle ? attributeValues[0]! : attributeValues;
    }
  }

  private text(element: OnixElement, rule: ElementRule | undefined): string {
    const hasElements = element.children.some(isElement);
    const text = trimWhitespace(hasElements ? serializeXhtml(element.children) : element.children.join(""));
    if (hasElements !== looksLikeXhtml(text, attributeOf(element, "textformat"))) {
      this.exceptions.push(this.textCount);
    }
    this.textCount++;
    if (rule && rule.lists.length > 0 && !rule.lists.some((list) => isCode(list, text) !== false)) {
      const lists = rule.lists.length > 1 ? `lists ${rule.lists.join(" and ")}` : `list ${rule.lists[0]}`;
      this.remark(
        "unknown-code",
        element,
        `${rule.name} has the code "${abbreviate(text)}", which is not in ${lists}.`,
      );
    }
    return text;
  }

  /** Returns `["true"]` for MainSubject, because subjects without it have `[]`, and `[]` for every other flag. */
  private flag(element: OnixElement): RecordValue {
    if (element.name === "MainSubject") return ["true"];
    const text = trimWhitespace(serializeXhtml(element.children));
    if (text === "") return [];
    this.remark("stray-text", element, `${element.name} should be empty.`);
    return [text];
  }

  private remarkUnexpected(
    element: OnixElement,
    rule: ElementRule | undefined,
    parent: ElementRule | undefined,
  ): void {
    if (!rule) this.remark("unknown-element", element, `${element.name} is not an element of ONIX 3.`);
    else if (parent)
      this.remark("misplaced-element", element, `${rule.name} is not allowed in ${parent.name}.`);
  }

  private remark(kind: RemarkKind, { line, column }: OnixElement, text: string): void {
    this.remarks.push({ kind, text, line, column });
  }
}

function isElement(child: OnixElement | string): child is OnixElement {
  return typeof child !== "string";
}

function isVisibleText(child: OnixElement | string): boolean {
  return typeof child === "string" && /[^ \t\r\n]/.test(child);
}

function abbreviate(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
