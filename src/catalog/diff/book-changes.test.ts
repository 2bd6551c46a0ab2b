import { describe, expect, test } from "bun:test";
import type { Isbn13 } from "../../onix/isbn.ts";
import { titleOf } from "../../onix/summary/title.ts";
import type { RecordChange } from "../import-state.ts";
import { type BookChange, bookChanges } from "./book-changes.ts";

const isbn = (number: number) => String(9780000000000 + number) as Isbn13;
const record = (title: string) => ({
  DescriptiveDetail: { TitleDetail: { TitleType: "01", TitleElement: { TitleText: title } } },
});
const encode = (title: string) => new TextEncoder().encode(JSON.stringify(record(title)));

/** A preview of books whose titles are "old" and "new" with their number. Counts the bodies that are read. */
function previewOf(batches: readonly (readonly RecordChange[])[]) {
  const reads = { before: 0, after: 0 };
  return {
    reads,
    changes: () => batches,
    *bodiesBefore(isbns: readonly Isbn13[]) {
      for (const each of isbns) {
        reads.before++;
        yield [encode(`old ${Number(each) % 1000}`)];
      }
    },
    async bodyAfter(each: Isbn13) {
      reads.after++;
      return encode(`new ${Number(each) % 1000}`);
    },
  };
}

async function listChanges(
  preview: Parameters<typeof bookChanges>[0],
  maxTitles: number,
): Promise<BookChange[]> {
  const books: BookChange[] = [];
  for await (const book of bookChanges(preview, { maxTitles })) books.push(book);
  return books;
}

describe("bookChanges", () => {
  test("returns title and kind of each book, and the fields of changed ones, in the order of the list", async () => {
    const preview = previewOf([
      [
        { isbn: isbn(1), kind: "deleted" },
        { isbn: isbn(2), kind: "changed" },
        { isbn: isbn(3), kind: "added" },
      ],
      [{ isbn: isbn(4), kind: "changed" }],
    ]);
    const fieldsOf = (number: number) => [
      {
        path: "DescriptiveDetail.TitleDetail.TitleElement.TitleText",
        old: `old ${number}`,
        new: `new ${number}`,
      },
    ];
    expect(await listChanges(preview, Number.POSITIVE_INFINITY)).toEqual([
      { isbn: isbn(1), change: "deleted", title: "old 1" },
      { isbn: isbn(2), change: "changed", title: "new 2", fields: fieldsOf(2) },
      { isbn: isbn(3), change: "added", title: "new 3" },
      { isbn: isbn(4), change: "changed", title: "new 4", fields: fieldsOf(4) },
    ]);
  });

  test("returns a changed book without its fields when the record of the catalog is damaged", async () => {
    const damaged = {
      ...previewOf([[{ isbn: isbn(1), kind: "changed" }]]),
      bodiesBefore: () => [[undefined]],
    };
    expect(await listChanges(damaged, 1)).toEqual([{ isbn: isbn(1), change: "changed", title: "new 1" }]);
  });

  test("reads no added or deleted record beyond the number of titles", async () => {
    const kinds = ["added", "deleted", "changed"] as const;
    const changes = kinds.flatMap((kind, index) =>
      Array.from({ length: 10 }, (_, number) => ({ isbn: isbn(index * 10 + number), kind })),
    );
    const preview = previewOf([changes.slice(0, 15), changes.slice(15)]);
    const books = await listChanges(preview, 3);
    expect(books.map(({ change }) => change)).toEqual(changes.map(({ kind }) => kind));
    expect(books.filter(({ change, title }) => change === "added" && title)).toHaveLength(3);
    expect(books.filter(({ change, title }) => change === "deleted" && title)).toHaveLength(3);
    expect(books.filter(({ change, fields }) => change === "changed" && fields)).toHaveLength(10);
    expect(preview.reads).toEqual({ before: 13, after: 13 });
  });
});

describe("titleOf", () => {
  const withTitle = (title: object | undefined) => ({ DescriptiveDetail: { TitleDetail: title } }) as never;

  test("returns the title of type 01 and of the level of the product", () => {
    const element = (level: string, text: string) => ({ TitleElementLevel: level, TitleText: text });
    const titles = [
      { TitleType: "03", TitleElement: element("01", "Original") },
      { TitleType: "01", TitleElement: [element("02", "Series"), element("01", "Title")] },
    ];
    expect(titleOf(withTitle(titles))).toBe("Title");
  });

  test("joins the prefix and the rest of a title", () => {
    const element = { TitleElementLevel: "01", TitlePrefix: "The", TitleWithoutPrefix: "Book" };
    expect(titleOf(withTitle({ TitleType: "01", TitleElement: element }))).toBe("The Book");
  });

  test("returns undefined for a record without a title", () => {
    expect(titleOf({})).toBeUndefined();
    expect(titleOf(withTitle(undefined))).toBeUndefined();
    expect(titleOf(withTitle({ TitleType: "01", TitleElement: {} }))).toBeUndefined();
  });
});
