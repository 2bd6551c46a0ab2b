/** The memory that an import takes does not depend on the size of the feed. */
import { expect, test } from "bun:test";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { message, product } from "../src/onix/testing/message.ts";
import { numberedIsbn } from "./during-tests.ts";
import { measurePeakMemory } from "./peak-memory.ts";
import { COMMAND, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();

const MB = 1 << 20;
/** Up to 343 MB were measured on a busy machine, which collects garbage later. */
const MAX_PEAK_BYTES = 400 * MB;

/** About 80 kB of XML per product: what an import takes is then mostly that of its bytes. */
function writeFeed(path: string, products: number): void {
  const [start, end] = message("|").split("|") as [string, string];
  const text = `<Text>${"words of a description ".repeat(3500)}</Text>`;
  const file = openSync(path, "w");
  writeSync(file, start);
  for (let number = 0; number < products; number++) {
    writeSync(file, product({ isbn: numberedIsbn(number), text }));
  }
  writeSync(file, end);
  closeSync(file);
}

// Both feeds are larger than 32 MB: from there on, all scanner threads run, and each has a heap of its own.
test("an import of 80 MB takes at most 1.3 times the memory of one of 40 MB", async () => {
  const peaks: number[] = [];
  for (const products of [500, 1000]) {
    const path = join(folder, `${products}.xml`);
    writeFeed(path, products);
    const command = [COMMAND, "import", "--db", join(folder, `${products}.db`), path];
    const { code, peakBytes } = await measurePeakMemory(command);
    expect(code).toBe(0);
    peaks.push(peakBytes);
  }
  console.info(`peaks of ${peaks.map((bytes) => Math.round(bytes / MB)).join(" and ")} MB`);
  expect(peaks[1]!).toBeLessThan(MAX_PEAK_BYTES);
  expect(peaks[1]! / peaks[0]!).toBeLessThan(1.3);
});
