/** Measures what hostile feeds cost the real program, in comparison with an ordinary feed of their size. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { productXml } from "../../bench/product-xml.ts";
import { message } from "../../src/onix/testing/message.ts";
import { measurePeakMemory } from "../peak-memory.ts";
import { COMMAND } from "../process.ts";
import { hostileFeed } from "./hostile-feeds.ts";

/** docs/security.md. */
export const MAX_COST_RATIO = 5;
/** An ordinary import takes up to 343 MB on a busy machine, which collects garbage later. */
export const MAX_IMPORT_BYTES = 512 * 2 ** 20;

interface FeedCost {
  readonly kind: string;
  /** The exit code of the import. */
  readonly code: number;
  /** CPU time for each byte, divided by that of an ordinary feed. */
  readonly ratio: number;
  readonly peakBytes: number;
}

const PRODUCTS_PER_MB = 270;
let imports = 0;

/** Measures kinds of hostile feeds of so many megabytes. A kind that is too expensive is measured again: the least counts. */
export async function* feedCosts(
  folder: string,
  kinds: readonly string[],
  megabytes: number,
): AsyncGenerator<FeedCost> {
  const ordinary = Array.from({ length: PRODUCTS_PER_MB * megabytes }, (_, number) =>
    productXml(number, { products: 100_000 }),
  );
  const start = await measure(folder, message());
  const perByte = async (feed: string) => {
    const { cpuSeconds, code, peakBytes } = await measure(folder, feed);
    return { code, peakBytes, cost: (cpuSeconds - start.cpuSeconds) / Buffer.byteLength(feed) };
  };
  const usual = await perByte(message(ordinary.join("")));
  for (const kind of kinds) {
    const feed = hostileFeed(kind, megabytes * 2 ** 20);
    let { cost, code, peakBytes } = await perByte(feed);
    for (let again = 0; again < 2 && cost > MAX_COST_RATIO * usual.cost; again++)
      cost = Math.min(cost, (await perByte(feed)).cost);
    yield { kind, code, peakBytes, ratio: cost / usual.cost };
  }
}

/** Imports a feed into a new catalog. */
async function measure(folder: string, feed: string) {
  const path = join(folder, "hostile.xml");
  writeFileSync(path, feed);
  return measurePeakMemory([COMMAND, "import", "--db", join(folder, `hostile-${imports++}.db`), path]);
}
