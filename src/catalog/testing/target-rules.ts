/** The rules for which book a product means, as tests of any catalog. */
import { describe, expect, test } from "bun:test";
import { type Isbn13, toIsbn10 } from "../../onix/isbn.ts";
import { identifier, message, type ProductOptions, product } from "../../onix/testing/message.ts";
import { messageFrom } from "./import-feeds.ts";
import { A, B, C, type OpenCatalog } from "./rule-catalog.ts";

const SUPPLY = "<ProductSupply><SupplyDetail/></ProductSupply>";

/** A product without an ISBN. */
const nameless = (options: ProductOptions) => product({ identifiers: "", ...options });
const update = { notification: "04", blocks: SUPPLY };
const deletion = { notification: "05", blocks: "" };

export function targetRules(open: OpenCatalog): void {
  describe("the ISBN of the message decides", () => {
    test("for a deletion, whatever its reference", async () => {
      await using catalog = await open();
      await catalog.import(
        message(product({ isbn: A, reference: "a" }), product({ isbn: B, reference: "b" })),
      );
      expect(await catalog.import(message(product({ isbn: B, reference: "a", ...deletion })))).toMatchObject({
        counts: { deleted: 1 },
        kinds: [],
      });
      expect(await catalog.isbns()).toEqual([A]);
    });

    test("for an update, whatever its reference", async () => {
      await using catalog = await open();
      await catalog.import(
        message(product({ isbn: A, reference: "a" }), product({ isbn: B, reference: "b" })),
      );
      const before = await catalog.entry(A);
      await catalog.import(message(product({ isbn: B, reference: "a", ...update })));
      expect(await catalog.entry(A)).toEqual(before!);
      expect(await catalog.entry(B)).toMatchObject({ reference: "b" });
      expect((await catalog.record(B))!.ProductSupply).toEqual([{ SupplyDetail: [{}] }]);
    });
  });

  describe("an ISBN that is not in the catalog, with the reference of another book", () => {
    for (const [name, action] of Object.entries({ update, deletion })) {
      test(`changes nothing for a ${name}, and warns about both`, async () => {
        await using catalog = await open();
        const { revision } = await catalog.import(message(product({ isbn: A, reference: "a" })));
        const result = await catalog.import(message(product({ isbn: B, reference: "a", ...action })));
        expect(result).toMatchObject({ revision, counts: { ignored: 1 }, kinds: ["warning: isbn-mismatch"] });
        expect(result.texts).toEqual([`${B} is not in the catalog, and the reference "a" belongs to ${A}.`]);
        expect(await catalog.isbns()).toEqual([A]);
      });
    }

    test("adds a whole product, keeps the other book, and warns about both", async () => {
      for (const notification of ["03", "04"]) {
        await using catalog = await open();
        await catalog.import(message(product({ isbn: A, reference: "a" })));
        const result = await catalog.import(message(product({ isbn: B, reference: "a", notification })));
        expect(result).toMatchObject({ counts: { added: 1 }, kinds: ["warning: reference-moved"] });
        expect(result.texts).toEqual([`The reference "a" belonged to ${A}, and now to ${B}.`]);
        expect(await catalog.isbns()).toEqual([A, B]);
      }
    });
  });

  test("a book that takes the reference of another one is taken, with a warning, but only once", async () => {
    await using catalog = await open();
    await catalog.import(message(product({ isbn: A, reference: "a" }), product({ isbn: B, reference: "b" })));
    const feed = message(product({ isbn: B, reference: "a" }));
    expect(await catalog.import(feed)).toMatchObject({
      counts: { unchanged: 1 },
      kinds: ["warning: reference-moved"],
    });
    expect(await catalog.entry(B)).toMatchObject({ reference: "a" });
    expect((await catalog.import(feed)).kinds).toEqual([]);
  });

  test("books that exchange their references in one feed cause no warning", async () => {
    await using catalog = await open();
    await catalog.import(message(product({ isbn: A, reference: "a" }), product({ isbn: B, reference: "b" })));
    const { texts } = await catalog.import(
      message(product({ isbn: A, reference: "c" }), product({ isbn: B, reference: "a" })),
    );
    expect(texts).toEqual([]);
  });

  test("a reference that a feed gives to several books causes a warning for each after the first", async () => {
    await using catalog = await open();
    const feed = message(...[A, B, C].map((isbn) => product({ isbn, reference: "same" })));
    const { counts, texts } = await catalog.import(feed);
    expect(counts).toEqual({ added: 3 });
    expect(texts).toEqual([
      `The reference "same" belonged to ${A}, and now to ${B}.`,
      `The reference "same" belonged to ${B} and ${A}, and now to ${C}.`,
    ]);
  });

  test("a test record of a book before it in the feed does not hide that a reference has moved", async () => {
    await using catalog = await open();
    await catalog.import(message(product({ isbn: A, reference: "a" })));
    const { kinds } = await catalog.import(
      message(product({ isbn: A, notification: "88" }), product({ isbn: B, reference: "a" })),
    );
    expect(kinds).toEqual(["warning: reference-moved"]);
  });

  test("a broken ISBN-10 names no book: the product is rejected, whatever it asks for", async () => {
    for (const type of ["02", "15"]) {
      await using catalog = await open();
      const { revision } = await catalog.import(message(product({ isbn: B, reference: "b" })));
      // The ISBN-10 of B ends in X.
      const broken = { identifiers: identifier(type, "0199632090"), reference: "b" };
      const feed = message(
        product(broken),
        product({ ...broken, ...update }),
        product({ ...broken, ...deletion }),
      );
      expect(await catalog.import(feed)).toMatchObject({
        revision,
        counts: { rejected: 3 },
        kinds: Array(3).fill("rejected: no-isbn"),
        texts: Array(3).fill("The check digit of the ISBN-10 0199632090 is wrong, so it names no book."),
      });
    }
  });

  test("an ISBN-13 that is none rejects an update or a deletion, whatever its reference", async () => {
    await using catalog = await open();
    const { revision } = await catalog.import(message(product({ isbn: B, reference: "b" })));
    const broken = { identifiers: identifier("15", "978019963209"), reference: "b" };
    const feed = message(product({ ...broken, ...update }), product({ ...broken, ...deletion }));
    expect(await catalog.import(feed)).toMatchObject({
      revision,
      counts: { rejected: 2 },
      texts: Array(2).fill('"978019963209" is not an ISBN-13.'),
    });
  });

  test("a deletion whose identifiers name two books deletes that of type 15, with a warning", async () => {
    await using catalog = await open();
    await catalog.import(message(product({ isbn: A }), product({ isbn: B })));
    const identifiers = identifier("15", A) + identifier("02", toIsbn10(B as Isbn13)!);
    expect(await catalog.import(message(product({ identifiers, ...deletion })))).toMatchObject({
      counts: { deleted: 1 },
      kinds: ["warning: contradicting-identifiers"],
      texts: [`The identifiers name different books: ${A} (type 15), ${toIsbn10(B as Isbn13)} (type 02).`],
    });
  });

  describe("without an ISBN, the reference", () => {
    test("finds the book of its sender", async () => {
      await using catalog = await open();
      await catalog.import(
        message(product({ isbn: A, reference: "a" }), product({ isbn: B, reference: "b" })),
      );
      expect((await catalog.import(message(nameless({ reference: "a", ...update })))).counts).toEqual({
        updated: 1,
      });
      expect((await catalog.import(message(nameless({ reference: "b", ...deletion })))).counts).toEqual({
        deleted: 1,
      });
      expect(await catalog.isbns()).toEqual([A]);
    });

    test("does not find the book of another sender", async () => {
      await using catalog = await open();
      await catalog.import(messageFrom({ sender: "One" }, product({ isbn: A, reference: "1" })));
      const feed = messageFrom(
        { sender: "Two" },
        nameless({ reference: "1", ...update }),
        nameless({ reference: "1", ...deletion }),
      );
      const { counts, kinds, texts } = await catalog.import(feed);
      expect(counts).toEqual({ rejected: 1, ignored: 1 });
      expect(kinds).toEqual(["rejected: partial-update-of-nothing", "warning: deletion-of-nothing"]);
      expect(texts).toEqual([
        'The update has no ISBN, and no book of this sender has the reference "1".',
        'The deletion has no ISBN, and no book of this sender has the reference "1".',
      ]);
      expect(await catalog.isbns()).toEqual([A]);
    });

    test("that several books have finds none of them, and all are named", async () => {
      await using catalog = await open();
      await catalog.import(
        message(product({ isbn: A, reference: "s" }), product({ isbn: B, reference: "s" })),
      );
      const { counts, kinds, texts } = await catalog.import(
        message(nameless({ reference: "s", ...update }), nameless({ reference: "s", ...deletion })),
      );
      expect(counts).toEqual({ rejected: 1, ignored: 1 });
      expect(kinds).toEqual(["rejected: ambiguous-reference", "warning: ambiguous-reference"]);
      const books = `${B} and ${A}`;
      expect(texts).toEqual([
        `The update has no ISBN, and several books have the reference "s": ${books}.`,
        `The deletion has no ISBN, and several books have the reference "s": ${books}.`,
      ]);
      expect(await catalog.isbns()).toEqual([A, B]);
    });

    test("that is empty finds no book", async () => {
      await using catalog = await open();
      await catalog.import(message(product({ isbn: A, reference: "" })));
      const { counts, texts } = await catalog.import(
        message(nameless({ reference: "", ...update }), nameless({ reference: "", ...deletion })),
      );
      expect(counts).toEqual({ rejected: 1, ignored: 1 });
      expect(texts).toEqual([
        "The update has neither an ISBN nor a RecordReference.",
        "The deletion has neither an ISBN nor a RecordReference.",
      ]);
    });

    test("counts with the changes of earlier products of the feed", async () => {
      await using catalog = await open();
      await catalog.import(message(product({ isbn: A, reference: "old" })));
      const { counts, kinds } = await catalog.import(
        message(
          product({ isbn: A, reference: "new" }),
          nameless({ reference: "old", ...deletion }),
          nameless({ reference: "new", ...deletion }),
          product({ isbn: B, reference: "b" }),
          nameless({ reference: "b", ...update }),
        ),
      );
      expect(kinds).toEqual(["warning: deletion-of-nothing"]);
      expect(counts).toEqual({ deleted: 1, added: 1, ignored: 1, repeated: 2 });
      expect(await catalog.isbns()).toEqual([B]);
    });
  });
}
