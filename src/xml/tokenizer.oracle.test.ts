/** The tokenizer beside saxes, on real feeds and on documents with mutations; and documents in chunks. */
import { describe, expect, test } from "bun:test";
import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedFile } from "../lib/testing/requirements.ts";
import {
  differenceFromOracle,
  differenceInChunks,
  differenceWithoutLayout,
} from "./testing/compare-readings.ts";
import { mutatedDocuments, SMALL_DOCUMENTS } from "./testing/mutated-documents.ts";
import { readWithTokenizer } from "./testing/tokenizer-reading.ts";

const samples = sharedFile("onix/samples");

describe.skipIf(samples.missing)("XmlTokenizer on the shared samples (skipped without ../shared)", () => {
  test("returns the same events as saxes, and errors at the same places", () => {
    const texts = sampleTexts();
    expect(texts.length).toBeGreaterThan(100);
    for (const [name, text] of texts) {
      expect([name, differenceFromOracle(text)]).toEqual([name, undefined]);
      expect([name, differenceInChunks(text, 4000)]).toEqual([name, undefined]);
    }
  });
});

test("XmlTokenizer agrees with saxes on mutated documents", () => {
  let rejected = 0;
  let compared = 0;
  for (const text of mutatedDocuments(20_261_116)) {
    if (compared++ === 400) break;
    expect([text, differenceFromOracle(text)]).toEqual([text, undefined]);
    if (readWithTokenizer(new TextEncoder().encode(text)).error !== undefined) rejected++;
  }
  // Both verdicts must occur often.
  expect(rejected / compared).toBeGreaterThan(0.5);
  expect(rejected / compared).toBeLessThan(0.9);
});

describe("XmlTokenizer returns the same events for a document in chunks of any size", () => {
  test.each(SMALL_DOCUMENTS)("%j", (text) => {
    for (let bytes = 1; bytes <= text.length; bytes++) {
      expect([bytes, differenceInChunks(text, bytes)]).toEqual([bytes, undefined]);
    }
  });

  test("with mutations", () => {
    let compared = 0;
    for (const text of mutatedDocuments(7)) {
      if (compared++ === 1000) break;
      expect([text, differenceInChunks(text, 1 + (compared % 60))]).toEqual([text, undefined]);
    }
  });
});

describe("XmlTokenizer that skips layout", () => {
  test("returns the same tags and texts, and errors at the same places", () => {
    let compared = 0;
    for (const text of mutatedDocuments(11)) {
      if (compared++ === 500) break;
      expect([text, differenceWithoutLayout(text)]).toEqual([text, undefined]);
    }
    expect(readWithTokenizer(new TextEncoder().encode("<a> <b> x </b>\n\t</a>"), true).events).toEqual([
      '1:1 <a> ["a",""]',
      '1:5 <b> ["b",""]',
      '" x "',
      "</b>",
      "</a>",
    ]);
  });
});

/** The samples in UTF-8; the others are read as windows-1252. */
function sampleTexts(): (readonly [name: string, text: string])[] {
  return readdirSync(samples.path)
    .filter((name) => !name.endsWith(".md"))
    .map((name) => {
      const bytes = readFileSync(join(samples.path, name));
      return [name, new TextDecoder(isUtf8(bytes) ? "utf-8" : "windows-1252").decode(bytes)] as const;
    });
}
