/** `bun src/xml/testing/compare-mutations.program.ts [COUNT] [SEED]`: compares the tokenizer with saxes. */
import { differenceFromOracle, differenceInChunks } from "./compare-readings.ts";
import { mutatedDocuments } from "./mutated-documents.ts";

const count = Number(process.argv[2] ?? 50_000);
const seed = Number(process.argv[3] ?? 1);
let compared = 0;
for (const text of mutatedDocuments(seed)) {
  if (compared === count) break;
  const difference = differenceFromOracle(text) ?? differenceInChunks(text, 1 + (compared % 100));
  if (difference !== undefined) {
    console.log(`${JSON.stringify(text)}\n${difference}\n`);
    process.exitCode = 1;
  }
  compared++;
}
console.log(`${compared} documents compared, seed ${seed}`);
