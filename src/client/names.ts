/** Names and titles that are sent in parts (ONIX groups P.6 and P.7), in summaries, in the client and on the page. */

/** The parts of a person's name in the order in which they are read. Titles and honours are not part of it. */
export const NAME_PARTS = [
  "NamesBeforeKey",
  "PrefixToKey",
  "KeyNames",
  "NamesAfterKey",
  "SuffixToKey",
] as const;

/** Joins the parts that are there. A prefix such as L’ is followed by no space. */
export function joinParts(parts: readonly string[]): string {
  let joined = "";
  for (const part of parts)
    joined += joined === "" || part === "" || /['’-]$/.test(joined) ? part : ` ${part}`;
  return joined;
}

/** Turns "García Márquez, Gabriel" round. A name with two commas, such as "King, Martin Luther, Jr", stays. */
export function inReadingOrder(inverted: string): string {
  const [, key, before] = /^([^,]+), *([^,]+)$/.exec(inverted) ?? [];
  return key === undefined || before === undefined ? inverted : joinParts([before, key]);
}
