/** The imports that are measured. */
import { formatCount } from "../command.ts";
import { type FeedOptions, writeFeed } from "../feed.ts";
import { areSamplesMissing, writeRepeated } from "../samples.ts";

export interface ImportSizes {
  /** The products of the feed of new books, and the books of the catalog that updates are imported onto. */
  readonly records: number;
  /** The products of a feed of updates. */
  readonly changed: number;
  /** The books of the large catalog. Those of the small one are spread over it. */
  readonly onto: number;
  readonly sampleMegabytes: number;
}

export type CatalogSize = "small" | "large";

export interface ImportRow {
  /** Selects the row on the command line, and its limits. */
  readonly id: string;
  readonly name: string;
  /** The catalog that the feed is imported onto. Default: a new one. */
  readonly onto?: CatalogSize;
  /** Of the import. */
  readonly options?: readonly string[];
  /** What the import has to report of all products. */
  readonly outcome: "added" | "unchanged" | "updated" | "deleted";
  /** The figures of 100,000 books on SQLite before updates were written by columns. */
  readonly before?: string;
  /** Those that differ from the sizes of the run. */
  readonly sizes?: Partial<ImportSizes>;
  /** Returns the number of products in the file. */
  readonly writeFeed: (path: string, sizes: ImportSizes) => Promise<number>;
}

type Description = Omit<ImportRow, "writeFeed">;

const FRENCH = "immateriel__im_onix__test_fixtures_9782707154298.xml";
const AMERICAN = "aragorn-yang__yy-onix-php__tests_Features_V30_samples_sample.v.3.0.ref.xml";
const ITALIAN = "damjack__im_onix__fixtures_tmp.onix";
const SENDERS: readonly ImportRow[] = [
  sender("french", "French distributor", "12.0 s, × 0.43", FRENCH),
  sender("us", "US publisher", "21.6 s, × 0.22", AMERICAN),
  sender("italian", "Italian distributor, all 04", "9.3 s, × 0.50", ITALIAN),
];

const ROWS: readonly ImportRow[] = [
  whole({
    id: "new",
    name: "new books",
    outcome: "added",
    before: "29.3 s, 438 µs, × 0.14, 356 MB, file 2.3",
  }),
  ...(areSamplesMissing ? [] : SENDERS),
  whole({ id: "again", name: "the same feed again", outcome: "unchanged", onto: "small" }),
  whole({
    id: "replace",
    name: "the same feed with `--replace`",
    outcome: "unchanged",
    onto: "small",
    options: ["--replace"],
  }),
  changes("update", {
    id: "whole",
    name: "whole products, one changed field",
    outcome: "updated",
    before: "7.3 s, 930 µs",
  }),
  changes("supply", {
    id: "supply",
    name: "price and stock (04, supply only)",
    outcome: "updated",
    before: "13.5 s, 1,450 µs",
  }),
  changes("deletion", { id: "deletion", name: "deletions", outcome: "deleted" }),
];
/** The rows that are also measured onto the large catalog, with this before their ids. */
const DAILY = ["again", "whole", "supply", "deletion"];
export const DAY = "day-";
export const MEMORY = "memory-";

export function importRows({ records, onto }: ImportSizes): readonly ImportRow[] {
  if (onto === records) return ROWS;
  const daily = ROWS.filter(({ id }) => DAILY.includes(id)).map(({ before: _, ...row }) => ({
    ...row,
    id: DAY + row.id,
    name: `${row.name}, onto ${formatCount(onto)}`,
    onto: "large" as const,
  }));
  return [...ROWS, ...daily];
}

/** Returns rows of new books in feeds of these sizes, which compare the memory of the import. */
export function memoryRows(sizes: readonly number[]): readonly ImportRow[] {
  return sizes.map((records) => {
    const name = `${formatCount(records)} new books`;
    return whole({ id: MEMORY + records, name, outcome: "added", sizes: { records, onto: records } });
  });
}

/** Returns the products of a catalog, as its feed has them. */
export function catalogFeed({ records, onto }: ImportSizes, size: CatalogSize): FeedOptions {
  return { products: onto, every: size === "large" ? 1 : Math.floor(onto / records) };
}

function whole(description: Description): ImportRow {
  return { ...description, writeFeed: (path, sizes) => writeFeed(path, catalogFeed(sizes, "small")) };
}

function sender(id: string, name: string, before: string, sample: string): ImportRow {
  return {
    id: `sender-${id}`,
    name,
    outcome: "added",
    before,
    writeFeed: (path, { sampleMegabytes }) => writeRepeated(path, sample, sampleMegabytes),
  };
}

function changes(kind: "update" | "supply" | "deletion", description: Description): ImportRow {
  return {
    ...description,
    onto: "small",
    writeFeed: (path, { changed, onto }) =>
      writeFeed(path, { products: onto, every: Math.floor(onto / changed), kind }),
  };
}
