/**
 * EDItEUR's schemas are the oracle: what `check` says about structure and values agrees with what xmllint says.
 * Known differences: the schema compares the references of all products of a message, it checks the XHTML of texts, and
 * its code lists are older (in list 251 it takes any value).
 */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedFile } from "../../lib/testing/requirements.ts";
import { RandomProducts } from "./testing/random-product.ts";
import { compareWithSchema, oracleIsMissing, sharedCodes, type Verdict } from "./testing/schema-oracle.ts";

const PRODUCTS = 250;
const SEED = 12;

const samples = sharedFile("onix/samples");

/** The reader does not build a record of the others, so it has no complaints of its own about them. */
function isRead({ product }: Verdict): boolean {
  return product.action !== "deletion" && product.action !== "test";
}

function describeDifference(verdict: Verdict, place: string): string {
  const complaints = verdict.complaints.map(({ kind, text }) => `${kind}: ${text}`);
  return `${place}:${verdict.product.line}\n ours: ${complaints.join("\n  ")}\n xsd: ${verdict.schemaErrors.join("\n  ")}`;
}

describe.skipIf(oracleIsMissing !== "")(`the schemas of EDItEUR${oracleIsMissing}`, () => {
  test("agree about every sample of a real sender", () => {
    const files = readdirSync(samples.path).filter((name) => /\.(xml|onx|onix)$/.test(name));
    const messages = files.map((file) => readFileSync(join(samples.path, file), "utf8"));
    const verdicts = compareWithSchema(messages).flatMap((products, index) =>
      (products ?? []).filter(isRead).map((verdict) => ({ verdict, file: files[index]! })),
    );
    const differences = verdicts.filter(
      ({ verdict }) =>
        !verdict.agrees &&
        !verdict.schemaErrors.every((text) => text.includes("RecordReference_must_be_unique")),
    );
    expect(verdicts.length).toBeGreaterThanOrEqual(100);
    expect(differences.map(({ verdict, file }) => describeDifference(verdict, file))).toEqual([]);
  });

  test.each(["3.0", "3.1"] as const)("agree about generated and changed products of ONIX %s", (release) => {
    const products = new RandomProducts(release, SEED, sharedCodes());
    const xml = Array.from({ length: PRODUCTS }, (_, index) => products.product(index, index % 4));
    const message = `<ONIXMessage release="${release}">
<Header><Sender><SenderName>Test</SenderName></Sender><SentDateTime>20240101</SentDateTime></Header>
${xml.join("\n")}</ONIXMessage>`;
    const verdicts = compareWithSchema([message])[0]!;
    const valid = verdicts.filter(({ schemaErrors }) => schemaErrors.length === 0).length;
    expect(verdicts.length).toBe(PRODUCTS);
    expect(valid).toBeGreaterThan(PRODUCTS / 4);
    expect(valid).toBeLessThan((PRODUCTS * 3) / 4);
    expect(verdicts.filter(({ agrees }) => !agrees).map((each) => describeDifference(each, release))).toEqual(
      [],
    );
  });
});
