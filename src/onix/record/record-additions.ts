/**
 * Members that a record has although the product lacks them: absence flags, MainSubject of every Subject, and the
 * defaults of the header. Each is inserted at its place in the order of the standard.
 */
import { elementNumber, placementOf } from "../element-numbers.ts";
import type { HeaderDefaults } from "../message-header.ts";
import type { ElementTree } from "../reader/element-tree.ts";
import { DESCRIPTIVE_DETAIL, findChild, LANGUAGE, type ProductFacts } from "../reader/product-facts.ts";
import { type JsonPart, jsonPart } from "./json-output.ts";
import type { RecordValue } from "./record-fields.ts";

const SUBJECT = elementNumber("Subject");
const MAIN_SUBJECT = elementNumber("MainSubject");
const PRICE = elementNumber("Price");
const PRICE_AMOUNT = elementNumber("PriceAmount");
const PRICE_TYPE = elementNumber("PriceType");
const CURRENCY_CODE = elementNumber("CurrencyCode");

/** A member to insert. `json` is one value, without the brackets of an array. */
export interface Addition {
  readonly element: number;
  readonly placement: number;
  readonly json: JsonPart;
  /** The same value. */
  readonly value: RecordValue;
  /** How many texts the value contains. */
  readonly texts: number;
}

/** Flags of DescriptiveDetail that state an absence, with the elements that contradict them. */
const ABSENCE_FLAGS = [
  absenceFlag("NoCollection", ["Collection"]),
  absenceFlag("NoEdition", ["EditionType", "EditionNumber", "EditionVersionNumber", "EditionStatement"]),
];

const MAIN_SUBJECT_ADDITION = addition(SUBJECT, MAIN_SUBJECT, [], 0);
export const NO_ADDITIONS: readonly Addition[] = [];

/** Tells whether `RecordAdditions.to` may return anything for this composite. It is called for every composite. */
export function mayHaveAdditions(composite: number): boolean {
  return composite === SUBJECT || composite === PRICE || composite === DESCRIPTIVE_DETAIL;
}

export class RecordAdditions {
  /** Flags that were added to and removed from DescriptiveDetail. */
  set: string[] = [];
  unset: string[] = [];
  /** The prices that a default was applied to, by name of the default. */
  defaults: Record<string, number[]> | undefined;
  private priceCount = 0;
  private readonly language: Addition | undefined;
  private readonly priceType: Addition | undefined;
  private readonly currency: Addition | undefined;

  constructor(defaults: HeaderDefaults) {
    const { language, priceType, currency } = defaults;
    if (language !== undefined) {
      const value = { LanguageRole: "01", LanguageCode: language };
      this.language = addition(DESCRIPTIVE_DETAIL, LANGUAGE, value, 2);
    }
    if (priceType !== undefined) this.priceType = addition(PRICE, PRICE_TYPE, priceType, 1);
    if (currency !== undefined) this.currency = addition(PRICE, CURRENCY_CODE, currency, 1);
  }

  /** The language that the header states, for products without one. */
  get languageValue(): RecordValue | undefined {
    return this.language?.value;
  }

  /** Begins with the next product. */
  reset(): void {
    this.set = [];
    this.unset = [];
    this.defaults = undefined;
    this.priceCount = 0;
  }

  /** Returns the additions to a composite, in the order of the standard. */
  to(tree: ElementTree, node: number, composite: number, facts: ProductFacts): readonly Addition[] {
    if (composite === SUBJECT) {
      return findChild(tree, node, MAIN_SUBJECT) < 0 ? [MAIN_SUBJECT_ADDITION] : NO_ADDITIONS;
    }
    if (composite === PRICE) return this.toPrice(tree, node);
    if (node === facts.descriptiveDetail) return this.toDescription(tree, node, facts);
    return NO_ADDITIONS;
  }

  /** Returns what the record has for an element that a node of the tree lacks. Notes nothing, unlike `to`. */
  valueWithout(
    tree: ElementTree,
    node: number,
    element: number,
    facts: ProductFacts,
  ): RecordValue | undefined {
    const composite = tree.kind[node]!;
    if (!mayHaveAdditions(composite)) return undefined;
    if (composite === SUBJECT) return element === MAIN_SUBJECT ? MAIN_SUBJECT_ADDITION.value : undefined;
    if (composite === PRICE) {
      const added = element === PRICE_TYPE ? this.priceType : this.currency;
      return added?.element === element && hasAmount(tree, node) ? added.value : undefined;
    }
    if (node !== facts.descriptiveDetail) return undefined;
    if (element === LANGUAGE) return facts.needsLanguage ? this.languageValue : undefined;
    for (const flag of ABSENCE_FLAGS)
      if (flag.element === element) return this.set.includes(flag.name) ? flag.addition.value : undefined;
    return undefined;
  }

  /** Tells whether a flag is left out, because it contradicts other elements. */
  isUnset(element: number): boolean {
    return (
      this.unset.length > 0 &&
      ABSENCE_FLAGS.some((flag) => flag.element === element && this.unset.includes(flag.name))
    );
  }

  private toDescription(tree: ElementTree, node: number, facts: ProductFacts): readonly Addition[] {
    const additions: Addition[] = [];
    for (const { name, element, contradicting, addition } of ABSENCE_FLAGS) {
      const isPresent = findChild(tree, node, element) >= 0;
      const isContradicted = hasAnyChild(tree, node, contradicting);
      if (isPresent && isContradicted) this.unset.push(name);
      else if (!isPresent && !isContradicted) {
        this.set.push(name);
        additions.push(addition);
      }
    }
    if (facts.needsLanguage) {
      this.note("DefaultLanguageOfText", 0);
      additions.push(this.language!);
    }
    return additions.sort((a, b) => a.placement - b.placement);
  }

  private toPrice(tree: ElementTree, node: number): readonly Addition[] {
    const price = this.priceCount++;
    if (!this.priceType && !this.currency) return NO_ADDITIONS;
    if (!hasAmount(tree, node)) return NO_ADDITIONS;
    const additions: Addition[] = [];
    if (this.priceType && findChild(tree, node, PRICE_TYPE) < 0) {
      this.note("DefaultPriceType", price);
      additions.push(this.priceType);
    }
    if (this.currency && findChild(tree, node, CURRENCY_CODE) < 0) {
      this.note("DefaultCurrencyCode", price);
      additions.push(this.currency);
    }
    return additions;
  }

  private note(name: string, price: number): void {
    this.defaults ??= {};
    this.defaults[name] ??= [];
    this.defaults[name].push(price);
  }
}

function addition(parent: number, element: number, value: RecordValue, texts: number): Addition {
  const json = jsonPart(JSON.stringify(value));
  return { element, placement: placementOf(parent, element), json, value, texts };
}

function absenceFlag(name: string, contradicting: readonly string[]) {
  const element = elementNumber(name);
  return {
    name,
    element,
    contradicting: new Set(contradicting.map(elementNumber)),
    addition: addition(DESCRIPTIVE_DETAIL, element, [], 0),
  };
}

/** An element without a child has no text. */
function hasAmount(tree: ElementTree, price: number): boolean {
  const amount = findChild(tree, price, PRICE_AMOUNT);
  return amount >= 0 && tree.next[amount] !== amount + 1;
}

function hasAnyChild(tree: ElementTree, node: number, elements: ReadonlySet<number>): boolean {
  const { kind, next } = tree;
  for (let child = node + 1; child < next[node]!; child = next[child]!) {
    if (elements.has(kind[child]!)) return true;
  }
  return false;
}
