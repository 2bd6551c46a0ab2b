import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sharedFile } from "../../lib/testing/shared-files.ts";
import type { ProductOptions } from "../../onix/testing/message.ts";
import { readSample } from "../../onix/testing/samples.ts";
import { readOne } from "../../onix/testing/scan-message.ts";
import { searchDocumentOfBody } from "../entry.ts";
import { filterTerm } from "./index-terms.ts";
import type { SearchDocument } from "./search-document.ts";

const { path: SAMPLES, missing: hasNoSamples } = sharedFile("onix/samples");

async function documentOf(options: ProductOptions): Promise<SearchDocument> {
  return searchDocumentOfBody((await readOne(options)).body);
}

function fromDetail(xml: string): Promise<SearchDocument> {
  return documentOf({ blocks: `<DescriptiveDetail>${xml}</DescriptiveDetail>` });
}

function titleXml(elements: string): string {
  return `<TitleDetail><TitleType>01</TitleType>${elements}</TitleDetail>`;
}

test("a title stands alone, with its subtitle, and without its prefix", async () => {
  const { title, titleKey } = await fromDetail(
    titleXml(
      "<TitleElement><TitleElementLevel>01</TitleElementLevel><TitlePrefix>The</TitlePrefix>" +
        "<TitleWithoutPrefix>Hobbit</TitleWithoutPrefix><Subtitle>Or There and Back</Subtitle></TitleElement>",
    ),
  );
  expect(title).toBe(
    "« the hobbit » « the hobbit or there and back » « hobbit » « hobbit or there and back »",
  );
  expect(titleKey).toBe("the hobbit");
});

test("all titles count as titles, and those of a collection do not", async () => {
  const element = (level: string, text: string) =>
    `<TitleElement><TitleElementLevel>${level}</TitleElementLevel><TitleText>${text}</TitleText></TitleElement>`;
  const collection = `<Collection><CollectionType>10</CollectionType>${titleXml(element("02", "Clásicos"))}</Collection>`;
  const { title, rest } = await fromDetail(
    collection + titleXml(element("01", "Uno") + element("02", "Serie")) + titleXml(element("01", "One")),
  );
  expect(title).toBe("« uno » « one »");
  expect(rest).toContain("clasicos");
  expect(rest).toContain("serie");
});

test("a name is there in reading order, inverted, and without its apostrophe", async () => {
  const { contributor } = await fromDetail(
    "<Contributor><ContributorRole>A01</ContributorRole><PersonName>Flann O’Brien</PersonName>" +
      "<PersonNameInverted>O’Brien, Flann</PersonNameInverted>" +
      "<AlternativeName><NameType>01</NameType><PersonName>Brian O’Nolan</PersonName></AlternativeName></Contributor>",
  );
  expect(contributor.split(" ¦ ")).toEqual([
    "flann o brien",
    "flann obrien",
    "o brien flann",
    "obrien flann",
    "brian o nolan",
    "brian onolan",
  ]);
});

test("a subject has a filter term for its code and all broader ones, with and without the scheme", async () => {
  const subject = (scheme: string, code: string) =>
    `<Subject><SubjectSchemeIdentifier>${scheme}</SubjectSchemeIdentifier><SubjectCode>${code}</SubjectCode></Subject>`;
  const { filter } = await fromDetail(
    subject("93", "FBC") + subject("10", "FIC027010") + subject("24", "Own code"),
  );
  const terms = filter.split(" ");
  const has = (code: string) => terms.includes(filterTerm("subject", code));
  expect(
    ["F", "FB", "FBC", "fbc", "93:FBC", "93:F", "FIC", "FIC027", "10:FIC027010", "own code"].map(has),
  ).toEqual(Array(10).fill(true));
  expect(["FBCA", "10:FBC", "FI", "Own", "B"].map(has)).toEqual(Array(5).fill(false));
});

test("codes, the imprint and the languages are filter terms and facets", async () => {
  const document = await documentOf({ imprint: "Alianza Editorial", languages: ["spa", "cat"] });
  expect(document.imprint).toBe("alianza-editorial");
  expect(document.languages).toEqual(["spa", "cat"]);
  const terms = document.filter.split(" ");
  expect(terms).toContain(filterTerm("imprint", "alianza-editorial"));
  expect(terms).toContain(filterTerm("language", "CAT"));
  expect(document.rest).toContain("alianza editorial");
});

test("a description is searched up to its 2,000th word", async () => {
  const words = Array.from({ length: 3000 }, (_, index) => `w${index}`).join(" ");
  const { description } = await documentOf({ text: `<Text>${words}</Text>` });
  expect(description.split(" ").at(-1)).toBe("w1999");
});

test.skipIf(hasNoSamples)(
  "every sample has a document of bounded size, without characters of query syntax (skipped without ../shared)",
  async () => {
    let documents = 0;
    for (const name of readdirSync(SAMPLES)) {
      if (!name.endsWith(".xml")) continue;
      const sample = await readSample(join(SAMPLES, name));
      for (const { body, action } of sample?.scanned.products ?? []) {
        if (action !== "record") continue;
        const { title, contributor, rest, description, filter } = searchDocumentOfBody(body);
        for (const text of [title, contributor, rest, description]) {
          expect(text).toMatch(/^(?:[\p{L}\p{N}«»¦]+(?: |$))*$/u);
          expect(text.length).toBeLessThan(200_000);
        }
        expect(filter).toMatch(/^(?:·[a-z][57]?·[\p{L}\p{N}·]+(?: |$))*$/u);
        documents++;
      }
    }
    expect(documents).toBeGreaterThan(100);
  },
);
