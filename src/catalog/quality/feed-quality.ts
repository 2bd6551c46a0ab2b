/** Collects the quality of each feed of a check, from the results of the checks about its products. */

import type { ComplaintKind } from "../../onix/complaint.ts";
import { assessedNeeds, NEEDS, unmetNeeds } from "../../onix/completeness/needs.ts";
import type { ScannedProduct } from "../../onix/scanned-product.ts";
import { addTallies, emptyTallies, type Score, scoreOf, type Tallies } from "./score.ts";

/** An archive may contain countless feeds. Further ones are counted together. */
const MAX_FEEDS = 1000;
const OTHER_FEEDS = "other feeds";

/** Complaints that are not errors of the feed. */
const NO_ERRORS: ReadonlySet<ComplaintKind> = new Set(["incomplete", "deprecated-code"]);

export interface FeedScore extends Score {
  /** The name of the file, or of the file in an archive. */
  readonly file: string;
  /** The name of the sender, or an empty string. */
  readonly sender: string;
  /** The number of products that were assessed. */
  readonly products: number;
}

interface Feed {
  readonly file: string;
  sender: string;
  products: number;
  readonly tallies: Tallies;
}

export class FeedQuality {
  private readonly feeds = new Map<string, Feed>();

  /** Adds products of a feed. Deletions and test records are not assessed. */
  add(file: string, sender: string, products: readonly ScannedProduct[]): void {
    const feed = this.feedOf(file);
    feed.sender ||= sender;
    for (const product of products) {
      if (product.completeness === 0) continue;
      feed.products++;
      tally(feed.tallies, product);
    }
  }

  /** Returns the scores of the feeds, in the order of the import. */
  scores(): FeedScore[] {
    return [...this.feeds.values()].map(toScore);
  }

  total(): FeedScore {
    const total: Feed = { file: "", sender: "", products: 0, tallies: emptyTallies() };
    for (const { products, tallies } of this.feeds.values()) {
      total.products += products;
      addTallies(total.tallies, tallies);
    }
    return toScore(total);
  }

  private feedOf(file: string): Feed {
    const key = this.feeds.has(file) || this.feeds.size < MAX_FEEDS ? file : OTHER_FEEDS;
    const feed = this.feeds.get(key) ?? { file: key, sender: "", products: 0, tallies: emptyTallies() };
    this.feeds.set(key, feed);
    return feed;
  }
}

function toScore({ file, sender, products, tallies }: Feed): FeedScore {
  return { file, sender, products, ...scoreOf(tallies) };
}

function tally(tallies: Tallies, { action, completeness, isbn, complaints }: ScannedProduct): void {
  tallies.ISBN.assessed++;
  if (isbn !== undefined) tallies.ISBN.met++;
  // A rejected product is not in the catalog, whatever else it has.
  if (action === "rejection") return;
  const assessed = assessedNeeds(completeness);
  const unmet = unmetNeeds(completeness);
  NEEDS.forEach(({ name }, index) => {
    const bit = 1 << index;
    if ((assessed & bit) === 0) return;
    tallies[name].assessed++;
    if ((unmet & bit) === 0) tallies[name].met++;
    else if (name === "price" && complaints.some(({ element }) => element === "PriceAmount"))
      tallies.price.wrong++;
  });
  tallies["no errors"].assessed++;
  if (complaints.every(({ kind }) => NO_ERRORS.has(kind))) tallies["no errors"].met++;
}
