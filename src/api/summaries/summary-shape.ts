/**
 * Summaries in the shape that a request wants: with some of their members, with labels beside codes, and with the words
 * that were found. They are cut and joined from the stored bytes.
 */
import type { ByteOutput } from "../../catalog/formats/list-writer.ts";
import { type HighlightedText, Highlighter } from "../../catalog/search/highlight.ts";
import type { SearchQuery } from "../../catalog/search/query.ts";
import type { LabelLanguage, SubjectWords } from "../../catalog/subjects/subject-labels.ts";
import { codeLabel } from "../../onix/code-lists.ts";
import { COMMA, endOfValue, OPENING_BRACE, OPENING_BRACKET, QUOTE } from "../../onix/record/record-blocks.ts";
import type { Summary } from "../../onix/summary/summary.ts";
import type { Schema } from "../openapi/json-schema.ts";
import { labelName, SUMMARY_PROPERTIES } from "../openapi/summary-schema.ts";

export interface SummaryShape {
  readonly fields?: readonly (keyof Summary)[] | undefined;
  readonly labels?: LabelLanguage | undefined;
  readonly highlight?: boolean | undefined;
  /** Words for the codes of subjects, in the language of `labels`. */
  readonly words?: SubjectWords | undefined;
}

const NO_MEMBERS: ReadonlyMap<string, CodedValue> = new Map();
const decoder = new TextDecoder();

/** Writes summaries in a shape. */
export class SummaryWriter {
  readonly #shape: SummaryShape;
  readonly #fields: ReadonlySet<string> | undefined;
  readonly #coded: ReadonlyMap<string, CodedValue>;
  readonly #highlighter: Highlighter | undefined;

  /** `query` is the one whose words are highlighted. */
  constructor(shape: SummaryShape, query: SearchQuery | undefined) {
    this.#shape = shape;
    this.#fields = shape.fields && new Set([...shape.fields, "editions"]);
    this.#coded = shape.labels ? CODED_MEMBERS : NO_MEMBERS;
    this.#highlighter = shape.highlight && query ? new Highlighter(query) : undefined;
  }

  /** The member `editions` of a summary is always kept. */
  write(body: Uint8Array, output: ByteOutput): void {
    const highlights: Highlight[] = [];
    let separator = "{";
    for (let at = 1; body[at] === QUOTE; ) {
      const nameEnd = body.indexOf(QUOTE, at + 1);
      const name = nameAt(body, at + 1, nameEnd);
      const value = nameEnd + 2;
      const end = endOfValue(body, value);
      const find = this.#highlighter && TEXTS.get(name);
      if (find && body[value] !== NULL)
        highlights.push(...find(parsed(body, value, end), this.#highlighter!));
      if (this.#fields === undefined || this.#fields.has(name)) {
        output.write(separator);
        separator = ",";
        this.#writeMember(body, at, value, end, this.#coded.get(name), output);
      }
      at = end + (body[end] === COMMA ? 1 : 0);
      if (at === end) break;
    }
    if (separator === "{") output.write("{");
    if (this.#shape.highlight)
      output.write(`${separator === "," ? "," : ""}"highlights":${JSON.stringify(highlights)}`);
    output.write("}");
  }

  /** Writes a member, and the labels of its codes behind them. */
  #writeMember(
    body: Uint8Array,
    from: number,
    value: number,
    end: number,
    coded: CodedValue | undefined,
    output: ByteOutput,
  ): void {
    if (coded?.members === undefined) output.write(body.subarray(from, end));
    else {
      output.write(body.subarray(from, value));
      this.#writeValue(body, value, end, coded.members, output);
    }
    if (coded?.list !== undefined)
      output.write(`,"${coded.labelName}":${this.#labelsOf(body.subarray(value, end), coded.list)}`);
  }

  /** Writes an object, or the objects of a list. */
  #writeValue(
    body: Uint8Array,
    from: number,
    end: number,
    members: ReadonlyMap<string, CodedValue>,
    output: ByteOutput,
  ): void {
    if (body[from] === OPENING_BRACKET && body[from + 1] === OPENING_BRACE) {
      let start = from;
      for (let at = from + 1; at < end - 1; ) {
        const itemEnd = endOfValue(body, at);
        output.write(body.subarray(start, at));
        this.#writeValue(body, at, itemEnd, members, output);
        start = itemEnd;
        at = itemEnd + 1;
      }
      output.write(body.subarray(start, end));
    } else if (body[from] === OPENING_BRACE) {
      let start = from;
      let scheme: string | null = null;
      for (let at = from + 1; body[at] === QUOTE; ) {
        const nameEnd = body.indexOf(QUOTE, at + 1);
        const value = nameEnd + 2;
        const valueEnd = endOfValue(body, value);
        output.write(body.subarray(start, at));
        const name = nameAt(body, at + 1, nameEnd);
        const coded = members.get(name);
        this.#writeMember(body, at, value, valueEnd, coded, output);
        if (name === "scheme") scheme = parsed(body, value, valueEnd);
        if (coded?.isSubject)
          output.write(`,"${coded.labelName}":${this.#subjectLabel(scheme, parsed(body, value, valueEnd))}`);
        start = valueEnd;
        at = valueEnd + 1;
      }
      output.write(body.subarray(start, end));
    } else output.write(body.subarray(from, end));
  }

  /** Returns JSON. The scheme of a subject stands before its code. */
  #subjectLabel(scheme: string | null, code: string | null): string {
    const label = code === null ? undefined : this.#shape.words?.labelOf(scheme, code);
    return JSON.stringify(label ?? null);
  }

  /** Returns JSON: null for an absent code, and for one that is not in its list. */
  #labelsOf(value: Uint8Array, list: number): string {
    const codes: unknown = parsed(value, 0, value.length);
    const labelOf = (code: unknown) =>
      (typeof code === "string" ? codeLabel(list, code, this.#shape.labels!) : undefined) ?? null;
    return JSON.stringify(Array.isArray(codes) ? codes.map(labelOf) : labelOf(codes));
  }
}

/** The first letter of `null`. */
const NULL = 0x6e;

function parsed(body: Uint8Array, from: number, to: number): never {
  return JSON.parse(decoder.decode(body.subarray(from, to))) as never;
}

/** The names of members are ASCII. */
function nameAt(body: Uint8Array, from: number, to: number): string {
  return decoder.decode(body.subarray(from, to));
}

interface Highlight extends HighlightedText {
  readonly field: string;
}

type Finder = (value: never, highlighter: Highlighter) => readonly Highlight[];

const wholeText =
  (field: string): Finder =>
  (value: string, highlighter) =>
    highlightsOf(field, [highlighter.whole(value)]);

/** The texts of a summary in which words are highlighted. */
const FINDERS: Readonly<Partial<Record<keyof Summary, Finder>>> = {
  title: wholeText("title"),
  subtitle: wholeText("subtitle"),
  collection: wholeText("collection"),
  contributors: (contributors: Summary["contributors"], highlighter) =>
    highlightsOf(
      "contributors",
      contributors.map(({ name }) => (name === null ? undefined : highlighter.whole(name, true))),
    ),
  imprint: wholeText("imprint"),
  publisher: wholeText("publisher"),
  subjects: (subjects: Summary["subjects"], highlighter) =>
    highlightsOf(
      "subjects",
      subjects.map(({ text }) => (text === null ? undefined : highlighter.whole(text))),
    ),
  description: (text: string, highlighter) => highlightsOf("description", [highlighter.excerpt(text)]),
};
const TEXTS: ReadonlyMap<string, Finder> = new Map(Object.entries(FINDERS));

function highlightsOf(field: string, texts: readonly (HighlightedText | undefined)[]): readonly Highlight[] {
  return texts.flatMap((each) => (each === undefined ? [] : { field, ...each }));
}

/** A value of a summary that has codes, or has them within. */
interface CodedValue {
  /** The ONIX list of a code, or of the codes of a list. */
  readonly list?: number;
  /** True for the code of a subject, whose words were loaded. */
  readonly isSubject?: boolean;
  /** The name of the member with its label or labels. */
  readonly labelName?: string;
  /** The members of an object, or of the objects of a list. */
  readonly members?: ReadonlyMap<string, CodedValue>;
}

function codedMembers(properties: Readonly<Record<string, Schema>>): ReadonlyMap<string, CodedValue> {
  return new Map(
    Object.entries(properties).flatMap(([name, schema]) => {
      const coded = codedValue(name, schema);
      return coded === undefined ? [] : [[name, coded] as const];
    }),
  );
}

function codedValue(name: string, schema: Schema): CodedValue | undefined {
  const items = schema.items as Schema | undefined;
  const { "x-onix-list": list, properties } = items ?? schema;
  if (schema["x-thema"] === true) return { isSubject: true, labelName: labelName(name, false) };
  if (typeof list === "number") return { list, labelName: labelName(name, items !== undefined) };
  const members = properties === undefined ? undefined : codedMembers(properties as Record<string, Schema>);
  return members === undefined || members.size === 0 ? undefined : { members };
}

/** The codes of a summary that `labels` adds words to, by their places. */
const CODED_MEMBERS: ReadonlyMap<string, CodedValue> = codedMembers(SUMMARY_PROPERTIES);
