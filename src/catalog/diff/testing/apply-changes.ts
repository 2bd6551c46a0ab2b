/** Applies the differences of two records, for tests: whoever has the old record and the differences has the new one. */
import { elementNameOfKey, isSingleOrArray, type RecordValue } from "../../../onix/record/record-fields.ts";
import type { FieldChange } from "../record-diff.ts";

type Step = string | number;
// biome-ignore lint/suspicious/noExplicitAny: a path leads through values of any shape.
type Node = any;

/** Returns the new record. */
export function applyChanges(before: RecordValue, changes: readonly FieldChange[]): RecordValue {
  const root = { record: structuredClone(before) as Node };
  // From the last to the first, so that the indexes of the old record stay valid.
  for (const change of changes.toReversed()) {
    if (!("new" in change)) remove(root, parsePath(change.path));
  }
  const record = withSingles(root.record, "Product");
  for (const change of changes) if ("new" in change) put(record, parsePath(change.path), change);
  return withSingles(record, "Product");
}

/** Splits a path such as `A[0].B["c.d"]` into its steps. */
function parsePath(path: string): Step[] {
  const steps = path.matchAll(/\[(?<index>\d+)\]|\[(?<quoted>"(?:[^"\\]|\\.)*")\]|(?<name>[^.[]+)/g);
  return [...steps].map(({ groups }) => {
    if (groups!.index !== undefined) return Number(groups!.index);
    return groups!.quoted === undefined ? groups!.name! : JSON.parse(groups!.quoted);
  });
}

function remove(root: { record: Node }, steps: Step[]): void {
  const last = steps.pop()!;
  const parent = steps.reduce((node, step) => node[step], root.record);
  if (typeof last === "number") parent.splice(last, 1);
  else delete parent[last];
}

function put(record: Node, steps: Step[], change: FieldChange): void {
  const last = steps.pop()!;
  let parent = record;
  for (const [depth, step] of steps.entries()) {
    const isBeforeIndex = typeof (steps[depth + 1] ?? last) === "number";
    // The first element of an array that the old record does not have, or has as a single value.
    if (isBeforeIndex && !Object.hasOwn(parent, step)) parent[step] = [];
    else if (isBeforeIndex && !Array.isArray(parent[step])) parent[step] = [parent[step]];
    parent = parent[step];
  }
  if (typeof last === "number" && !("old" in change)) parent.splice(last, 0, change.new);
  else parent[last] = change.new;
}

/** Turns arrays of one element into that element, where a record has a single value. */
function withSingles(value: Node, parent: string): Node {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withSingles(item, parent));
  const fields = Object.entries(value).map(([key, field]) => {
    const shaped = withSingles(field, key);
    const mayBeSingle = !key.includes("#more") && isSingleOrArray(elementNameOfKey(key), parent);
    return [key, mayBeSingle && Array.isArray(shaped) && shaped.length === 1 ? shaped[0] : shaped];
  });
  return Object.fromEntries(fields);
}
