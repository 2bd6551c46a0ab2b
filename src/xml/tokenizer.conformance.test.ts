/** The tokenizer on the W3C XML conformance suite, beside saxes and beside the verdicts of the suite. */
import { expect, test } from "bun:test";
import { differenceFromOracle } from "./testing/compare-readings.ts";
import { conformanceDocuments } from "./testing/conformance-suite.ts";
import { readWithTokenizer } from "./testing/tokenizer-reading.ts";

/** Documents of which the tokenizer has another verdict than the suite. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "rmt-e2e-50": "It is XML 1.1, and U+0085 is whitespace there.",
  "rmt-e2e-61": "It is declared as UTF-16, but is UTF-8. The decoder warns.",
  "hst-lhs-007": "It has the byte order mark of UTF-8, but is declared as ISO-8859-1. The decoder warns.",
  "hst-lhs-008": "It has the byte order mark of UTF-16, but is declared as UTF-8. The decoder warns.",
};

const { documents, undecodable } = conformanceDocuments();

/** Documents whose entities would have to be looked up, in default values of attributes or by expansion. */
const ENTITY_EXCEPTIONS = [
  "not-wf-sa-078",
  "not-wf-sa-079",
  "not-wf-sa-080",
  "not-wf-sa-082",
  "not-wf-sa-084",
  "not-wf-sa-180",
  "not-wf-not-sa-002",
  "ibm-not-wf-P68-ibm68n07.xml",
  "rmt-e3e-12",
  "rmt-ns10-011",
];

test("the suite has 2,560 documents that can be decoded; without other files, 1,795 of them can be judged", () => {
  expect([documents.length, undecodable]).toEqual([2560, 25]);
  const reasons = Map.groupBy(documents, ({ notJudged }) => notJudged ?? "judged");
  expect(Object.fromEntries([...reasons].map(([reason, list]) => [reason, list.length]))).toEqual({
    judged: 1795,
    "the error may be in another file": 74,
    "it tests an earlier edition of XML 1.0": 309,
    "it tests XML 1.1 or its namespaces": 258,
    "it uses an entity of its DTD": 82,
    "the suite leaves the verdict to the reader": 33,
    "it tests a reader without namespaces": 9,
  });
});

test("XmlTokenizer has the verdict of the suite on each document that can be judged, but for the exceptions", () => {
  const wrong = documents
    .filter(({ notJudged }) => notJudged === undefined)
    .filter(({ text, isWellFormed }) => isAccepted(text) !== isWellFormed)
    .map(({ id }) => id);
  expect(wrong.sort()).toEqual([...Object.keys(EXCEPTIONS), ...ENTITY_EXCEPTIONS].sort());
});

test("XmlTokenizer returns the same events as saxes, and errors at the same places, for each document", () => {
  const differences = documents.flatMap(({ id, text }) => {
    const difference = differenceFromOracle(text);
    return difference === undefined ? [] : [`${id}: ${difference}`];
  });
  expect(differences).toEqual([]);
});

function isAccepted(text: string): boolean {
  return readWithTokenizer(new TextEncoder().encode(text)).error === undefined;
}
