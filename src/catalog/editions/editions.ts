/** Finds the editions of a work by the links between books, when they are read. */
import { type Isbn13, isThirteenDigits } from "../../onix/isbn.ts";
import { type EditionLink, MAX_NODE_LINKS, type Snapshot } from "../store.ts";

/** The books of a response. */
export const MAX_EDITIONS = MAX_NODE_LINKS - 1;
/** ISBNs and works that are followed: books may name thousands of ISBNs that the catalog does not have. */
const MAX_NODES = 1000;
/** The nodes whose links are read at once. */
const NODES_PER_READ = 50;

type LinkReader = Pick<Snapshot, "editionLinks">;

export interface Editions {
  /** In ascending order, the book itself included. */
  readonly isbns: readonly Isbn13[];
  /** False when there may be more. */
  readonly isComplete: boolean;
}

/** Follows the links from a book of the catalog, breadth-first: the nearest editions are found first. */
export async function editionsOf(
  snapshot: LinkReader & Pick<Snapshot, "missing">,
  isbn: Isbn13,
): Promise<Editions> {
  const books = [isbn];
  const seen = new Set<string>([isbn]);
  let isComplete = true;
  for (let level: readonly string[] = [isbn]; level.length > 0; ) {
    const found = new Set<string>();
    for await (const links of linksOf(snapshot, level)) {
      if (haveMore(links)) isComplete = false;
      for (const { isbn, target } of links) found.add(isbn).add(target);
      if (found.size > MAX_NODES) break;
    }
    level = [...found].filter((node) => !seen.has(node)).sort();
    if (seen.size + level.length > MAX_NODES) {
      isComplete = false;
      level = level.slice(0, MAX_NODES - seen.size);
    }
    for (const node of level) seen.add(node);
    const isbns = level.filter(isThirteenDigits);
    const missing = new Set(isbns.length === 0 ? [] : await snapshot.missing(isbns));
    for (const each of isbns) if (!missing.has(each)) books.push(each);
    if (books.length > MAX_EDITIONS) return { isbns: books.slice(0, MAX_EDITIONS).sort(), isComplete: false };
  }
  return { isbns: books.sort(), isComplete };
}

/**
 * Groups books by their works, in their order: the first book of each work, with the others. Two books belong together
 * when one names the other, and when both are linked with the same work or the same third book. Links further away are
 * not followed.
 */
export async function groupByWork(
  snapshot: LinkReader,
  isbns: readonly Isbn13[],
): Promise<ReadonlyMap<Isbn13, readonly Isbn13[]>> {
  const parents = new Map<string, string>();
  const rootOf = (node: string): string => {
    let root = node;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    if (root !== node) parents.set(node, root);
    return root;
  };
  for await (const links of linksOf(snapshot, isbns)) {
    for (const { isbn, target } of links) {
      const [a, b] = [rootOf(isbn), rootOf(target)];
      if (a !== b) parents.set(a, b);
    }
  }
  const groups = Map.groupBy(isbns, rootOf).values();
  return new Map([...groups].map(([first, ...others]) => [first!, others]));
}

async function* linksOf(
  snapshot: LinkReader,
  nodes: readonly string[],
): AsyncGenerator<readonly EditionLink[], void> {
  for (let start = 0; start < nodes.length; start += NODES_PER_READ) {
    yield await snapshot.editionLinks(nodes.slice(start, start + NODES_PER_READ));
  }
}

/** Tells whether one of the books has more links than were read. More links to a node lead to too many books anyway. */
function haveMore(links: readonly EditionLink[]): boolean {
  if (links.length < MAX_NODE_LINKS) return false;
  const targets = new Map<Isbn13, Set<string>>();
  for (const { isbn, target } of links) targets.set(isbn, (targets.get(isbn) ?? new Set()).add(target));
  return [...targets.values()].some(({ size }) => size >= MAX_NODE_LINKS);
}
