import { expect, test } from "bun:test";
import fc from "fast-check";
import type { BookFields } from "../../onix/fields/book-fields.ts";
import type { RecordFields } from "../../onix/record/record-fields.ts";
import { summarize } from "../../onix/summary/summary.ts";
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
      fc.constantFrom(
        "sol",
        "Sól",
        "mar",
        "luz",
        "O’Brien",
        "«",
        "·t·sol",
        "œuvre",
        "straße",
        "日本",
        "ﬁn",
        "İ",
        "½",
      ),
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
