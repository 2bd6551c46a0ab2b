/** Writes the texts and flags of a record, checks codes, and counts texts for the origin. */
import { isCode } from "../code-lists.ts";
import type { Complaint, ComplaintKind } from "../complaint.ts";
import {
  codesOf,
  describeUnknownCode,
  ELEMENT_COUNT,
  elementName,
  elementNumber,
  listOfCodes,
  packCode,
} from "../element-numbers.ts";
import { TEXTFORMAT } from "../reader/attribute-names.ts";
import { type ElementTree, HAS_ATTRIBUTES, HAS_ELEMENTS, IS_PLAIN_TEXT } from "../reader/element-tree.ts";
import { textOf } from "../reader/tree-text.ts";
import {
  dateNodeOf,
  numberKind,
  priceDateProblem,
  RESOURCE_LINK,
  valueProblem,
  WHOLE,
} from "../reader/value-problems.ts";
import { type JsonOutput, jsonPart } from "./json-output.ts";
import type { KeyWriter } from "./key-writer.ts";
import { STRAY_TEXT } from "./record-fields.ts";
import type { TextWriter } from "./text-writer.ts";

type ComplaintDetails = Pick<Complaint, "value" | "isInNoBlock">;

/** Collects complaints about the nodes of a tree. */
export class TreeComplaints {
  complaints: Complaint[] = [];

  add(
    tree: ElementTree,
    node: number,
    kind: ComplaintKind,
    text: string,
    details: ComplaintDetails = {},
  ): void {
    const { line, column } = tree.positionOf(node);
    const number = tree.kind[node]!;
    const element = number >= 0 ? elementName(number) : tree.nameOf(node);
    this.complaints.push({ kind, text, line, column, element, ...details });
  }
}

export const MAIN_SUBJECT = elementNumber("MainSubject");
const EMPTY_ARRAY = jsonPart("[]");
const TRUE_ARRAY = jsonPart('["true"]');
/** Every number of so many digits can be read. */
const USUAL_DIGITS = 4;
const [POINT, DIGIT_0, DIGIT_6, DIGIT_9] = [0x2e, 0x30, 0x36, 0x39];
const EXTENT_VALUE = elementNumber("ExtentValue");
/** Of one value: a hostile one has millions of codes. All that exist are a few hundred. */
const MAX_CHECKED_CODES = 5000;
const MAX_UNKNOWN_CODES = 20;
const MAX_VALID_TERRITORIES = 16;
/** Longer than a list of all countries. */
const MAX_REMEMBERED_BYTES = 1000;
/** The quotes of an empty string. */
const EMPTY_STRING_BYTES = 2;

export class ValueWriter {
  /** `Origin.exceptions`. */
  exceptions: Record<string, number[]> | undefined;
  /** The name of the current child of the product, and its texts so far. */
  block = "";
  textCount = 0;
  /** The last valid code of each element. */
  private readonly lastCodes = new Float64Array(ELEMENT_COUNT).fill(Number.NaN);
  /** The last values without an unknown code. A feed has few different ones, of up to 250 codes. */
  private readonly validTerritories: { readonly list: number; readonly bytes: Buffer }[] = [];

  constructor(
    private readonly output: JsonOutput,
    private readonly texts: TextWriter,
    private readonly keys: KeyWriter,
    private readonly complaints: TreeComplaints,
  ) {}

  beginBlock(name: string): void {
    this.block = name;
    this.textCount = 0;
  }

  /** Writes the text of an element, or its correction. */
  text(tree: ElementTree, node: number, element: number, correction: string | undefined): void {
    const { output } = this;
    const start = output.end + 1;
    if (correction === undefined) this.texts.write(tree, node);
    else output.text(JSON.stringify(correction));
    const flags = tree.flags[node]!;
    if ((flags & IS_PLAIN_TEXT) === 0 || correction !== undefined) {
      tree.jsonStart[node] = start;
      tree.jsonEnd[node] = output.end - 1;
    }
    const codes = element >= 0 ? codesOf[element] : undefined;
    if (codes) this.checkCode(tree, node, element, codes, start);
    else if (numberKind[element]! > 0) this.checkNumber(tree, node, element, start);
    else if (element === RESOURCE_LINK) this.checkValue(tree, node);
    else if (listOfCodes[element]! > 0) this.checkTerritory(tree, node, element, start);
    if ((flags & (HAS_ELEMENTS | HAS_ATTRIBUTES)) !== 0) {
      const hasElements = (flags & HAS_ELEMENTS) !== 0;
      if (hasElements !== this.looksLikeXhtml(tree, node, start)) this.noteException();
    }
    this.textCount++;
  }

  /** Writes the text between the children of a composite. */
  strayText(tree: ElementTree, node: number): void {
    const { output } = this;
    output.text(`,"${STRAY_TEXT}":`);
    this.texts.writeStrayText(tree, node);
    this.textCount++;
  }

  /** Writes a flag as an array. Content, which it should not have, is kept. */
  flag(tree: ElementTree, node: number, element: number): void {
    const { output } = this;
    output.byte(0x5b);
    const start = output.end;
    if (tree.next[node]! > node + 1) this.texts.writeMarkup(tree, node);
    if (output.end - start <= EMPTY_STRING_BYTES) output.end = start;
    else this.complaints.add(tree, node, "stray-text", `${elementName(element)} should be empty.`);
    output.byte(0x5d);
  }

  /** Writes MainSubject of a Subject. Its value says only whether it applies; its content is a member of its own. */
  mainSubject(tree: ElementTree, node: number): void {
    const { output, complaints } = this;
    const text = tree.next[node]! > node + 1 ? textOf(tree, node) : "";
    const isFalse = isFalseFlag(text);
    output.write(isFalse ? EMPTY_ARRAY : TRUE_ARRAY);
    if (text === "") return;
    if (isFalse)
      complaints.add(tree, node, "negated-flag", `MainSubject has the text "${text}".`, { value: text });
    else complaints.add(tree, node, "stray-text", "MainSubject should be empty.");
    this.keys.keyWithSuffix(tree, node, MAIN_SUBJECT, STRAY_TEXT);
    this.texts.writeMarkup(tree, node);
  }

  /** Most codes are the same as in the previous product, and need no lookup. */
  private checkCode(
    tree: ElementTree,
    node: number,
    element: number,
    codes: ReadonlySet<number>,
    start: number,
  ): void {
    const code = packCode(this.output.bytes, start, this.output.end - 1);
    if (code === this.lastCodes[element]) return;
    if (codes.has(code)) {
      this.lastCodes[element] = code;
      return;
    }
    const value = textOf(tree, node);
    this.complaints.add(tree, node, "unknown-code", describeUnknownCode(element, value), { value });
  }

  /** Checks each country or region. */
  private checkTerritory(tree: ElementTree, node: number, element: number, start: number): void {
    const { validTerritories } = this;
    const { bytes, end } = this.output;
    const list = listOfCodes[element]!;
    for (const valid of validTerritories) {
      if (valid.list !== list || valid.bytes.length !== end - 1 - start) continue;
      if (valid.bytes.compare(bytes, start, end - 1) === 0) return;
    }
    const codes = new Set(textOf(tree, node).split(/\s+/, MAX_CHECKED_CODES));
    const unknown = [...codes].filter((code) => code !== "" && !isCode(list, code));
    for (const code of unknown.slice(0, MAX_UNKNOWN_CODES)) {
      const sentence = describeUnknownCode(element, code, [list]);
      this.complaints.add(tree, node, "unknown-code", sentence, { value: code });
    }
    if (unknown.length > 0 || end - start > MAX_REMEMBERED_BYTES) return;
    if (validTerritories.length === MAX_VALID_TERRITORIES) validTerritories.shift();
    validTerritories.push({ list, bytes: Buffer.from(bytes.subarray(start, end - 1)) });
  }

  /** Most amounts have digits and a point, most other numbers a few digits. */
  private checkNumber(tree: ElementTree, node: number, element: number, start: number): void {
    const { bytes, end } = this.output;
    const isWhole = numberKind[element] === WHOLE;
    const length = end - 1 - start;
    let points = 0;
    let isUsual = !isWhole || length <= USUAL_DIGITS;
    for (let index = start; index < end - 1; index++) {
      const byte = bytes[index]!;
      if (byte === POINT) points++;
      else if (byte < DIGIT_0 || byte > DIGIT_9) isUsual = false;
    }
    // It may be a time of more than 59 minutes.
    if (element === EXTENT_VALUE && length > 2 && bytes[end - 3]! >= DIGIT_6) isUsual = false;
    if (isUsual && points <= (isWhole ? 0 : 1) && length > points) return;
    this.checkValue(tree, node);
  }

  private checkValue(tree: ElementTree, node: number): void {
    const problem = valueProblem(tree, node);
    if (problem) this.complaints.add(tree, node, problem.kind, problem.text, { value: textOf(tree, node) });
  }

  /** Expects a PriceDate: a price without the dates that limit it would hold on every day. */
  checkPriceDate(tree: ElementTree, node: number): void {
    const problem = priceDateProblem(tree, node);
    if (!problem) return;
    const date = dateNodeOf(tree, node);
    const value = date === node ? "" : textOf(tree, date);
    this.complaints.add(tree, date, problem.kind, problem.text, { value });
  }

  /** Does the same as `looksLikeXhtml` of `record-fields.ts` with the text in the output. */
  private looksLikeXhtml(tree: ElementTree, node: number, start: number): boolean {
    const attribute = tree.attributeOf(node, TEXTFORMAT);
    if (attribute < 0) return false;
    const from = tree.attributeFrom[attribute]!;
    const isXhtml =
      tree.attributeTo[attribute] === from + 2 && tree.input[from] === 0x30 && tree.input[from + 1] === 0x35;
    if (!isXhtml) return false;
    const { bytes, end } = this.output;
    for (let offset = start; offset < end - 1; offset++) {
      if (bytes[offset] !== 0x3c) continue;
      const letter = bytes[offset + 1]! | 0x20;
      if (letter >= 0x61 && letter <= 0x7a) return true;
    }
    return false;
  }

  private noteException(): void {
    // Without a prototype, because an unknown element can be called `constructor`.
    this.exceptions ??= Object.create(null) as Record<string, number[]>;
    this.exceptions[this.block] ??= [];
    this.exceptions[this.block]!.push(this.textCount);
  }
}

/** Tells whether the content of a flag denies it. */
export function isFalseFlag(text: string): boolean {
  return text !== "" && /^(?:false|0|no)$/i.test(text);
}
