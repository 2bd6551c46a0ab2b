/** The attribute `datestamp`, which any element can have: the day of its last change. */
import { type Day, firstDayOfDate } from "../date.ts";
import { COMPOSITE, elementKind, FLAG, REPEATS } from "../element-numbers.ts";
import { DATESTAMP } from "../reader/attribute-names.ts";
import { type ElementTree, HAS_ATTRIBUTES } from "../reader/element-tree.ts";
import { attributeText } from "../reader/tree-text.ts";
import { texts } from "../record/field-access.ts";
import { isText } from "../record/key-writer.ts";
import { ID_KEY, type RecordValue } from "../record/record-fields.ts";

/** How the key of a datestamp ends in a record. */
export const DATESTAMP_KEY = "@datestamp";

/** Returns the latest datestamp of a value of a record and of all that it contains. */
export function latestDatestamp(value: RecordValue): Day | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  let latest: Day | undefined;
  for (const [key, member] of Object.entries(value)) {
    if (key.endsWith(DATESTAMP_KEY))
      for (const date of texts(member)) latest = later(latest, firstDayOfDate(date));
    else latest = later(latest, latestDatestamp(member));
  }
  return latest;
}

/** Returns the same from the element tree of a record that has been written. */
export function latestDatestampIn(tree: ElementTree): Day | undefined {
  return hasDatestamps(tree) ? latestAt(tree, 0) : undefined;
}

/** Returns the latest datestamp of an element and of all that it contains. The content of a text is markup. */
function latestAt(tree: ElementTree, node: number): Day | undefined {
  let latest = datestampOf(tree, node);
  const element = tree.kind[node]!;
  if (isText(tree, node, element) || (element >= 0 && elementKind[element] !== COMPOSITE)) return latest;
  let before = -1;
  for (let child = tree.firstChild[node]!; child !== 0; child = tree.sibling[child]!) {
    if (isMember(tree, node, child, before)) latest = later(latest, latestAt(tree, child));
    before = tree.kind[child]!;
  }
  return latest;
}

/**
 * Tells whether the attributes of a child are in the record. Those of a flag are where the standard allows it, and of
 * the first one only. A product has no element that replaces its id.
 */
function isMember(tree: ElementTree, node: number, child: number, elementBefore: number): boolean {
  const element = tree.kind[child]!;
  if (element < 0) return node !== 0 || tree.nameOf(child) !== ID_KEY;
  if (elementKind[element] !== FLAG) return true;
  const placement = tree.placement[child]!;
  return placement !== 0 && (placement & REPEATS) === 0 && element !== elementBefore;
}

function hasDatestamps({ attributeName, attributeCount }: ElementTree): boolean {
  for (let index = 0; index < attributeCount; index++) if (attributeName[index] === DATESTAMP) return true;
  return false;
}

function datestampOf(tree: ElementTree, node: number): Day | undefined {
  const text = (tree.flags[node]! & HAS_ATTRIBUTES) === 0 ? undefined : attributeText(tree, node, DATESTAMP);
  return text === undefined ? undefined : firstDayOfDate(text);
}

function later(a: Day | undefined, b: Day | undefined): Day | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}
