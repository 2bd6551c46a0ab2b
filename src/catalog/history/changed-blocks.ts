/** Tells which top-level elements of a record an import has changed: `DescriptiveDetail`, `ProductSupply`, and so on. */
import { bytesByName, membersOf } from "../../onix/record/record-blocks.ts";

/** A record may have any number of elements that ONIX does not know. */
const MAX_CHARS = 500;
const SEPARATOR = " ";

/**
 * Returns the names of the elements that differ, in the form that a store keeps. Null when they cannot be told: a
 * damaged record has no elements.
 */
export function changedBlocks(before: Uint8Array, after: Uint8Array): string | null {
  try {
    return differentBlocks(bytesByName(before, membersOf(before)), bytesByName(after, membersOf(after)));
  } catch {
    return null;
  }
}

/** Does the same for elements that have been located. */
export function differentBlocks(old: ReadonlyMap<string, Buffer>, now: ReadonlyMap<string, Buffer>): string {
  const names: string[] = [];
  for (const [name, value] of now) if (old.get(name)?.equals(value) !== true) names.push(name);
  for (const name of old.keys()) if (!now.has(name)) names.push(name);
  return keptBlocks(names);
}

/** Returns the names that two changes of one import have changed. Null when either is not known. */
export function joinBlocks(first: string | null, second: string | null): string | null {
  if (first === null || second === null) return null;
  return keptBlocks([...blocksFrom(first), ...blocksFrom(second)]);
}

/** Returns the names that a store has kept, each once. */
export function blocksFrom(kept: string): string[] {
  return [...new Set(kept.split(SEPARATOR))].filter((name) => name !== "");
}

function keptBlocks(names: readonly string[]): string {
  let kept = "";
  for (const name of new Set(names)) {
    if (kept.length + name.length >= MAX_CHARS) break;
    kept += kept === "" ? name : SEPARATOR + name;
  }
  return kept;
}
