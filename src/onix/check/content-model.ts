/**
 * Content models of the standard as automata (Glushkov). A state is a position in the model: the child that was read
 * last. XML Schema requires models in which each child has one position (unique particle attribution).
 */

/** The state before the first child. */
export const START = 0;
/** The child is not allowed in this state. */
export const NO_STATE = -1;

/** A child at its position in a model. */
export interface Particle {
  readonly name: string;
  /** The name of the row that describes it: a type, or the element itself. */
  readonly row: string;
}

/** The sets of Glushkov's construction. Positions count from 1, in the order of the expression. */
interface Positions {
  readonly isOptional: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

/** An expression is written as in a DTD; scripts/schema.ts describes it. */
export class ContentModel {
  /** By state, from 1. */
  readonly particles: Particle[] = [];
  /** The states that can follow, by state. */
  readonly following: number[][] = [[]];
  readonly mayEnd: boolean[] = [];

  private readonly reachableStates: (ReadonlySet<number> | undefined)[] = [];
  private readonly tokens: string[];
  private index = 0;

  constructor(expression: string) {
    this.tokens = expression.match(/[A-Za-z=]+|[(),|?*+]/g) ?? [];
    const { isOptional, first, last } = this.choice();
    if (this.index < this.tokens.length) throw new Error(`"${expression}" cannot be parsed`);
    this.following[START] = [...first];
    this.mayEnd = this.following.map((_, state) => (state === START ? isOptional : last.includes(state)));
  }

  /** Returns the child of a state. */
  particle(state: number): Particle {
    return this.particles[state - 1]!;
  }

  /** Returns the states that can come after a state, at any distance. */
  reachable(state: number): ReadonlySet<number> {
    const known = this.reachableStates[state];
    if (known) return known;
    const seen = new Set<number>();
    const open = [...this.following[state]!];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...this.following[next]!);
    }
    this.reachableStates[state] = seen;
    return seen;
  }

  nextState(state: number, name: string): number {
    return this.following[state]!.find((next) => this.particle(next).name === name) ?? NO_STATE;
  }

  /** Returns the shortest list of states from `state` to one that `isGoal` accepts, without `state` itself. */
  path(state: number, isGoal: (state: number) => boolean): number[] | undefined {
    const seen = new Set([state]);
    let paths: number[][] = [[]];
    while (paths.length > 0) {
      const longer: number[][] = [];
      for (const path of paths) {
        const last = path.at(-1) ?? state;
        if (isGoal(last)) return path;
        for (const next of this.following[last]!) {
          if (seen.has(next)) continue;
          seen.add(next);
          longer.push([...path, next]);
        }
      }
      paths = longer;
    }
    return undefined;
  }

  private choice(): Positions {
    const options = [this.sequence()];
    while (this.accept("|")) options.push(this.sequence());
    return {
      isOptional: options.some(({ isOptional }) => isOptional),
      first: options.flatMap(({ first }) => first),
      last: options.flatMap(({ last }) => last),
    };
  }

  private sequence(): Positions {
    let left = this.item();
    while (this.accept(",")) {
      const right = this.item();
      this.connect(left.last, right.first);
      left = {
        isOptional: left.isOptional && right.isOptional,
        first: left.isOptional ? [...left.first, ...right.first] : left.first,
        last: right.isOptional ? [...left.last, ...right.last] : right.last,
      };
    }
    return left;
  }

  private item(): Positions {
    let item: Positions;
    if (this.accept("(")) {
      item = this.choice();
      this.accept(")");
    } else {
      const [name, row] = this.tokens[this.index++]!.split("=") as [string, string?];
      const state = this.particles.push({ name, row: row ?? name });
      this.following.push([]);
      item = { isOptional: false, first: [state], last: [state] };
    }
    const suffix = ["?", "*", "+"].find((mark) => this.accept(mark));
    if (suffix === "*" || suffix === "+") this.connect(item.last, item.first);
    return suffix === "?" || suffix === "*" ? { ...item, isOptional: true } : item;
  }

  private connect(from: readonly number[], to: readonly number[]): void {
    for (const state of from) {
      const following = this.following[state]!;
      following.push(...to.filter((next) => !following.includes(next)));
    }
  }

  private accept(token: string): boolean {
    if (this.tokens[this.index] !== token) return false;
    this.index++;
    return true;
  }
}

/**
 * Returns the names of the children in the order of the model. A name that stands at several positions comes after
 * all that always precede it.
 */
export function childOrder(model: ContentModel): string[] {
  const states = model.particles.map((_, index) => index + 1);
  const names = [...new Set(model.particles.map(({ name }) => name))];
  const namesAfter = (name: string) =>
    states
      .filter((state) => model.particle(state).name === name)
      .flatMap((state) => [...model.reachable(state)].map((later) => model.particle(later).name));
  const after = new Map(names.map((name) => [name, new Set(namesAfter(name))]));
  const precedes = (a: string, b: string) => after.get(a)!.has(b) && !after.get(b)!.has(a);
  const order: string[] = [];
  let waiting = names;
  while (waiting.length > 0) {
    const next = waiting.find((name) => !waiting.some((other) => precedes(other, name))) ?? waiting[0]!;
    order.push(next);
    waiting = waiting.filter((name) => name !== next);
  }
  return order;
}
