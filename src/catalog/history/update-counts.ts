/** Counts the books that an import has updated by what has changed: texts, prices and stock, and so on. */
import { blocksFrom } from "./changed-blocks.ts";

/** The top-level elements of a record by kind. All others, and changes that are not known, are of the kind `other`. */
export const BLOCKS_OF_KIND = {
  texts: ["DescriptiveDetail", "CollateralDetail", "PromotionDetail", "ContentDetail"],
  supply: ["ProductSupply"],
  publishing: ["PublishingDetail"],
} as const;

export type UpdateKind = keyof typeof BLOCKS_OF_KIND | "other";

/** A book counts once for each kind, whichever feeds of the import have changed it. */
export type UpdateCounts = Record<UpdateKind, number>;

export function noUpdates(): UpdateCounts {
  return { texts: 0, supply: 0, publishing: 0, other: 0 };
}

const KIND_OF_BLOCK = new Map(
  Object.entries(BLOCKS_OF_KIND).flatMap(([kind, blocks]) =>
    blocks.map((block): [string, UpdateKind] => [block, kind as UpdateKind]),
  ),
);

/** Counts a book that has changed in these blocks (`changedBlocks`); with -1, it no longer counts. */
export function countUpdate(counts: UpdateCounts, blocks: string | null, books: 1 | -1 = 1): void {
  const kinds = new Set(blocksFrom(blocks ?? "").map((name) => KIND_OF_BLOCK.get(name) ?? "other"));
  if (kinds.size === 0) kinds.add("other");
  for (const kind of kinds) counts[kind] += books;
}
