import { expect } from "bun:test";
import fc from "fast-check";
import { searchDocumentOfEntry } from "../../../catalog/entry.ts";
import { queryText, type SearchQuery } from "../../../catalog/search/query.ts";
import { parseQuery } from "../../../catalog/search/query-parser.ts";
import { correct } from "../../../catalog/spelling/correction.ts";
import { NewWords } from "../../../catalog/spelling/new-words.ts";
import type { Question, ReadWords } from "../../../catalog/spelling/questions.ts";
import { WordList } from "../../../catalog/spelling/word-list.ts";
import type { Entry, Store } from "../../../catalog/store.ts";
import { searchModel } from "../../../catalog/testing/search-model.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { importBooks, isbn } from "../../testing/books.ts";
import { type DatabaseEngine, storeTests } from "../../testing/engines.ts";
import { searchBook } from "../../testing/search-books.ts";

const BOOKS: readonly Entry[] = [
  searchBook(1, { title: "Romancero gitano", contributors: ["Federico García Lorca"], imprint: "Cátedra" }),
  searchBook(2, {
    title: "Bodas de sangre",
    contributors: ["García Lorca, Federico"],
    series: "Letras hispánicas",
  }),
  searchBook(3, { title: "La roca de Borca", contributors: ["Ana García"], description: "una palabrota" }),
  searchBook(4, { title: "Chroniques de Faeria", contributors: ["John Ronald Reuel Tolkien"] }),
  searchBook(5, { title: "Война и мир" }),
  searchBook(7, { title: "La luz de las emperatrices" }),
];

async function corrected(store: Store, q: string, isTyping = false): Promise<string | undefined> {
  const { query, revision } = await store.correct(parseQuery(q, isTyping));
  expect(revision).toBe(await store.revision());
  return query && queryText(query);
}

export function correctionContract(engine: DatabaseEngine, numRuns: number): void {
  const testWithBooks = storeTests(engine, (store) => importBooks(store, BOOKS));

  testWithBooks("corrects words that no book has, by distance, books and code points", async ({ store }) => {
    for (const [q, expected] of [
      ["garcia lroca", "garcia lorca"],
      ["garica lroca", "garcia lorca"],
      ["chronique faeria", "chroniques faeria"],
      ["chronqiue faerai", "chroniques faeria"],
      ["chorniqeus", "chroniques"],
      ["xederico", "federico"],
      // Two edits, because the other word has eight letters or more.
      ["romncro", "romancero"],
      ["gitnao romncro", "gitano romancero"],
      ["girno", undefined],
      ["roka", "roca"],
      ["catdera", "catedra"],
      ["hispaincas", "hispanicas"],
      ['"bodas de sange"', '"bodas de sangre"'],
      ["sangre -gitnao bodsa", "sangre bodas -gitnao"],
      ["вайна", "воина"],
      // The catalog has the word in a description only.
      ["palabrotas", undefined],
      // Three letters become four, but no other three.
      ["rca", "roca"],
      ["mri", undefined],
      ["garcia lorca", undefined],
      ["lorca 9780000000003", "borca 9780000000003"],
    ] as const)
      expect([q, await corrected(store, q)]).toEqual([q, expected]);
  });

  testWithBooks("leaves a query with more than 10 words or 120 characters as it is", async ({ store }) => {
    expect(await corrected(store, `${"garcia ".repeat(9)}lroca`)).toBe(`${"garcia ".repeat(9)}lorca`);
    expect(await corrected(store, `${"garcia ".repeat(10)}lroca`)).toBeUndefined();
    expect(await corrected(store, `${"a".repeat(60)} ${"b".repeat(60)}`)).toBeUndefined();
  });

  testWithBooks("corrects a word that other books have, when none has all", async ({ store }) => {
    expect(await corrected(store, "federico borca")).toBe("federico lorca");
    expect(await corrected(store, "gitano borca")).toBe("gitano lorca");
  });

  testWithBooks("corrects spaces, articles, plurals, beginnings and parts of ISBNs", async ({ store }) => {
    for (const [q, expected] of [
      ["bodasdesangre", "bodas de sangre"],
      ["romancero git ano", "romancero gitano"],
      ["romancero-gita-no", '"romancero gitano"'],
      ["gita-no", "gitano"],
      ["el romancero gitano", "romancero gitano"],
      ["l'romancero", "romancero"],
      ["la romancreo", "romancero"],
      ["rocaes borca", "roca borca"],
      ["luces emperatriz", "luz emperatrices"],
      ["chroni faer", "chroni* faer*"],
      ["978000000000", "978000000000*"],
      ["978 0000 00000", "978000000000*"],
      ["0000000002", "9780000000002"],
      ["ISBN: 978-0000-00", "978000000*"],
      ["ISBN-13 978000000", "978000000*"],
      ["EAN13: 978-0000-00", "978000000*"],
      ["luz & las emperatrices y roca", undefined],
      ["luz y las emperatrices", "luz emperatrices"],
      ["romancero gitano by federico garcia lorca", "romancero gitano federico garcia lorca"],
      ["romancero gitano ebook", "romancero gitano"],
      ["romancero gitnao ebook", "romancero gitano"],
      ["the romancreo gitnao kindle edition", "romancero gitano"],
      ["garcia lorca’s romancero", "garcia lorca romancero"],
      ["the lorca's", "lorca"],
      ["the romancero book", "romancero"],
      ["ebook", undefined],
      ["bodas de s", "bodas de"],
      ["the romancero x", "romancero"],
      ["bodas x.", undefined],
      // The letters for marks, however many.
      ["roecae borca", "roca borca"],
    ] as const)
      expect([q, await corrected(store, q)]).toEqual([q, expected]);
  });

  testWithBooks("leaves out numbers that no book with the other words has", async ({ store }) => {
    for (const [q, expected] of [
      ["letras hispanicas 2", "letras hispanicas"],
      ["letras hispanicas, libro 2", "letras hispanicas"],
      ["letras hispanicas nº 2", "letras hispanicas"],
      ["letras hispanicas t. 2", "letras hispanicas"],
      ["letras hispanicas (2)", "letras hispanicas"],
      ["letras hispanicas vol. 2", "letras hispanicas"],
      ["las letras hispanicas 2", "letras hispanicas"],
      ["letras hispaincas 2", "letras hispanicas"],
      ["1928 romancero", "romancero"],
      ["lorca no", undefined],
      ["lorca 12345", undefined],
      ["12 34", undefined],
    ] as const)
      expect([q, await corrected(store, q)]).toEqual([q, expected]);
    expect(await corrected(store, "letras hispanicas 22", true)).toBe("letras hispanicas");
  });

  const test = storeTests(engine);
  test("a volume is found by its number, with and without a word for it", async ({ store }) => {
    const volumes = ["3", "Tom 04"].map((volume, index) =>
      searchBook(index + 1, { title: "Uno", series: "Thorgal", volume }),
    );
    await importBooks(store, volumes);
    for (const [q, expected] of [
      ["thorgal 3", undefined],
      ["thorgal tom 04", undefined],
      ["thorgal 4", undefined],
      ["thorgal tom 3", "thorgal 3"],
      ["the thorgal book 3", "thorgal 3"],
      ["thorgal t. 4", "thorgal 4"],
      ["thorgal tom 5", "thorgal"],
      ["thorgal t.3", "thorgal 3"],
      ["thorgal n°3", "thorgal 3"],
      ["thorgal T3", "thorgal 3"],
      ["thorgal vol03", "thorgal 3"],
      ["thorgal 003", "thorgal 3"],
      ["thorgal t5", "thorgal"],
      ["thorgal book iii", "thorgal 3"],
      ["thorgla book 3", "thorgal 3"],
      ["t3", undefined],
    ] as const)
      expect([q, await corrected(store, q)]).toEqual([q, expected]);
  });

  test("a number is that of a volume before it is a Roman numeral, and a Roman numeral before initials", async ({
    store,
  }) => {
    await importBooks(store, [
      searchBook(1, { title: "Uno", series: "Episodios", volume: "7" }),
      searchBook(2, { title: "Dos", series: "Episodios", description: "no fernando vii" }),
      searchBook(3, { title: "Tres", series: "Episodios", volume: "3" }),
      searchBook(4, { title: "Cuatro", series: "Episodios", contributors: ["Inés Iborra Ibáñez"] }),
      searchBook(5, { title: "Carlos IV", series: "Episodios", volume: "2" }),
    ]);
    for (const [q, expected] of [
      ["episodios no 7", "episodios 7"],
      ["episodios iii", "episodios 3"],
      ["uno vii", "uno 7"],
      ["carlos 4", "carlos iv"],
      ["carlos iv ii", "carlos iv 2"],
      ["carlos 4 2", "carlos iv 2"],
    ] as const)
      expect([q, await corrected(store, q)]).toEqual([q, expected]);
  });

  test("an ISBN with a wrong digit becomes that of the only book it can be", async ({ store }) => {
    const books = [8437604947, 8437604954, 8420674209, 8416495061].map(isbn);
    const italian = "9791299876544" as Isbn13;
    await importBooks(
      store,
      [...books, italian].map((each) => searchBook(each, { title: "Uno" })),
    );
    for (const [q, expected] of [
      ["9788420674208", "9788420674209"],
      ["978-84-2067-429-0", "9788420674209"],
      ["978 84 2061 420 9", "9788420674209"],
      ["8420674203", "9788420674209"],
      ["9788437604934", "9788437604954"],
      // Both others differ in one digit.
      ["9788437604944", undefined],
      ["9788420674216", undefined],
      // Exchanged neighbours that differ by 5 keep the check digit right.
      ["9788414695061", "9788416495061"],
      ["9788461495061", "9788416495061"],
      ["9791299876534", italian],
      ["979-12-9987-645-4", italian],
      ["9790299876544", italian],
      ["9781299876544", italian],
      // A digit too many, or one that is missing.
      ["97884206742209", "9788420674209"],
      ["978842067420", "978842067420*"],
      ["978842674209", "9788420674209"],
      ["ISBN 978842674209", "9788420674209"],
      ["97812998765444", undefined],
      ["84206742206", "9788420674209"],
      ["842674206", "9788420674209"],
      // A valid ISBN-10 has no mistake.
      ["8437604966", undefined],
    ] as const)
      expect([q, await corrected(store, q)]).toEqual([q, expected]);
  });

  test("an ISBN-10 that no book has becomes the first or the last ten digits of an ISBN-13", async ({
    store,
  }) => {
    const books = ["9788437605425", "9791299876056"] as Isbn13[];
    await importBooks(
      store,
      books.map((each) => searchBook(each, { title: "Uno" })),
    );
    for (const [q, expected] of [
      ["9788437605", "9788437605*"],
      ["978-84-376-0-5", "9788437605*"],
      ["1299876056", "9791299876056"],
      ["9788437613", undefined],
    ] as const)
      expect([q, await corrected(store, q)]).toEqual([q, expected]);
    expect(await corrected(store, "9788437605", true)).toBe("9788437605*");
  });

  test("an unfinished word becomes the beginning of others before near words and initials", async ({
    store,
  }) => {
    const books = [
      searchBook(1, { title: "Treasure Island" }),
      searchBook(2, {
        title: "The Lost Treasure",
        contributors: ["Inés Sanz Luna"],
        description: "Ce qui se perd",
      }),
      searchBook(3, { title: "Illusions perdues" }),
      searchBook(4, { title: "Othello", description: "illus" }),
    ];
    await importBooks(store, books);
    for (const [q, expected] of [
      ["othe", "othe*"],
      ["treasure isl", "treasure isl*"],
      // Books have these words, but no book has both.
      ["illusions perd", "illusions perd*"],
      ["illus perd", "illus* perd*"],
      ["illusoins perd", undefined],
    ] as const)
      expect([q, await corrected(store, q)]).toEqual([q, expected]);
  });

  test("a number beside a word for what is sold is a title, and a word of five letters that books have is no initials", async ({
    store,
  }) => {
    await importBooks(store, [
      searchBook(1, { title: "1984", contributors: ["George Orwell"] }),
      searchBook(2, { title: "The Jungle Book" }),
      searchBook(3, { title: "Un dia", contributors: ["Pedro Luis Alba Campos Arce"] }),
      searchBook(4, { title: "La placa del diamante" }),
    ]);
    for (const [q, expected] of [
      ["1984 book", "1984"],
      ["the 1984 ebook", "1984"],
      ["placa dia", "placa dia*"],
    ] as const)
      expect([q, await corrected(store, q)]).toEqual([q, expected]);
  });

  testWithBooks("takes letters for initials", async ({ store }) => {
    expect(await corrected(store, "jrr tolkien")).toBe("j.r.r. tolkien");
    expect(await corrected(store, "f lorca")).toBe("f. lorca");
    expect(await corrected(store, "f lroca")).toBe("f. lorca");
    expect(await corrected(store, "f.lorca gitano")).toBe("f. lorca gitano");
    expect(await corrected(store, "J.R.R.Tolkien")).toBe("j.r.r. tolkien");
    expect(await corrected(store, "jrrt tolkien")).toBe("j.r.r.t. tolkien");
    expect(await corrected(store, "xyz tolkien")).toBeUndefined();
  });

  testWithBooks("a word that is being typed keeps its beginning", async ({ store }) => {
    expect(await corrected(store, "gracia lor", true)).toBe("garcia lor");
    expect(await corrected(store, "garcia lroca", true)).toBe("garcia lorca");
    expect(await corrected(store, "bodas chorni", true)).toBeUndefined();
    expect(await corrected(store, "chorni", true)).toBe("chroniques");
    expect(await corrected(store, "romancerogit", true)).toBeUndefined();
  });

  testWithBooks("knows the words of later imports, and none that no book has any more", async ({ store }) => {
    expect(await corrected(store, "epistlker")).toBeUndefined();
    await importBooks(store, [searchBook(6, { title: "Epistolker" })], [isbn(4)]);
    expect(await corrected(store, "epistlker")).toBe("epistolker");
    expect(await corrected(store, "chronique")).toBeUndefined();
  });

  test("every correction is that of the model, whatever the catalog had before", async ({ store }) => {
    const word = fc.constantFrom(..."solar solas solaz lunar marina marinera marineros f fred".split(" "));
    const typo = fc.constantFrom(
      "solat",
      "sloar",
      "luanr",
      "marinea",
      "marinreos",
      "f",
      "xolar",
      "solar",
      "marina",
      "mr",
      "mar ina",
      "lunarsolaz",
      "la",
      "marin",
    );
    const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
    const book = fc.record({
      title: text,
      contributors: fc.array(text, { maxLength: 1 }),
      imprint: text,
      description: text,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(book, { maxLength: 5 }),
        fc.array(fc.array(typo, { minLength: 1, maxLength: 3 }), { minLength: 5, maxLength: 5 }),
        async (books, queries) => {
          const entries = books.map((fields, index) => searchBook(index + 1, fields));
          await importBooks(store, entries, [1, 2, 3, 4, 5].slice(books.length).map(isbn));
          for (const words of queries) {
            const query = parseQuery(words.join(" "));
            expect((await store.correct(query)).query).toEqual(correctionModel(entries, query));
          }
        },
      ),
      { numRuns },
    );
  });
}

function correctionModel(entries: readonly Entry[], query: SearchQuery): SearchQuery | undefined {
  const asking = correct(query, new WordList());
  for (let step = asking.next(); ; ) {
    if (step.done) return step.value;
    step = asking.next(answer(entries, step.value));
  }
}

function answer(entries: readonly Entry[], question: Question): readonly number[] | ReadWords | undefined {
  if (question.kind === "pause") return undefined;
  if (question.kind === "count")
    return question.queries.map((query) => {
      const { keys } = searchModel(entries, { query, filters: {}, sort: "newest", limit: question.limit });
      return keys.length;
    });
  const collected = new NewWords();
  for (const entry of entries) collected.add(searchDocumentOfEntry(entry));
  const { start } = question;
  const words = collected.take().filter((word) => "after" in start && word > start.after);
  return { words: words.toSorted().join(" "), lastId: 1, maxId: 1, maxWord: "" };
}
