/** The differences between two states of a record, field by field. */
import { isComposite } from "../../onix/record/field-access.ts";
import {
  elementNameOfKey,
  isSingleOrArray,
  REPEATED_SUFFIX,
  type RecordFields,
  type RecordValue,
} from "../../onix/record/record-fields.ts";
import { elementKey, matchElements } from "./match-elements.ts";

/**
 * One difference. A field or element that is removed has only `old`, one that is added only `new`. The path of a
 * removed one is that in the old record; every other path is that in the new record. Elements of an array that are
 * neither removed nor added keep their order.
 */
export interface FieldChange {
  /** As in `ProductSupply[0].SupplyDetail[0].Price[1].PriceAmount`. */
  readonly path: string;
  readonly old?: RecordValue;
  readonly new?: RecordValue;
}

/** The path of a value in both records. */
interface Paths {
  readonly old: string;
  readonly new: string;
}

/** Returns an empty array exactly when the records have the same fields. The order of fields does not matter. */
export function diffRecords(before: RecordFields, after: RecordFields): FieldChange[] {
  const changes: FieldChange[] = [];
  compareFields(before, after, "Product", { old: "", new: "" }, changes);
  return changes;
}

function compareFields(
  before: RecordFields,
  after: RecordFields,
  parent: string,
  paths: Paths,
  changes: FieldChange[],
): void {
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) changes.push({ path: fieldPath(paths.old, key), old: before[key]! });
  }
  for (const key of Object.keys(after)) {
    const value = after[key]!;
    if (!Object.hasOwn(before, key)) changes.push({ path: fieldPath(paths.new, key), new: value });
    else if (!areEqual(before[key]!, value)) {
      const childPaths = { old: fieldPath(paths.old, key), new: fieldPath(paths.new, key) };
      compareValues(before[key]!, value, key, parent, childPaths, changes);
    }
  }
}

/** Compares two different values of a field. */
function compareValues(
  before: RecordValue,
  after: RecordValue,
  key: string,
  parent: string,
  paths: Paths,
  changes: FieldChange[],
): void {
  if (isComposite(before) && isComposite(after)) compareFields(before, after, key, paths, changes);
  else if (isList(before) && isList(after)) compareLists(before, after, key, paths, changes);
  else if (isList(after) && areSeveral(after) && mayBeSingle(key, parent)) {
    compareLists([before], after, key, paths, changes, { oldIsSingle: true, newIsSingle: false });
  } else if (isList(before) && areSeveral(before) && mayBeSingle(key, parent)) {
    compareLists(before, [after], key, paths, changes, { oldIsSingle: false, newIsSingle: true });
  } else changes.push({ path: paths.new, old: before, new: after });
}

interface SingleSides {
  readonly oldIsSingle: boolean;
  readonly newIsSingle: boolean;
}

const NO_SINGLE: SingleSides = { oldIsSingle: false, newIsSingle: false };

function compareLists(
  before: readonly RecordValue[],
  after: readonly RecordValue[],
  key: string,
  paths: Paths,
  changes: FieldChange[],
  { oldIsSingle, newIsSingle }: SingleSides = NO_SINGLE,
): void {
  const oldPath = (index: number) => (oldIsSingle ? paths.old : `${paths.old}[${index}]`);
  const newPath = (index: number) => (newIsSingle ? paths.new : `${paths.new}[${index}]`);
  const pairs = matchElements(before, after, contentOf, (element) => elementKey(key, element));
  const oldOfNew = new Map(pairs.map(([oldIndex, newIndex]) => [newIndex, oldIndex]));
  const kept = new Set(oldOfNew.values());
  for (const [index, old] of before.entries()) {
    if (!kept.has(index)) changes.push({ path: oldPath(index), old });
  }
  for (const [index, value] of after.entries()) {
    const oldIndex = oldOfNew.get(index);
    if (oldIndex === undefined) changes.push({ path: newPath(index), new: value });
    else if (!areEqual(before[oldIndex]!, value)) {
      const elementPaths = { old: oldPath(oldIndex), new: newPath(index) };
      compareElements(before[oldIndex]!, value, key, elementPaths, changes);
    }
  }
}

/** Compares two elements of lists. Lists of lists do not occur in a record, so they are not looked into. */
function compareElements(
  before: RecordValue,
  after: RecordValue,
  key: string,
  paths: Paths,
  changes: FieldChange[],
): void {
  if (isComposite(before) && isComposite(after)) compareFields(before, after, key, paths, changes);
  else changes.push({ path: paths.new, old: before, new: after });
}

/** Returns whether a record has the field as one value or, when there are several, as an array. */
function mayBeSingle(key: string, parent: string): boolean {
  return !key.includes(REPEATED_SUFFIX) && isSingleOrArray(elementNameOfKey(key), parent);
}

/** A value that may be single is in an array only together with others. */
function areSeveral(list: readonly RecordValue[]): boolean {
  return list.length > 1;
}

function isList(value: RecordValue): value is readonly RecordValue[] {
  return Array.isArray(value);
}

/** The field of an element that only states its position. */
const SEQUENCE_NUMBER = "SequenceNumber";

/** Returns a text that two elements share when they are equal, except for their sequence numbers. */
function contentOf(element: RecordValue): string {
  if (typeof element === "string") return element;
  return JSON.stringify(element, (_, value) => {
    if (!isComposite(value)) return value;
    const names = Object.keys(value).filter((name) => name !== SEQUENCE_NUMBER);
    return names.sort().map((name) => [name, value[name]]);
  });
}

function areEqual(a: RecordValue, b: RecordValue): boolean {
  if (a === b) return true;
  if (typeof a === "string" || typeof b === "string" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => areEqual(item, b[index]!));
  }
  if (Array.isArray(b)) return false;
  const [fieldsOfA, fieldsOfB] = [a as RecordFields, b as RecordFields];
  const keys = Object.keys(fieldsOfA);
  return (
    keys.length === Object.keys(fieldsOfB).length &&
    keys.every((key) => Object.hasOwn(fieldsOfB, key) && areEqual(fieldsOfA[key]!, fieldsOfB[key]!))
  );
}

/** Names with a character that has a meaning in paths are in brackets and quotes, as in `["a.b"]`. */
function fieldPath(parent: string, key: string): string {
  if (!/^[^."[\]]+$/.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === "" ? key : `${parent}.${key}`;
}
