/** Explains why the children of a composite do not match its content model. Runs only when they do not. */
import { joinNames } from "../../lib/text.ts";
import { elementName, elementNumber, placementOf, REPEATS } from "../element-numbers.ts";
import type { ComplaintList } from "./complaint-list.ts";
import { type ContentModel, NO_STATE, START } from "./content-model.ts";
import type { Schema, SchemaRow } from "./schema-rows.ts";

/** Children of a product whose absence the reader itself reports. */
const REPORTED_BY_READER: ReadonlySet<string> = new Set([
  "RecordReference",
  "NotificationType",
  "ProductIdentifier",
]);

interface Child {
  readonly node: number;
  readonly name: string;
}

/** Receives the names of the elements of which one is missing. */
type MissingListener = (names: readonly string[]) => void;

export class StructureDiagnosis {
  constructor(
    private readonly complaints: ComplaintList,
    private readonly onMissing: MissingListener,
  ) {}

  explain(node: number, parent: number, row: SchemaRow, schema: Schema): void {
    const { model } = row.content!;
    const children = this.allowedChildren(node, parent, model, schema);
    const sorted = this.reportOrder(children, parent, model);
    this.reportGaps(node, elementName(parent), sorted, model);
  }

  /** Returns the children that the model has. The reader reports elements that are unknown or misplaced. */
  private allowedChildren(node: number, parent: number, model: ContentModel, schema: Schema): Child[] {
    const { kind, next } = this.complaints.tree;
    const children: Child[] = [];
    const counts = new Map<string, number>();
    for (let child = node + 1; child < next[node]!; child = next[child]!) {
      const element = kind[child]!;
      const placement = element >= 0 ? placementOf(parent, element) : 0;
      if (placement === 0) continue;
      const name = elementName(element);
      if (!model.particles.some((particle) => particle.name === name)) {
        const where = schema.has(name) ? ` in ${elementName(parent)}` : "";
        this.complaints.add("wrong-release", child, `ONIX ${schema.release} has no ${name}${where}.`);
        continue;
      }
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      // The reader reports the repetition of an element that may occur only once.
      if (count === 1 || (placement & REPEATS) !== 0) children.push({ node: child, name });
    }
    return children;
  }

  /** Reports the first child that stands too late, and returns the children in the order of the standard. */
  private reportOrder(children: readonly Child[], parent: number, model: ContentModel): readonly Child[] {
    const placement = ({ name }: Child) => placementOf(parent, elementNumber(name));
    const late = children.findIndex(
      (child, index) => index > 0 && placement(child) < placement(children[index - 1]!),
    );
    if (late < 0) return children;
    const sorted = children.toSorted((a, b) => placement(a) - placement(b));
    // Where a name stands at several positions, the order of the table may not be the one that is meant.
    if (countGaps(model, sorted) >= countGaps(model, children)) return children;
    const { node, name } = children[late]!;
    const before = children[late - 1]!.name;
    this.complaints.add(
      "wrong-order",
      node,
      `${name} stands after ${before} in ${elementName(parent)}.`,
      before,
    );
    return sorted;
  }

  /** Runs the model over the children, and reports what is missing, too many, or excluded by a choice. */
  private reportGaps(node: number, parent: string, children: readonly Child[], model: ContentModel): void {
    let state = START;
    const names = [...new Set(children.map(({ name }) => name))];
    const seen = new Set<string>();
    for (const child of children) {
      const next = model.nextState(state, child.name);
      if (next !== NO_STATE) state = next;
      else {
        const path = model.path(state, (other) => model.nextState(other, child.name) !== NO_STATE);
        if (path !== undefined && path.length > 0) {
          state = this.reportMissing(node, parent, state, path, model, child.name);
          state = model.nextState(state, child.name);
        } else this.reportSurplus(child, parent, names, seen.has(child.name), model, state);
      }
      seen.add(child.name);
    }
    const path = model.path(state, (other) => model.mayEnd[other]!);
    if (path !== undefined && path.length > 0) {
      this.reportMissing(node, parent, state, path, model, undefined);
    }
  }

  /** Reports each state of the path as missing, and returns the last one. */
  private reportMissing(
    node: number,
    parent: string,
    from: number,
    path: readonly number[],
    model: ContentModel,
    before: string | undefined,
  ): number {
    let state = from;
    for (const next of path) {
      const names = alternatives(model, state, next, path.at(-1)!, before);
      state = next;
      if (parent === "Product" && names.every((name) => REPORTED_BY_READER.has(name))) continue;
      this.onMissing(names);
      const list = joinNames(names, "or");
      this.complaints.add("missing-element", node, `${parent} has no ${list}.`, list, parent);
    }
    return state;
  }

  private reportSurplus(
    child: Child,
    parent: string,
    names: readonly string[],
    isRepeated: boolean,
    model: ContentModel,
    state: number,
  ): void {
    const last = state === START ? child.name : model.particle(state).name;
    if (isRepeated && (last === child.name || !excludes(model, last, child.name))) {
      this.complaints.add("too-many", child.node, `${child.name} occurs too often in ${parent}.`, parent);
      return;
    }
    const other = names.find((name) => name !== child.name && excludes(model, name, child.name));
    if (other === undefined) {
      this.complaints.add(
        "wrong-order",
        child.node,
        `${child.name} stands in the wrong place in ${parent}.`,
        parent,
      );
      return;
    }
    const text = `${child.name} and ${other} exclude each other in ${parent}.`;
    this.complaints.add("conflicting-elements", child.node, text, other);
  }
}

/** Returns the names that could stand in place of `next`: they lead to the same end. */
function alternatives(
  model: ContentModel,
  state: number,
  next: number,
  last: number,
  before: string | undefined,
): string[] {
  const reachesEnd = (other: number): boolean =>
    next === last
      ? before === undefined
        ? model.mayEnd[other]!
        : model.nextState(other, before) !== NO_STATE
      : model.following[next]!.every((after) => model.following[other]!.includes(after));
  const states = model.following[state]!.filter((other) => other === next || reachesEnd(other));
  return [...new Set(states.map((other) => model.particle(other).name))];
}

/** By model, and the two names. Each is computed once. */
const exclusions = new WeakMap<ContentModel, Map<string, boolean>>();

/** Tells whether two children never occur together. */
function excludes(model: ContentModel, a: string, b: string): boolean {
  const known = exclusions.get(model) ?? new Map<string, boolean>();
  exclusions.set(model, known);
  const key = `${a} ${b}`;
  const result = known.get(key) ?? (!follows(model, a, b) && !follows(model, b, a));
  known.set(key, result);
  return result;
}

/** Counts how often the children do not match the model. */
function countGaps(model: ContentModel, children: readonly Child[]): number {
  let state = START;
  let gaps = 0;
  for (const { name } of children) {
    let next = model.nextState(state, name);
    if (next === NO_STATE) {
      gaps++;
      const path = model.path(state, (other) => model.nextState(other, name) !== NO_STATE);
      next = path === undefined ? state : model.nextState(path.at(-1) ?? state, name);
    }
    state = next;
  }
  return model.mayEnd[state] ? gaps : gaps + 1;
}

/** Tells whether a child can come after another, at any distance. */
function follows(model: ContentModel, first: string, second: string): boolean {
  return model.particles.some(
    ({ name }, index) =>
      name === first &&
      [...model.reachable(index + 1)].some((state) => model.particle(state).name === second),
  );
}
