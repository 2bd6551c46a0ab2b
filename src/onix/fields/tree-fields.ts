/**
 * The fields of a record, read from the element tree that it was written from, without JSON. They have the values that
 * the parsed record would have. Nothing is decoded before it is read. They are valid until the next product.
 */
import {
  COMPOSITE,
  elementKind,
  elementNumber,
  FLAG,
  REPEATS,
  SINGLE_OR_ARRAY_BIT,
} from "../element-numbers.ts";
import type { Isbn13 } from "../isbn.ts";
import type { Identifier } from "../product-identifiers.ts";
import { knownAttribute } from "../reader/attribute-names.ts";
import { type ElementTree, HAS_ATTRIBUTES, IS_PLAIN_TEXT } from "../reader/element-tree.ts";
import type { ProductFacts } from "../reader/product-facts.ts";
import { attributeText, jsonText, markupOf, textOf } from "../reader/tree-text.ts";
import type { JsonOutput } from "../record/json-output.ts";
import type { RecordAdditions } from "../record/record-additions.ts";
import { REPEATED_SUFFIX, type RecordFields, type RecordValue } from "../record/record-fields.ts";
import { isFalseFlag, MAIN_SUBJECT } from "../record/value-writer.ts";
import { BOOK_FIELD_KEYS, type BookFields } from "./book-fields.ts";

const RECORD_REFERENCE = elementNumber("RecordReference");
const PRODUCT_IDENTIFIER = elementNumber("ProductIdentifier");
const ID_VALUE = elementNumber("IDValue");
const LANGUAGE = elementNumber("Language");

const NO_VALUES: readonly RecordValue[] = [];
const TRUE_VALUES: readonly RecordValue[] = ["true"];

/** What a record has beside the elements of its product. */
export interface RecordSource {
  readonly tree: ElementTree;
  readonly facts: ProductFacts;
  readonly additions: RecordAdditions;
  /** The output that has the record. */
  readonly output: JsonOutput;
  /** Values of IDValue nodes that are corrected. */
  readonly corrections: ReadonlyMap<number, string>;
  /** Identifiers that are appended. */
  readonly missingIdentifiers: readonly Identifier[];
  readonly isbn: Isbn13;
}

/** Returns the fields of a record that has been written, which has put the children of its elements in order. */
export function treeFields(source: RecordSource): BookFields {
  return new TreeFields(source, 0) as BookFields;
}

/** One composite. Its getters are defined below, one for each key. */
class TreeFields {
  constructor(
    private readonly source: RecordSource,
    private readonly node: number,
  ) {}

  /** Returns the value of `Name`. */
  read(element: number): RecordValue | undefined {
    const { source, node } = this;
    const { tree } = source;
    if (node === 0 && element === RECORD_REFERENCE) return source.isbn;
    const first = firstChildOf(tree, node, element);
    if (first === 0) return source.additions.valueWithout(tree, node, element, source.facts);
    const placement = tree.placement[first]!;
    const isSingle = placement !== 0 && (placement & REPEATS) === 0;
    if (isSingle && elementKind[element] === FLAG) return flagMember(source, first, element);
    if (isSingle) return valueAt(source, first, element);
    const isAlone = nextOf(tree, first, element) === 0;
    const hasExtra =
      element === LANGUAGE && node === source.facts.descriptiveDetail && source.facts.needsLanguage;
    if (isAlone && (placement & SINGLE_OR_ARRAY_BIT) !== 0 && !hasExtra)
      return valueAt(source, first, element);
    const values = valuesFrom(source, first, element);
    if (hasExtra) values.push(source.additions.languageValue!);
    if (element === PRODUCT_IDENTIFIER && node === 0) {
      for (const { type, value } of source.missingIdentifiers)
        values.push({ ProductIDType: type, IDValue: value });
    }
    return values;
  }

  /** Returns the value of `Name#more`. */
  readMore(element: number): RecordValue | undefined {
    const { source, node } = this;
    const { tree } = source;
    const first = firstChildOf(tree, node, element);
    if (first === 0) return undefined;
    const placement = tree.placement[first]!;
    if (placement === 0 || (placement & REPEATS) !== 0 || elementKind[element] === FLAG) return undefined;
    const second = nextOf(tree, first, element);
    return second === 0 ? undefined : valuesFrom(source, second, element);
  }

  /** Returns the value of `Name@attribute`: a text, or an array that has null for elements without the attribute. */
  readAttribute(element: number, name: number): RecordValue | undefined {
    const { source, node } = this;
    const { tree } = source;
    if (elementKind[element] === COMPOSITE) return undefined;
    const first = firstChildOf(tree, node, element);
    if (first === 0) return undefined;
    const placement = tree.placement[first]!;
    const isAlone = nextOf(tree, first, element) === 0;
    const isSingle = placement !== 0 && (placement & REPEATS) === 0;
    if (isSingle || (isAlone && (placement & SINGLE_OR_ARRAY_BIT) !== 0))
      return attributeText(tree, first, name);
    if (elementKind[element] === FLAG) return undefined;
    const values: (string | null)[] = [];
    let isAnywhere = false;
    for (let child = first; child !== 0; child = nextOf(tree, child, element)) {
      const text = (tree.flags[child]! & HAS_ATTRIBUTES) === 0 ? undefined : attributeText(tree, child, name);
      values.push(text ?? null);
      if (text !== undefined) isAnywhere = true;
    }
    return isAnywhere ? values : undefined;
  }
}

for (const key of BOOK_FIELD_KEYS) {
  const [name, attribute] = key.replace(REPEATED_SUFFIX, "").split("@");
  const element = elementNumber(name!);
  let get: (this: TreeFields) => RecordValue | undefined;
  if (attribute !== undefined) {
    const number = knownAttribute(attribute);
    get = function () {
      return this.readAttribute(element, number);
    };
  } else if (key.endsWith(REPEATED_SUFFIX)) {
    get = function () {
      return this.readMore(element);
    };
  } else {
    get = function () {
      return this.read(element);
    };
  }
  Object.defineProperty(TreeFields.prototype, key, { get });
}

/** Returns the first child that is this element, in the order of the record; 0 for none. */
function firstChildOf(tree: ElementTree, node: number, element: number): number {
  const { kind, sibling } = tree;
  let child = tree.firstChild[node]!;
  while (child !== 0 && kind[child] !== element) child = sibling[child]!;
  return child;
}

/** Returns the next one, or 0. Children of one name follow each other. */
function nextOf(tree: ElementTree, child: number, element: number): number {
  const next = tree.sibling[child]!;
  return next !== 0 && tree.kind[next] === element ? next : 0;
}

function valuesFrom(source: RecordSource, first: number, element: number): RecordValue[] {
  const values: RecordValue[] = [];
  for (let child = first; child !== 0; child = nextOf(source.tree, child, element)) {
    values.push(valueAt(source, child, element));
  }
  return values;
}

function valueAt(source: RecordSource, node: number, element: number): RecordValue {
  const kind = elementKind[element];
  if (kind === COMPOSITE) return new TreeFields(source, node) as unknown as RecordFields;
  if (kind === FLAG) return flagValue(source.tree, node);
  return element === ID_VALUE && source.corrections.has(node)
    ? writtenText(source, node)
    : textAt(source, node);
}

/** A text that is not plain is decoded from the record, where it has been written already. */
function textAt(source: RecordSource, node: number): string {
  const { tree } = source;
  if (tree.next[node] === node + 1) return "";
  return (tree.flags[node]! & IS_PLAIN_TEXT) === 0 ? writtenText(source, node) : textOf(tree, node);
}

function writtenText({ tree, output }: RecordSource, node: number): string {
  return jsonText(output.bytes, tree.jsonStart[node]!, tree.jsonEnd[node]!);
}

function flagValue(tree: ElementTree, node: number): readonly RecordValue[] {
  const text = markupOf(tree, node);
  return text === "" ? NO_VALUES : [text];
}

/** Returns the value of a flag where the standard allows it. One that contradicts other elements is left out. */
function flagMember(source: RecordSource, node: number, element: number): RecordValue | undefined {
  const { tree, facts, additions } = source;
  if (element === MAIN_SUBJECT) return isFalseFlag(textOf(tree, node)) ? NO_VALUES : TRUE_VALUES;
  const isInFirst = node < tree.next[facts.descriptiveDetail]!;
  return isInFirst && additions.isUnset(element) ? undefined : flagValue(tree, node);
}
