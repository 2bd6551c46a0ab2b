import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { sharedFile } from "../../lib/testing/requirements.ts";
import type { BookFields } from "../../onix/fields/book-fields.ts";
import type { RecordFields } from "../../onix/record/record-fields.ts";
import { summarize } from "../../onix/summary/summary.ts";
import type { ProductOptions } from "../../onix/testing/message.ts";
import { readSample } from "../../onix/testing/samples.ts";
import { readOne } from "../../onix/testing/scan-message.ts";
import { searchDocumentOfBody } from "../entry.ts";
import { DocumentBuilder, searchDocumentOf } from "./document-builder.ts";
import {
  filterTerm,
  MAX_BEGINNING_WORDS,
  NAME_INITIAL,
  NAME_WORD,
  subjectTerms,
  TEXT_BREAK,
  TITLE_END,
  TITLE_START,
  TITLE_WORD,
  titleBeginningTerm,
  wholeTitleTerm,
} from "./index-terms.ts";
import { documentOf, type SearchDocument } from "./search-document.ts";
import { wordsOfAnyScript } from "./tokens.ts";

const { path: SAMPLES, missing: hasNoSamples } = sharedFile("onix/samples");

async function documentOfProduct(options: ProductOptions): Promise<SearchDocument> {
  return searchDocumentOfBody((await readOne(options)).body);
}

function fromDetail(xml: string): Promise<SearchDocument> {
  return documentOfProduct({ blocks: `<DescriptiveDetail>${xml}</DescriptiveDetail>` });
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

test("a volume is found by its number, in the collection and in its own title", async () => {
  const element = (level: string, number: string) =>
    titleXml(
      `<TitleElement><TitleElementLevel>${level}</TitleElementLevel><PartNumber>${number}</PartNumber><TitleText>Naruto</TitleText></TitleElement>`,
    );
  const inCollection = (own: string) =>
    `<Collection><CollectionType>10</CollectionType>${element("02", "Band 41")}</Collection>${element("01", own)}`;
  const { rest } = await fromDetail(inCollection("7"));
  expect(rest.split(" ¦ ").slice(-2)).toEqual(["7", "band 41"]);
  expect((await fromDetail(inCollection("Band 41"))).rest.split(" ¦ ").slice(-2)).toEqual([
    "naruto",
    "band 41",
  ]);
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
  const document = await documentOfProduct({ imprint: "Alianza Editorial", languages: ["spa", "cat"] });
  expect(document.imprint).toBe("alianza-editorial");
  expect(document.languages).toEqual(["spa", "cat"]);
  const terms = document.filter.split(" ");
  expect(terms).toContain(filterTerm("imprint", "alianza-editorial"));
  expect(terms).toContain(filterTerm("language", "CAT"));
  expect(document.rest).toContain("alianza editorial");
});

test("a description is searched up to its 2,000th word", async () => {
  const words = Array.from({ length: 3000 }, (_, index) => `w${index}`).join(" ");
  const { description } = await documentOfProduct({ text: `<Text>${words}</Text>` });
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

interface Book {
  readonly titles: readonly string[];
  readonly names: readonly string[];
  readonly headings: readonly string[];
  readonly codes: readonly string[];
  readonly description: string;
}

const ISBN = "9788437604947";
const SCHEME = "93";

/** Words that repeat, so that equal texts and terms are frequent, and characters that the tables do not have. */
const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(..."sol Sól mar luz O’Brien « ·t·sol œuvre straße 日本 ﬁn İ ½".split(" ")),
      fc.string({ unit: "grapheme", maxLength: 4 }),
      fc.constant("a".repeat(70)),
    ),
    { maxLength: 5 },
  )
  .map((each) => each.join(" "));
const book: fc.Arbitrary<Book> = fc.record({
  titles: fc.array(words, { maxLength: 4 }),
  names: fc.array(words, { maxLength: 4 }),
  headings: fc.oneof(fc.array(words, { maxLength: 6 }), manyTexts()),
  codes: fc.array(fc.constantFrom("FBC", "FB", "FBCX", "Own code", "É-1"), { maxLength: 4 }),
  description: words,
});

/** More words than are indexed of one field. */
function manyTexts(): fc.Arbitrary<string[]> {
  const text = (_: unknown, index: number) => `w${index % 700} x${index % 650} y`;
  return fc.integer({ min: 600, max: 720 }).map((length) => Array.from({ length }, text));
}

function recordOf({ titles, names, headings, codes, description }: Book): RecordFields {
  return {
    RecordReference: ISBN,
    DescriptiveDetail: {
      TitleDetail: titles.map((TitleText) => ({
        TitleType: "01",
        TitleElement: { TitleElementLevel: "01", TitleText },
      })),
      Contributor: names.map((PersonName) => ({ ContributorRole: "A01", PersonName })),
      Subject: [
        ...headings.map((text) => ({ SubjectSchemeIdentifier: "20", SubjectHeadingText: [text] })),
        ...codes.map((SubjectCode) => ({ SubjectSchemeIdentifier: SCHEME, SubjectCode })),
      ],
    },
    CollateralDetail: { TextContent: [{ TextType: "03", ContentAudience: "00", Text: description }] },
  };
}

function summaryOf(record: RecordFields) {
  const index = { imprint: undefined, languages: [], publishingDay: undefined, marketDay: undefined };
  return summarize(record as BookFields, index, undefined);
}

const wordText = (text: string) => wordsOfAnyScript(text).join(" ");
const distinct = (texts: readonly string[]) => [
  ...new Set(texts.map(wordText).filter((text) => text !== "")),
];
const cut = (text: string) => text.split(" ", 2000).join(" ");

/** The rules in strings and sets. */
function expectedTexts({ titles, names, headings, codes, description }: Book) {
  const whole = distinct(titles);
  const title = cut(whole.map((text) => `${TITLE_START} ${text} ${TITLE_END}`).join(" "));
  const withoutApostrophes = names.flatMap((name) => [name, name.replace(/['’ʼ`´]/g, "")]);
  const contributor = cut(distinct(withoutApostrophes).join(` ${TEXT_BREAK} `));
  const rest = cut(distinct([...headings, ...codes]).join(` ${TEXT_BREAK} `));
  const marks = new Set<string>();
  for (const text of whole) {
    const each = text.split(" ");
    for (const word of each) marks.add(TITLE_WORD + word);
    for (let length = 1; length <= Math.min(each.length, MAX_BEGINNING_WORDS); length++)
      marks.add(titleBeginningTerm(each.slice(0, length)));
    marks.add(wholeTitleTerm(text));
  }
  for (const word of contributor.split(" "))
    if (word !== "" && word !== TEXT_BREAK) marks.add(NAME_WORD + word).add(NAME_INITIAL + [...word][0]);
  return { title, contributor, rest, description: wordText(description), marks };
}

test("a document has the words, terms and marks that the rules in strings and sets give", () => {
  fc.assert(
    fc.property(book, (each) => {
      const record = recordOf(each);
      const summary = summaryOf(record);
      const document = searchDocumentOf(record as BookFields, summary);
      const { marks, ...texts } = expectedTexts(each);
      const { title, contributor, rest, description } = document;
      expect({ title, contributor, rest, description }).toEqual(texts);
      expect(document.marks.split(" ").filter(Boolean).toSorted()).toEqual([...marks].toSorted());
      const subjects = each.codes.flatMap((code) => subjectTerms(SCHEME, code));
      const beginnings = [5, 7].map((length) => `·n${length}·${ISBN.slice(0, length)}`);
      const names = summary.contributors.flatMap(({ name }) =>
        name === null ? [] : filterTerm("contributor", name),
      );
      expect(document.filter.split(" ").slice(1)).toEqual([
        ...new Set([...names, ...beginnings, ...subjects]),
      ]);
      const key = summary.title === null ? "" : wordText(summary.title);
      expect(document.titleKey).toBe([...key].slice(0, 80).join("") || "\u{10fffd}");
    }),
    { numRuns: 300 },
  );
});

test("a builder returns the documents that books have alone, in their order, and none for others", () => {
  const alone = (each: Book) => searchDocumentOf(recordOf(each) as BookFields, summaryOf(recordOf(each)));
  const bytesOf = (document: SearchDocument | undefined) =>
    document && Buffer.from(document.bytesOf("description", "facts")).toString();
  fc.assert(
    fc.property(fc.array(fc.option(book, { nil: undefined }), { maxLength: 5 }), (books) => {
      const builder = new DocumentBuilder();
      for (const each of books) {
        if (each) builder.add(recordOf(each) as BookFields, summaryOf(recordOf(each)));
        else builder.addNone();
      }
      const taken = builder.take();
      const documents = books.map((_, index) => documentOf(taken, index));
      expect(documents.map(bytesOf)).toEqual(books.map((each) => each && bytesOf(alone(each))));
      expect(documents.map((document) => document?.digest)).toEqual(
        books.map((each) => each && alone(each).digest),
      );
    }),
    { numRuns: 50 },
  );
});
