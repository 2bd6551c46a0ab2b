/** Queries with mistakes find the books that are meant: over the bundled sample, and over real feeds. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { summaryOfEntry } from "../../catalog/entry.ts";
import type { Entry, Store } from "../../catalog/store.ts";
import { createEntry } from "../../catalog/testing/entries.ts";
import { importFeeds } from "../../catalog/testing/import-feeds.ts";
import { sharedFile } from "../../lib/testing/requirements.ts";
import { type Isbn13, isBookIsbn } from "../../onix/isbn.ts";
import { type BookRecord, recordId } from "../../onix/record/record-fields.ts";
import type { Summary } from "../../onix/summary/summary.ts";
import { readSample } from "../../onix/testing/samples.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { SQLITE } from "../../stores/testing/engines.ts";
import { createTestApi, type TestApi } from "../testing/api.ts";
import { queriesOf, type TypedQuery } from "./testing/query-set.ts";

const { path: SAMPLES, missing: hasNoSamples } = sharedFile("onix/samples");
const BUNDLED = join(import.meta.dir, "../../../sample/catalog.xml");
const MIN_FOUND = 0.95;
const PLACE = 10;

/** Titles of real feeds, as people would type them. */
const TYPED_BY_HAND: readonly (readonly [q: string, title: string])[] = [
  ["du cote de chez swan", "Du côté de chez Swann"],
  ["prosut swann", "Du côté de chez Swann"],
  ["letranger", "L'Étranger"],
  ["camus etrangr", "L'Étranger"],
  ["a. camus", "L'Étranger"],
  ["certaines navaient jamais", "Certaines n'avaient jamais vu la mer"],
  ["sharpes command", "Sharpe's Command"],
  ["bernard cornwel", "Sharpe's Command"],
  ["sharpe comand", "Sharpe's Command"],
  ["beverley hills spy", "Beverly Hills Spy"],
  ["hills beverly drabkin", "Beverly Hills Spy"],
  ["roseana sjowall", "Roseanna"],
  ["m. sjowall", "Roseanna"],
  ["martin bekc", "Roseanna"],
  ["human rihgts commonwealth", "Human Rights, Sexual Orientation and Gender Identity in The Commonwealth"],
  ["asian yearbok international law", "Asian Yearbook of International Law, Volume 6 (1996)"],
  ["jjg syatauw", "Asian Yearbook of International Law, Volume 6 (1996)"],
  ["J.J.G. Syatauw", "Asian Yearbook of International Law, Volume 6 (1996)"],
  ["kwiaty dla algernon", "Kwiaty dla Algernona"],
  ["keyes algernona", "Kwiaty dla Algernona"],
  ["aproche de dieu silence", "L'approche de Dieu par le silence de solitude"],
  ["den 5 bolgen", "Den 5. bølgen"],
  ["rick yancy", "Den 5. bølgen"],
  ["zima zapomnianm schronisku", "Zima w zapomnianym schronisku"],
  ["furmaniak zima", "Zima w zapomnianym schronisku"],
  ["inovacja tradycja", "Innowacja i tradycja"],
  ["book of texsa", "The Book of Texas"],
  ["j lomax", "The Book of Texas"],
  ["sjoewall roseanna", "Roseanna"],
  ["per wahlöö", "Roseanna"],
  ["den 5. boelgen", "Den 5. bølgen"],
  ["sjogren-erichsen", "Den 5. bølgen"],
  ["identitätsbildung partizipation", "Identitaetsbildung und Partizipation im 19. und 20. Jahrhundert"],
  ["statekmiecz", "Statek-Miecz"],
  ["l etranger camus", "L'Étranger"],
  ["pucio puzle", "Pucio. Puzzle: Co tu pasuje?"],
  ["double agent pearl harbor", "Beverly Hills Spy"],
  ["asian yearbook vol. VI", "Asian Yearbook of International Law, Volume 6 (1996)"],
  ["asian yearbook vol 6", "Asian Yearbook of International Law, Volume 6 (1996)"],
  ["horor show", "Horror show"],
  ["gemestedder webb", "Gemmesteder"],
];

interface NamedBook extends Pick<Summary, "isbn" | "title" | "contributors"> {}

function summaryOf(entry: Entry): NamedBook {
  return JSON.parse(new TextDecoder().decode(summaryOfEntry(entry).body));
}

/** Returns one book for each title of the samples. Placeholders are left out, and missing or repeated ISBNs are invented. */
async function realBooks(): Promise<readonly Entry[]> {
  const byTitle = new Map<string, Entry>();
  const isbns = new Set<string>();
  for (const name of readdirSync(SAMPLES).filter((each) => /\.(xml|onx|onix)$/.test(each))) {
    const sample = await readSample(join(SAMPLES, name));
    for (const { body, action } of sample?.scanned.products ?? []) {
      if (action !== "record") continue;
      const record: BookRecord = JSON.parse(new TextDecoder().decode(body));
      const invented = `979${String(1_000_000_000 + 7919 * byTitle.size)}` as Isbn13;
      const own = record.RecordReference as Isbn13;
      const isbn = isBookIsbn(own) && !isbns.has(own) ? own : invented;
      const entry = createEntry({ ...record, _id: recordId(isbn), RecordReference: isbn }, isbn, {
        release: "3.0",
      });
      const { title } = summaryOf(entry);
      if (title === null || byTitle.has(title) || /x{4}|test|example|the title|html/i.test(title)) continue;
      isbns.add(isbn);
      byTitle.set(title, entry);
    }
  }
  return [...byTitle.values()];
}

async function expectFound(api: TestApi, queries: readonly TypedQuery[]): Promise<void> {
  const lost: string[] = [];
  for (const { kind, q, isbn, isTyping } of queries) {
    const path = `/api/search?q=${encodeURIComponent(q)}&limit=${PLACE}${isTyping ? "&prefix=last" : ""}`;
    const { status, json } = await api.get(path);
    expect([path, status]).toEqual([path, 200]);
    if (!json.some((summary: NamedBook) => summary.isbn === isbn)) lost.push(`${kind}: ${q} (${isbn})`);
  }
  for (const [kind, all] of Map.groupBy(queries, (query) => query.kind)) {
    const missing = lost.filter((each) => each.startsWith(`${kind}:`));
    const isEnough = missing.length <= all.length * (1 - MIN_FOUND);
    expect({ kind, isEnough, lost: isEnough ? [] : missing }).toEqual({ kind, isEnough: true, lost: [] });
  }
}

async function apiWith(content: (store: Store) => Promise<unknown>): Promise<TestApi & AsyncDisposable> {
  const api = await createTestApi(SQLITE, { books: false });
  await content(api.store);
  return api;
}

const importBundled = (store: Store) => importFeeds(store, readFileSync(BUNDLED, "utf8"));

test("95 % of each kind of query with a mistake find their book in the bundled sample", async () => {
  await using api = await apiWith(importBundled);
  const { json } = await api.get("/api/search?limit=1000");
  const books: readonly NamedBook[] = json;
  const queries = books.filter((_, index) => index % 7 === 0).flatMap(queriesOf);
  expect(queries.length).toBeGreaterThan(200);
  await expectFound(api, queries);
});

test.skipIf(hasNoSamples)(
  "95 % of each kind of query with a mistake find their book in real feeds (skipped without ../shared)",
  async () => {
    const entries = await realBooks();
    const books = entries.map(summaryOf);
    await using api = await apiWith(async (store) => {
      await importBundled(store);
      await importBooks(store, entries);
    });
    const byHand = TYPED_BY_HAND.map(([q, title]) => {
      return { kind: "by hand", q, isbn: books.find((book) => book.title === title)!.isbn };
    });
    const queries = [...books.flatMap(queriesOf), ...byHand];
    expect(queries.length).toBeGreaterThan(300);
    await expectFound(api, queries);
  },
);
