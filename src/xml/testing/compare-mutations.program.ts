/**
 * `bun src/xml/testing/compare-mutations.program.ts [COUNT] [SEED]`: compares the tokenizer with saxes, and documents in
 * chunks with whole ones. Prints what differs.
 */
import { differenceFromOracle, differenceInChunks } from "./compare-readings.ts";
import { mutatedDocuments } from "./mutated-documents.ts";
import { defectOfSaxes } from "./saxes-oracle.ts";
import { readWithTokenizer } from "./tokenizer-reading.ts";

const count = Number(process.argv[2] ?? 50_000);
const seed = Number(process.argv[3] ?? 1);
let compared = 0;
let differences = 0;
let withoutOracle = 0;
let wellFormed = 0;
for (const text of mutatedDocuments(seed)) {
  if (compared === count) break;
  const difference = differenceFromOracle(text) ?? differenceInChunks(text, 1 + (compared % 100));
  if (difference !== undefined) {
    console.log(`${JSON.stringify(text)}\n${difference}\n`);
    differences++;
  }
  if (defectOfSaxes(text) !== undefined) withoutOracle++;
  const { error } = readWithTokenizer(new TextEncoder().encode(text));
  if (error === undefined) wellFormed++;
  compared++;
}
console.log(
  `${compared} documents of seed ${seed}: ${differences} differences, ${withoutOracle} without an oracle`,
);
console.log(`${wellFormed} of them are well-formed`);
if (differences > 0) process.exitCode = 1;
