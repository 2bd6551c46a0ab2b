/**
 * Composites in which names alternate, such as OnHand Proximity OnOrder Proximity. A record has the children of one
 * name together, so the writer has to interleave them again.
 */

/**
 * The children that alternate, in the order of the schema. The first name of a group precedes the others, which belong
 * to it. No other composite of ONIX 3.0 and 3.1 mixes names in a way that has a meaning.
 */
const GROUPS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  // ONIX 3, P.13: the limits of the range.
  AudienceRange: [["AudienceRangePrecision", "AudienceRangeValue"]],
  // ONIX 3, P.26: each quantity may have a proximity (list 215).
  Stock: [
    ["OnHand", "Proximity"],
    ["Reserved", "Proximity"],
    ["OnOrder", "Proximity"],
    ["CBO", "Proximity"],
  ],
};

const namesByComposite = new Map(
  Object.entries(GROUPS).map(([composite, groups]) => [composite, new Set(groups.flat())]),
);

export const INTERLEAVED_COMPOSITES: readonly string[] = Object.keys(GROUPS);

/** Returns the names of the children that alternate. Returns undefined for a composite in which none do. */
export function interleavedNames(composite: string): ReadonlySet<string> | undefined {
  return namesByComposite.get(composite);
}

/**
 * Takes the children of a composite that alternate, in the order of the feed. Returns this order when
 * `Origin.interleaved` has to remember it. Returns undefined when it is the one that the writer assumes, or when it
 * does not tell what belongs together.
 */
export function interleavingToRemember(
  composite: string,
  names: readonly string[],
): readonly string[] | undefined {
  if (names.length < 2 || !isGrouped(composite, names)) return undefined;
  const assumed = assumedInterleaving(composite, names);
  return names.every((name, index) => name === assumed[index]) ? undefined : names;
}

/**
 * Interleaves the children of a composite, which are in the order of the schema: in the remembered order or, without
 * one that fits them, in the order that the writer assumes.
 */
export function interleave<T extends { readonly name: string }>(
  composite: string,
  children: readonly T[],
  remembered: readonly string[] = [],
): readonly T[] {
  const alternating = interleavedNames(composite);
  const first = alternating ? children.findIndex(({ name }) => alternating.has(name)) : -1;
  if (!alternating || first < 0) return children;
  const mixed = children.filter(({ name }) => alternating.has(name));
  const names = mixed.map(({ name }) => name);
  const order = isPermutation(remembered, names) ? remembered : assumedInterleaving(composite, names);
  const queues = Map.groupBy(mixed, ({ name }) => name);
  const interleaved = order.map((name) => queues.get(name)!.shift()!);
  return children.filter(({ name }) => !alternating.has(name)).toSpliced(first, 0, ...interleaved);
}

/**
 * Returns the order that the writer assumes for the given children: all groups in turn, as long as there are first
 * names. Children that belong to no first name come last.
 */
function assumedInterleaving(composite: string, names: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const name of names) left.set(name, (left.get(name) ?? 0) + 1);
  const order: string[] = [];
  const take = (name: string) => {
    const count = left.get(name) ?? 0;
    if (count === 0) return;
    left.set(name, count - 1);
    order.push(name);
  };
  const groups = GROUPS[composite] ?? [];
  const hasFirst = ([first]: readonly string[]) => (left.get(first!) ?? 0) > 0;
  while (groups.some(hasFirst)) {
    for (const group of groups) if (hasFirst(group)) group.forEach(take);
  }
  for (const [name, count] of left) for (let index = 0; index < count; index++) order.push(name);
  return order;
}

/** Tells whether each child is the first of a group, or follows one that it belongs to. */
function isGrouped(composite: string, names: readonly string[]): boolean {
  let group: readonly string[] = [];
  let index = 0;
  for (const name of names) {
    const begun = GROUPS[composite]?.find(([first]) => first === name);
    if (begun) {
      group = begun;
      index = 0;
      continue;
    }
    index = group.indexOf(name, index + 1);
    if (index < 0) return false;
  }
  return true;
}

function isPermutation(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join() === other.toSorted().join();
}
