/** Checks the values of data elements against their datatypes, and their codes against the deprecated ones. */
import { isWhitespace } from "../../xml/characters.ts";
import { decodeText } from "../../xml/references.ts";
import { elementName, listOfCodes, packCode } from "../element-numbers.ts";
import { CDATA_NODE, type ElementTree, HAS_TEXT, IS_PLAIN, TEXT_NODE } from "../reader/element-tree.ts";
import { valueProblem } from "../reader/value-problems.ts";
import { type ComplaintList, quote } from "./complaint-list.ts";
import { DATATYPES, type Datatype, trimmedEnd, trimmedStart } from "./datatypes.ts";
import { DATE, expectedForm, formatOfDate, plainDay } from "./dates.ts";
import type { SchemaRow } from "./schema-rows.ts";

export class ValueCheck {
  /** The bytes of the value that is being checked. */
  private input: Uint8Array = new Uint8Array(0);
  private from = 0;
  private to = 0;

  constructor(private readonly complaints: ComplaintList) {}

  /** Returns false when the value is not of its datatype. */
  check(node: number, element: number, row: SchemaRow, composite: number): boolean {
    const { tree } = this.complaints;
    const child = node + 1;
    const isSingleText = tree.next[node] === child + 1 && tree.kind[child] === TEXT_NODE;
    const isPlain = isSingleText && (tree.flags[child]! & IS_PLAIN) !== 0;
    if (isPlain && (tree.flags[node]! & HAS_TEXT) !== 0) {
      if (element === DATE && plainDay(tree, composite, node) === 0) {
        return this.checkDate(node, row, composite);
      }
      if (row.isAnyText) return true;
      this.input = tree.input;
      this.from = tree.from[child]!;
      this.to = tree.to[child]!;
    } else if (element === DATE) return this.checkDate(node, row, composite);
    else this.use(rawText(tree, node));
    return this.checkBytes(node, element, row);
  }

  private checkBytes(node: number, element: number, row: SchemaRow): boolean {
    const { input, from, to } = this;
    const isValid = row.datatype!.isValid(input, from, to) || (row.type === "code" && this.isUnknownCode());
    if (!isValid) this.complaintBadValue(node, element, row.datatype!);
    if (row.deprecatedCodes && listOfCodes[element]! > 0) this.checkList(node, element, row);
    else if (row.deprecatedCodes) this.checkDeprecated(node, element, row, from, to);
    return isValid;
  }

  /** Tells whether a value is no code at all: empty, or of several words. The reader reports it as unknown. */
  private isUnknownCode(): boolean {
    const start = trimmedStart(this.input, this.from, this.to);
    return !DATATYPES.code.isValid(this.input, start, trimmedEnd(this.input, start, this.to));
  }

  /** The attribute `dateformat` decides the form of a date. */
  private checkDate(node: number, row: SchemaRow, composite: number): boolean {
    const { tree } = this.complaints;
    const value = rawText(tree, node);
    const form = expectedForm(value.trim(), formatOfDate(tree, composite, node));
    this.use(value);
    if (form === undefined || value.trim() === "") return this.checkBytes(node, DATE, row);
    this.complaintBadValue(node, DATE, { description: `a date of the form ${form}`, isValid: () => false });
    return false;
  }

  private complaintBadValue(node: number, element: number, datatype: Datatype): void {
    // The reader reports it.
    if (valueProblem(this.complaints.tree, node) !== undefined) return;
    const { input, from, to } = this;
    const name = elementName(element);
    const text = this.text();
    const value = text.trim().replace(/\s+/g, " ");
    const start = trimmedStart(input, from, to);
    let sentence = `${name} has the value ${quote(value)}, not ${datatype.description}.`;
    if (value === "") sentence = `${name} is empty.`;
    else if (datatype.isValid(input, start, trimmedEnd(input, start, to))) {
      sentence = `${name} has space or a line break around its value ${quote(value)}.`;
    } else if (datatype === DATATYPES.NonEmptyString) sentence = `${name} has a line break in its value.`;
    this.complaints.add("bad-value", node, sentence, value);
  }

  private checkDeprecated(node: number, element: number, row: SchemaRow, from: number, to: number): void {
    const { input } = this;
    const start = trimmedStart(input, from, to);
    const end = trimmedEnd(input, start, to);
    const issue = row.deprecatedCodes!.get(packCode(input, start, end));
    if (issue === undefined) return;
    const code = Buffer.from(input.subarray(start, end)).toString();
    const text = `${elementName(element)} has the code ${quote(code)}, which is deprecated since issue ${issue} of the code lists.`;
    this.complaints.add("deprecated-code", node, text, code);
  }

  /** Checks each code of a list of countries or regions. The reader reports unknown ones. */
  private checkList(node: number, element: number, row: SchemaRow): void {
    const { input, to } = this;
    let start = trimmedStart(input, this.from, to);
    while (start < to) {
      let end = start;
      while (end < to && !isWhitespace(input[end]!)) end++;
      this.checkDeprecated(node, element, row, start, end);
      start = trimmedStart(input, end, to);
    }
  }

  private use(text: string): void {
    this.input = Buffer.from(text);
    this.from = 0;
    this.to = this.input.length;
  }

  private text(): string {
    return Buffer.from(this.input.subarray(this.from, this.to)).toString();
  }
}

/** Returns the text of a node, untrimmed. Elements inside it are left out: the reader reports them. */
function rawText(tree: ElementTree, node: number): string {
  const { kind, next, from, to, input } = tree;
  let text = "";
  for (let child = node + 1; child < next[node]!; child = next[child]!) {
    if (kind[child]! > TEXT_NODE) continue;
    text += decodeText(input, from[child]!, to[child]!, kind[child] === CDATA_NODE);
  }
  return text;
}
