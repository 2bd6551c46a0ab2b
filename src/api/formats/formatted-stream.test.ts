import { describe, expect, test } from "bun:test";
import { SUMMARY_CSV_HEAD, summaryCsvLine } from "../../catalog/formats/csv.ts";
import { ByteOutput, type ListWriter } from "../../catalog/formats/list-writer.ts";
import { productText } from "../../catalog/formats/onix.ts";
import { parseQuery } from "../../catalog/search/query-parser.ts";
import { themaSubjects } from "../../catalog/subjects/testing/thema.ts";
import { createEntry } from "../../catalog/testing/entries.ts";
import { SQLITE } from "../../stores/testing/engines.ts";
import { SummaryWriter } from "../summaries/summary-shape.ts";
import { createTestApi } from "../testing/api.ts";
import { BOOKS, recordOf } from "../testing/books.ts";
import { MAX_INLINE_BYTES, shapedSummaryWriter, writeProductText } from "./book-thread.ts";
import { csvOfBooks } from "./formatted-result.ts";
import { FormattedStream } from "./formatted-stream.ts";

/** Writes each item after a time that the event loop is held for. */
function slowWriter(itemMs: number): ListWriter<string> {
  return {
    begin: (output) => output.write("<"),
    write(item, output) {
      const endMs = performance.now() + itemMs;
      while (performance.now() < endMs);
      output.write(item);
    },
    end: (output) => output.write(">"),
  };
}

async function chunksOf(stream: FormattedStream<string>): Promise<string[]> {
  const chunks: string[] = [];
  for (let chunk = await stream.next(); chunk !== undefined; chunk = await stream.next())
    chunks.push(Buffer.from(chunk).toString());
  return chunks;
}

const snapshot = { close() {} };
const batches = [["a", "b"], [], ["c"]];

test("converts no more than one item in a chunk when an item takes long", async () => {
  const stream = new FormattedStream({ batches, writer: slowWriter(2), snapshot });
  expect(await chunksOf(stream)).toEqual(["<a", "b", "c", ">"]);
});

test("joins the items of a batch that take no time", async () => {
  const writer: ListWriter<string> = { ...slowWriter(0), write: (item, output) => output.write(item) };
  const [first, ...others] = await chunksOf(new FormattedStream({ batches, writer, snapshot }));
  // A busy machine may take a millisecond for one item.
  expect([first?.[0], [first, ...others].join("")]).toEqual(["<", "<abc>"]);
});

test("converts no item that the client does not read", async () => {
  let written = 0;
  const writer: ListWriter<string> = { ...slowWriter(2), write: () => void written++ };
  const calls: string[] = [];
  const stream = new FormattedStream({
    batches: [["a"], ["b"], ["c"]],
    writer,
    snapshot: { close: () => void calls.push("close") },
  });
  await stream.next();
  stream.close();
  expect([written, calls]).toEqual([1, ["close"]]);
});

test("cuts the list off when its state has changed meanwhile", async () => {
  const beforeEnd = () => {
    throw new Error("changed");
  };
  const stream = new FormattedStream({ batches, writer: slowWriter(0), snapshot, beforeEnd });
  expect(chunksOf(stream)).rejects.toThrow("changed");
});

const OPTIONS = { release: "3.1", sent: "20260901", asRelease31: true } as const;
const [BOOK, OTHER] = [BOOKS[0]!, BOOKS[1]!];
const LARGE = createEntry(
  recordOf({ ...BOOK, description: "<p>Niño & 😀</p>".repeat(MAX_INLINE_BYTES / 10) }),
  "large",
  { release: "3.0" },
);
const SMALL = createEntry(recordOf(OTHER), "small", { release: "3.0" });

describe("writeProductText", () => {
  test("writes a small product at once", () => {
    expect(writeProductText(SMALL, OPTIONS, "a")).toBe(productText(SMALL, OPTIONS));
  });

  test("writes large products on another thread, in the bytes of this one", async () => {
    const promises = [1, 2, 3].map(() => writeProductText(LARGE, OPTIONS, "a"));
    for (const promise of promises) {
      expect(promise).toBeInstanceOf(Promise);
      expect(Buffer.from((await promise) as Uint8Array).toString()).toBe(productText(LARGE, OPTIONS));
    }
  });

  test("rejects a product that cannot be written, and writes the next one", async () => {
    const broken = { ...LARGE, origin: "{" };
    const results = await Promise.allSettled([
      writeProductText(broken, OPTIONS, "a"),
      writeProductText(LARGE, OPTIONS, "a"),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  test("clients take turns, however many large products one of them has", async () => {
    const order: string[] = [];
    const write = (client: string) =>
      Promise.resolve(writeProductText(LARGE, OPTIONS, client)).then(() => order.push(client));
    await Promise.all([..."aaaaaaaaaabb"].map(write));
    // One more book of the first client may have been posted before.
    expect(order.join("")).toMatch(/^aa?ba?ba*$/);
  });
});

test("a large book is returned as XML, alone and between others of a list", async () => {
  await using api = await createTestApi(SQLITE, { books: [LARGE, SMALL] });
  const product = productText(LARGE, OPTIONS);
  const one = await api.get(`/api/isbn/${BOOK.isbn}?format=xml`);
  expect(one.text).toContain(product);
  const list = await api.get(`/api/isbns/${OTHER.isbn},${BOOK.isbn},${OTHER.isbn}?format=xml`);
  const small = productText(SMALL, OPTIONS);
  expect(list.text).toContain(small + product + small);
});

test("a large summary is a row of CSV that another thread has written, alone and between others of a list", async () => {
  const title = "Niño; =1 ".repeat(MAX_INLINE_BYTES / 8);
  const large = createEntry(recordOf({ ...BOOK, title }), "large", { release: "3.0" });
  await using api = await createTestApi(SQLITE, { books: [large, SMALL] });
  const summaryOf = async ({ isbn }: { isbn: string }) =>
    Buffer.from((await api.get(`/api/isbn/${isbn}?view=summary`)).text);
  const summary = await summaryOf(BOOK);
  expect(csvOfBooks("a").write(summary, new ByteOutput())).toBeInstanceOf(Promise);
  const row = summaryCsvLine(summary);
  // A text response is decoded without its byte order mark.
  const head = SUMMARY_CSV_HEAD.slice(1);
  const small = summaryCsvLine(await summaryOf(OTHER));
  expect((await api.get(`/api/isbn/${BOOK.isbn}?format=csv`)).text).toBe(head + row);
  const list = await api.get(`/api/isbns/${OTHER.isbn},${BOOK.isbn},${OTHER.isbn}?format=csv`);
  expect(list.text).toBe(head + small + row + small);
});

test("a large summary has the labels and highlights that another thread has written, with subjects as they are loaded now", async () => {
  const record = recordOf({ ...BOOK, title: "Niño ".repeat(MAX_INLINE_BYTES / 5) });
  const codes = ["FYD", "FB"].map((SubjectCode) => ({ SubjectSchemeIdentifier: "93", SubjectCode }));
  const detail = { ...(record.DescriptiveDetail as object), Subject: codes };
  const large = createEntry({ ...record, DescriptiveDetail: detail }, "large", { release: "3.0" });
  await using api = await createTestApi(SQLITE, { books: [large, SMALL] });
  const summary = (isbn: string, shape = "") => api.get(`/api/isbn/${isbn}?view=summary${shape}`);
  const stored = Buffer.from((await summary(BOOK.isbn)).text);
  expect(shapedSummaryWriter({}, undefined, "a")(stored, new ByteOutput())).toBeInstanceOf(Promise);
  const labels = async () => {
    const { subjects, formLabel } = (await summary(BOOK.isbn, "&labels=spa&fields=form,subjects")).json;
    return [formLabel, ...subjects.map(({ codeLabel }: { codeLabel: string | null }) => codeLabel)];
  };
  expect(await labels()).toEqual(["Tapa blanda o Bolsillo", null, null]);
  await api.store.subjects.replace("eng", themaSubjects("eng"));
  expect(await labels()).toEqual(["Tapa blanda o Bolsillo", "Letters and diaries", "Stories in general"]);
  await api.store.subjects.replace("spa", themaSubjects("spa"));
  expect(await labels()).toEqual(["Tapa blanda o Bolsillo", "Letters and diaries", "Narraciones en general"]);

  const shape = { fields: ["title"], highlight: true } as const;
  const expected = new ByteOutput();
  new SummaryWriter(shape, parseQuery("nino")).write(stored, expected);
  const found = await api.get("/api/search?q=nino&view=summary&fields=title&highlight=1");
  expect(found.text).toBe(`[${new TextDecoder().decode(expected.take())}]`);
  const list = `/api/isbns/${BOOK.isbn},${OTHER.isbn}?view=summary&fields=isbn,title`;
  expect((await api.get(`${list}&format=ndjson`)).text).toBe(
    (await api.get(list)).json.map((each: object) => `${JSON.stringify(each)}\n`).join(""),
  );
});
