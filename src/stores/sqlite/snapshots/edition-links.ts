/** The links between the editions of works, as a snapshot reads them. */
import type { EditionLink } from "../../../catalog/store.ts";
import { isThirteenDigits } from "../../../onix/isbn.ts";
import { isbnFromColumn } from "../../columns.ts";
import { isbnToColumn } from "../rows.ts";
import { nextTurn } from "./paged-lists.ts";
import type { ReadTransaction } from "./read-transaction.ts";

/** About a millisecond of reading. */
const MAX_ROWS_PER_TICK = 1000;
/** A node without links takes as long as some rows. */
const ROWS_PER_NODE = 10;

/** `transaction` returns that of the snapshot, or throws when it has ended. */
export async function readEditionLinks(
  transaction: () => ReadTransaction,
  nodes: readonly string[],
): Promise<readonly EditionLink[]> {
  const links: EditionLink[] = [];
  let rows = 0;
  for (const node of nodes) {
    const isbn = isThirteenDigits(node) ? isbnToColumn(node) : null;
    const found = transaction().editionLinks.all(isbn, node);
    for (const { isbn, target } of found) links.push({ isbn: isbnFromColumn(isbn), target });
    rows += ROWS_PER_NODE + found.length;
    if (rows < MAX_ROWS_PER_TICK) continue;
    rows = 0;
    await nextTurn();
  }
  if (rows > MAX_ROWS_PER_TICK / 4) await nextTurn();
  return links;
}
