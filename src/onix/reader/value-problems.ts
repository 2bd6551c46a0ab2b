/**
 * The numbers, dates and addresses that a summary reads, and what is wrong with those that it cannot read: an import warns of them
 * (docs/contract.md).
 */
import { ELEMENT_COUNT, elementName, elementNumber } from "../element-numbers.ts";
import { amountProblem, type ValueProblem, wholeNumberProblem } from "../summary/amount.ts";
import { coverProblem } from "../summary/collateral.ts";
import { extentProblem } from "../summary/extents.ts";
import { periodProblem } from "../summary/prices.ts";
import type { ElementTree } from "./element-tree.ts";
import { childText, dateFormat, findChild } from "./product-facts.ts";
import { textOf } from "./tree-text.ts";

const EXTENT_TYPE = elementNumber("ExtentType");
const EXTENT_UNIT = elementNumber("ExtentUnit");
export const PRICE_DATE = elementNumber("PriceDate");
const PRICE_DATE_ROLE = elementNumber("PriceDateRole");
const DATE = elementNumber("Date");
export const RESOURCE_LINK = elementNumber("ResourceLink");
const RESOURCE_VERSION = elementNumber("ResourceVersion");
const RESOURCE_CONTENT_TYPE = elementNumber("ResourceContentType");
const RESOURCE_MODE = elementNumber("ResourceMode");

type FindProblem = (
  text: string,
  name: string,
  tree: ElementTree,
  parent: number,
) => ValueProblem | undefined;

const ofAmount: FindProblem = (text, name) => amountProblem(text, name);
const ofWholeNumber: FindProblem = (text, name) => wholeNumberProblem(text, name);
const ofExtent: FindProblem = (text, _, tree, parent) =>
  extentProblem(childText(tree, parent, EXTENT_TYPE), text, childText(tree, parent, EXTENT_UNIT));

/** The elements with numbers. Without the names of parents, a number counts wherever it is. */
const NUMBERS: readonly (readonly [element: string, find: FindProblem, ...parents: string[]])[] = [
  ["PriceAmount", ofAmount],
  ["TaxRatePercent", ofAmount, "Tax"],
  ["TaxableAmount", ofAmount, "Tax"],
  ["TaxAmount", ofAmount, "Tax"],
  ["Quantity", ofAmount, "PriceConditionQuantity", "PriceConstraintLimit"],
  ["MinimumOrderQuantity", ofWholeNumber, "Price"],
  ["EditionNumber", ofWholeNumber],
  ["SequenceNumber", ofWholeNumber, "Contributor"],
  ["ExtentValue", ofExtent, "Extent"],
];

const ofLink: FindProblem = (text, _, tree, version) => {
  const resource = parentOf(tree, version);
  const ofResource = (element: number) => childText(tree, resource, element);
  return coverProblem(ofResource(RESOURCE_CONTENT_TYPE), ofResource(RESOURCE_MODE), text);
};

/** Values of `numberKind`. */
export const WHOLE = 1;
export const DECIMAL = 2;
/** WHOLE or DECIMAL for an element of which a summary reads the number; 0 for the others. */
export const numberKind = new Uint8Array(ELEMENT_COUNT);

const findersOf = new Map<number, { readonly find: FindProblem; readonly parents: readonly number[] }>();
for (const [name, find, ...parents] of NUMBERS) {
  const element = elementNumber(name);
  numberKind[element] = find === ofAmount ? DECIMAL : WHOLE;
  findersOf.set(element, { find, parents: parents.map(elementNumber) });
}

findersOf.set(RESOURCE_LINK, { find: ofLink, parents: [RESOURCE_VERSION] });

/** Returns undefined for a value that a summary can read, or does not read. */
export function valueProblem(tree: ElementTree, node: number): ValueProblem | undefined {
  const element = tree.kind[node]!;
  if (element === DATE) {
    const parent = parentOf(tree, node);
    return tree.kind[parent] === PRICE_DATE ? priceDateProblem(tree, parent) : undefined;
  }
  const finder = findersOf.get(element);
  if (finder === undefined) return undefined;
  const parent = parentOf(tree, node);
  if (finder.parents.length > 0 && !finder.parents.includes(tree.kind[parent]!)) return undefined;
  return finder.find(textOf(tree, node), elementName(element), tree, parent);
}

export function priceDateProblem(tree: ElementTree, node: number): ValueProblem | undefined {
  const role = childText(tree, node, PRICE_DATE_ROLE);
  return periodProblem(role, childText(tree, node, DATE), dateFormat(tree, node));
}

/** Returns the node that a complaint about a PriceDate is about: its Date, if it has one. */
export function dateNodeOf(tree: ElementTree, priceDate: number): number {
  const date = findChild(tree, priceDate, DATE);
  return date < 0 ? priceDate : date;
}

/** A number is among the first children of its parent. Looking further would take quadratic time for hostile feeds. */
const MAX_DISTANCE = 200;

/** Nodes are in document order: the parent is the nearest one before that ends after the node. 0 when it is far. */
function parentOf({ next }: ElementTree, node: number): number {
  const last = Math.max(0, node - MAX_DISTANCE);
  let parent = node - 1;
  while (parent > last && next[parent]! <= node) parent--;
  return next[parent]! > node ? parent : 0;
}
