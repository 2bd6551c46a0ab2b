/** How a product in a feed differs from its record, so that the writer can restore it. */
import type { OnixRelease } from "../message-version.ts";

/** Members without content are omitted. Stores keep it as JSON, so the names must not change. */
export interface Origin {
  readonly release: OnixRelease;
  /** Flags that were added to DescriptiveDetail. */
  readonly set?: readonly string[];
  /** Flags that were removed from DescriptiveDetail, because they contradicted other elements. */
  readonly unset?: readonly string[];
  /**
   * By name of the child of the product: the texts, counted from 0 in the order of the record, for which
   * `looksLikeXhtml` is wrong.
   */
  readonly exceptions?: Readonly<Record<string, readonly number[]>>;
  /**
   * By name of the child of the product, then by the number of texts before the composite: the order of children that
   * alternate; see `interleaving.ts`.
   */
  readonly interleaved?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /**
   * By name of the header's default: the prices, counted from 0 in the order of the record, that it was applied to.
   * DefaultLanguageOfText has the number 0.
   */
  readonly defaults?: Readonly<Record<string, readonly number[]>>;
  /** How many identifiers were added. They are the last ones. */
  readonly completed?: number;
  /** Original values of corrected identifiers, by index. */
  readonly sent?: Readonly<Record<string, string>>;
}

/** Members of `Origin` that are objects by the name of a child of the product. */
const MEMBERS_BY_CHILD = ["exceptions", "interleaved"] as const;

/** Members of `Origin` that are about DescriptiveDetail alone. */
const MEMBERS_OF_DETAIL = ["set", "unset"] as const;

/** The block that each default of the header is carried into. */
const BLOCK_OF_DEFAULT: Readonly<Record<string, string>> = {
  DefaultLanguageOfText: "DescriptiveDetail",
  DefaultPriceType: "ProductSupply",
  DefaultCurrencyCode: "ProductSupply",
};

type JsonObject = Record<string, unknown>;

/** Most records of a feed share a few origins, so the results are cached. */
const cache = new Map<string, string>();
const MAX_CACHED_ORIGINS = 1000;

/**
 * Returns the origin of a record whose `replaced` blocks came from an update: each block keeps what its own product
 * said about it. Arguments and result are JSON. The result is the stored text when nothing changes.
 */
export function mergeOrigins(stored: string, update: string, replaced: ReadonlySet<string>): string {
  const key = `${[...replaced].join()}\n${stored}\n${update}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  if (cache.size >= MAX_CACHED_ORIGINS) cache.clear();
  const merged = JSON.stringify(mergeMembers(JSON.parse(stored), JSON.parse(update), replaced));
  cache.set(key, merged);
  return merged;
}

function mergeMembers(stored: Origin, update: Origin, replaced: ReadonlySet<string>): JsonObject {
  const merged: JsonObject = { ...stored };
  const newer: JsonObject = { ...update };
  // A record with a block of 3.1 is not a product of 3.0.
  if (update.release === "3.1" && replaced.size > 0) merged.release = update.release;
  for (const name of MEMBERS_BY_CHILD) {
    setMember(merged, name, mergeObjects(merged[name], newer[name], replaced));
  }
  const defaults = Object.keys(BLOCK_OF_DEFAULT).filter((name) => replaced.has(BLOCK_OF_DEFAULT[name]!));
  setMember(merged, "defaults", mergeObjects(merged.defaults, newer.defaults, defaults));
  if (replaced.has("DescriptiveDetail")) {
    for (const name of MEMBERS_OF_DETAIL) setMember(merged, name, newer[name]);
  }
  return merged;
}

/** Takes the named members from `update`, and all others from `stored`. */
function mergeObjects(stored: unknown, update: unknown, names: Iterable<string>): JsonObject | undefined {
  const merged = { ...(stored as JsonObject) };
  for (const name of names) setMember(merged, name, (update as JsonObject | undefined)?.[name]);
  return Object.keys(merged).length > 0 ? merged : undefined;
}

/** Removes the member when the value is undefined. A member that exists keeps its place. */
function setMember(target: JsonObject, name: string, value: unknown): void {
  if (value === undefined) delete target[name];
  else target[name] = value;
}
