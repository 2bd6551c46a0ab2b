/**
 * Decides which book a product means. The ISBN in the message decides. Only without one, the sender's reference counts,
 * within its sender, and only where it names one book.
 */
import type { Isbn13 } from "../../onix/isbn.ts";
import type { PreparedProduct } from "../entry.ts";
import { NO_RECORD, type RecordStatus } from "../import-state.ts";
import type { ImportSteps } from "../store.ts";
import { supersedes } from "./merge-update.ts";
import { isByOtherSender, type OwnerRules } from "./other-senders.ts";

export interface Target {
  readonly product: PreparedProduct;
  /** Undefined when the product means no book, or it is unclear which one. */
  readonly isbn: Isbn13 | undefined;
  readonly status: RecordStatus;
  /** See `isByOtherSender`. With `keep`, such a product changes nothing. */
  readonly isByOther: boolean;
  /**
   * For a product whose ISBN is not in the catalog, whose reference is new to its book, or that has no ISBN: the other
   * books of the sender with its reference. Else empty.
   */
  readonly others: readonly Isbn13[];
}

/** A store returns at most as many books with a reference. */
const MAX_GIVEN = 100;

const NO_BOOKS: readonly Isbn13[] = [];

/**
 * The most books that are changed at once: a chunk of a feed has thousands of updates of prices, and each is applied to a
 * whole record in memory. 100,000 of them take 120 MB less with it. With 500, the pages of a batch did not fit into the
 * page cache of SQLite: updates of a million books took 6 % more time, and 9 MB more.
 */
const MAX_BOOKS = 250;

/** Returns the first products, up to one that states the same ISBN as an earlier one, and does not supersede it. */
export function takeDifferent(products: readonly PreparedProduct[]): readonly PreparedProduct[] {
  const byIsbn = new Map<Isbn13, PreparedProduct>();
  let books = 0;
  const end = products.findIndex((product) => {
    const { isbn } = product;
    const earlier = isbn === undefined ? undefined : byIsbn.get(isbn);
    if (isbn !== undefined) byIsbn.set(isbn, product);
    return earlier === undefined ? ++books > MAX_BOOKS : !supersedes(product, earlier);
  });
  return end < 0 ? products : products.slice(0, end);
}

/**
 * Returns the targets of the first products, as many as mean different books: the store can change them in any order.
 * There is at least one. Products mean the same book only where the later one supersedes the others.
 */
export async function findTargets(
  transaction: ImportSteps,
  products: readonly PreparedProduct[],
  sender: string,
  rules: OwnerRules,
): Promise<readonly Target[]> {
  const statuses = await statusesOf(transaction, products);
  const matchesByIndex = await matchReferences(transaction, products, statuses, sender);
  const targets: Target[] = [];
  /** What earlier products of the batch do to their books. */
  const touched = new Map<Isbn13, PreparedProduct>();
  /** The first books that earlier products of the batch give a reference to. */
  const given = new Map<string, Isbn13[]>();
  for (const [index, product] of products.entries()) {
    const { reference } = product;
    const status = statuses[index]!;
    const matches = matchesByIndex.get(index);
    const isByOther = isByOtherSender(product, status, sender, rules);
    const isKept = isByOther && rules.otherSenders === "keep";
    const isWrittenWhole = !isKept && writesWhole(product, status);
    const isbn = product.isbn ?? (matches?.length === 1 ? matches[0] : undefined);
    const isUncertain =
      matches !== undefined &&
      !isWrittenWhole &&
      (given.has(reference) || matches.some((match) => touched.has(match)));
    const earlier = isbn === undefined ? undefined : touched.get(isbn);
    if (isUncertain || (earlier !== undefined && !supersedes(product, earlier))) break;
    const others = isWrittenWhole
      ? matches?.filter((match) => stillHas(touched.get(match), reference)).concat(given.get(reference) ?? [])
      : matches;
    targets.push({
      product,
      isbn,
      status,
      isByOther,
      others: others?.filter((other) => other !== isbn).sort() ?? NO_BOOKS,
    });
    if (isbn === undefined || isKept || isInert(product.action)) continue;
    touched.set(isbn, product);
    if (isWrittenWhole && matches !== undefined) {
      const books = given.get(reference) ?? [];
      given.set(reference, books);
      if (books.length < MAX_GIVEN) books.push(isbn);
    }
  }
  return withMissingStatuses(transaction, targets);
}

/** Tells whether the product becomes the whole record of its book. */
export function writesWhole({ action, isWhole }: PreparedProduct, { etag }: RecordStatus): boolean {
  return action === "record" || (action === "update" && isWhole && etag === undefined);
}

/** Returns the statuses of the ISBNs that the products state. */
async function statusesOf(
  transaction: ImportSteps,
  products: readonly PreparedProduct[],
): Promise<readonly RecordStatus[]> {
  const isbns = products.flatMap(({ isbn, action }) => (isbn === undefined || isInert(action) ? [] : [isbn]));
  const statuses = isbns.length === 0 ? [] : await transaction.statusOf(isbns);
  let next = 0;
  return products.map(({ isbn, action }) =>
    isbn === undefined || isInert(action) ? NO_RECORD : statuses[next++]!,
  );
}

/** Tells whether a product changes no book, whatever the catalog has. */
function isInert(action: PreparedProduct["action"]): boolean {
  return action === "test" || action === "rejection";
}

/** Finds the books with the references of products, by index of the product. A reference that tells nothing is omitted. */
async function matchReferences(
  transaction: ImportSteps,
  products: readonly PreparedProduct[],
  statuses: readonly RecordStatus[],
  sender: string,
): Promise<ReadonlyMap<number, readonly Isbn13[]>> {
  const indexes = [...products.keys()].filter((index) => {
    const { action, isbn, reference } = products[index]!;
    const status = statuses[index]!;
    if (reference === "" || isInert(action)) return false;
    const isKnown = status.etag !== undefined && status.sender === sender && status.reference === reference;
    return isbn === undefined || status.etag === undefined || (action === "record" && !isKnown);
  });
  if (indexes.length === 0) return new Map();
  const references = indexes.map((index) => products[index]!.reference);
  const matches = await transaction.byReferences(sender, references);
  return new Map(indexes.map((index, position) => [index, matches[position]!]));
}

/** Tells whether a book still has a reference after the product of the batch that was applied to it. */
function stillHas(product: PreparedProduct | undefined, reference: string): boolean {
  if (product === undefined || product.action === "update") return true;
  return product.action === "record" && product.reference === reference;
}

/** Reads the statuses of the books that were found by reference. */
async function withMissingStatuses(
  transaction: ImportSteps,
  targets: readonly Target[],
): Promise<readonly Target[]> {
  const found = targets.flatMap(({ product, isbn }) =>
    product.isbn === undefined && isbn !== undefined ? [isbn] : [],
  );
  if (found.length === 0) return targets;
  const statuses = await transaction.statusOf(found);
  let next = 0;
  return targets.map((target) =>
    target.product.isbn === undefined && target.isbn !== undefined
      ? { ...target, status: statuses[next++]! }
      : target,
  );
}
