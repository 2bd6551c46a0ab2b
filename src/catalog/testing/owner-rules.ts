/** The rules for changes of books by others than their senders, as tests of any catalog. */
import { describe, expect, test } from "bun:test";
import { message, type ProductOptions, product } from "../../onix/testing/message.ts";
import { messageFrom } from "./import-feeds.ts";
import { A, B, C, type OpenCatalog, type RuleCatalog } from "./rule-catalog.ts";

const SUPPLY = "<ProductSupply><SupplyDetail/></ProductSupply>";
const COLLATERAL = "<CollateralDetail><TextContent/></CollateralDetail>";
const OTHER_SENDER = "warning: other-sender";

const fromPublisher = (...products: readonly string[]) => messageFrom({ sender: "Publisher" }, ...products);
const fromWholesaler = (...products: readonly string[]) => messageFrom({ sender: "Wholesaler" }, ...products);

/** Products that change a book in another way than by supply data. */
const changes: Readonly<Record<string, { options: ProductOptions; verb: string }>> = {
  "a whole record": { options: { title: "Thin" }, verb: "sends" },
  "a deletion": { options: { notification: "05", blocks: "" }, verb: "deletes" },
  "an update of other blocks": {
    options: { notification: "04", blocks: COLLATERAL + SUPPLY },
    verb: "updates",
  },
};

export function ownerRules(open: OpenCatalog): void {
  const openWithBooks = async (...isbns: readonly string[]): Promise<RuleCatalog> => {
    const catalog = await open();
    await catalog.import(fromPublisher(...isbns.map((isbn) => product({ isbn }))));
    return catalog;
  };

  for (const [name, { options, verb }] of Object.entries(changes)) {
    describe(`${name} by another sender than the owner`, () => {
      const feed = fromWholesaler(product({ isbn: A, ...options }));
      const complaint = {
        severity: "warning",
        kind: "other-sender",
        isbn: A,
        text: `The book belongs to "Publisher", and "Wholesaler" ${verb} it.`,
        value: "Publisher → Wholesaler",
      };

      test("is applied, with a warning that names both", async () => {
        await using catalog = await openWithBooks(A);
        const before = await catalog.entry(A);
        const { counts, complaints } = await catalog.import(feed);
        expect(counts).toEqual(verb === "deletes" ? { deleted: 1 } : { updated: 1 });
        expect(complaints).toMatchObject([
          { ...complaint, advice: expect.stringContaining("It was applied") },
        ]);
        expect((await catalog.entry(A))?.etag).not.toBe(before!.etag);
      });

      test("changes nothing with keep, and is counted and listed", async () => {
        await using catalog = await openWithBooks(A);
        const before = await catalog.entry(A);
        for (const commit of [false, true]) {
          const { counts, changed, complaints } = await catalog.import(feed, {
            otherSenders: "keep",
            commit,
          });
          expect({ counts, changed }).toEqual({ counts: { kept: 1 }, changed: false });
          expect(complaints).toMatchObject([
            { ...complaint, advice: expect.stringContaining("Nothing was changed") },
          ]);
        }
        expect(await catalog.entry(A)).toEqual(before!);
      });
    });
  }

  test("an update with nothing but ProductSupply is applied from any sender, and the owner stays", async () => {
    for (const otherSenders of ["warn", "keep"] as const) {
      await using catalog = await openWithBooks(A);
      const supply = fromWholesaler(product({ isbn: A, notification: "04", blocks: SUPPLY + SUPPLY }));
      const { counts, kinds } = await catalog.import(supply, { otherSenders });
      expect({ counts, kinds }).toEqual({ counts: { updated: 1 }, kinds: [] });
      expect(await catalog.entry(A)).toMatchObject({ sender: "name:Publisher", reference: `ref-${A}` });
      expect((await catalog.import(fromPublisher(product({ isbn: A })), { otherSenders })).kinds).toEqual([]);
    }
  });

  test("whoever sends the last whole record owns the book", async () => {
    await using catalog = await openWithBooks(A);
    const feed = fromWholesaler(product({ isbn: A }));
    expect((await catalog.import(feed)).kinds).toEqual([OTHER_SENDER]);
    expect((await catalog.import(feed)).kinds).toEqual([]);
    expect((await catalog.import(fromPublisher(product({ isbn: A })))).kinds).toEqual([OTHER_SENDER]);
  });

  test("a book that nobody has is added with keep, also after its owner has deleted it", async () => {
    await using catalog = await openWithBooks(A);
    const deletion = fromPublisher(product({ isbn: A, notification: "05", blocks: "" }));
    const feed = fromWholesaler(product({ isbn: A }), product({ isbn: B }));
    const { counts, kinds } = await catalog.import([deletion, feed], { otherSenders: "keep" });
    expect({ counts, kinds }).toEqual({ counts: { added: 1, unchanged: 1, repeated: 1 }, kinds: [] });
    expect(await catalog.entry(A)).toMatchObject({ sender: "name:Wholesaler" });
  });

  test("a kept product and one of the owner in the same import count once each", async () => {
    const own = fromPublisher(product({ isbn: A, title: "New" }));
    const other = fromWholesaler(product({ isbn: A, title: "Thin" }));
    for (const feeds of [
      [own, other],
      [other, own],
    ]) {
      for (const replace of [false, true]) {
        await using catalog = await openWithBooks(A);
        const { counts } = await catalog.import(feeds, { otherSenders: "keep", replace });
        expect(counts).toEqual({ updated: 1, kept: 1 });
        expect((await catalog.entry(A))!.sender).toBe("name:Publisher");
      }
    }
  });

  test("a kept book is in the feed: --replace does not remove it", async () => {
    for (const commit of [false, true]) {
      await using catalog = await openWithBooks(A, B, C);
      const feed = fromWholesaler(product({ isbn: A }), product({ isbn: B, notification: "05", blocks: "" }));
      const { counts, removed } = await catalog.import(feed, { otherSenders: "keep", replace: true, commit });
      expect(counts).toEqual({ kept: 2, deleted: 1, removed: 1 });
      expect(removed as readonly string[]).toEqual([C]);
      if (commit) expect(await catalog.isbns()).toEqual([A, B]);
    }
  });

  test("the books of the sample belong to anyone", async () => {
    await using catalog = await open();
    await catalog.import(messageFrom({ sender: "Colophon sample catalog" }, product({ isbn: A })));
    const { counts, kinds } = await catalog.import(fromPublisher(product({ isbn: A, title: "Own" })), {
      otherSenders: "keep",
    });
    expect({ counts, kinds }).toEqual({ counts: { updated: 1 }, kinds: [] });
  });

  test("messages without a sender are one sender of their own", async () => {
    await using catalog = await openWithBooks(A);
    const nameless = message(product({ isbn: A, title: "Nameless" })).replace(/<Sender>.*<\/Sender>/, "");
    expect((await catalog.import(nameless)).texts).toEqual([
      'The book belongs to "Publisher", and "(nameless)" sends it.',
    ]);
    expect((await catalog.import(nameless)).texts).toEqual([]);
    expect((await catalog.import(fromPublisher(product({ isbn: A })))).texts).toEqual([
      'The book belongs to "(nameless)", and "Publisher" sends it.',
    ]);
  });

  describe("--take-over", () => {
    const proprietary = (name: string) =>
      fromPublisher(product({ isbn: A })).replace(
        "<SenderName>Publisher</SenderName>",
        `<SenderIdentifier><SenderIDType>01</SenderIDType><IDTypeName>Own</IDTypeName><IDValue>7</IDValue></SenderIdentifier><SenderName>${name}</SenderName>`,
      );
    const gln = (value: string) =>
      proprietary("Publisher").replace("01</S", "06</S").replace(">7<", `>${value}<`);
    test.each([
      ["its name", "Publisher", fromPublisher(product({ isbn: A })), fromWholesaler(product({ isbn: A }))],
      ["its name beside a proprietary number", "Old", proprietary("Old"), proprietary("New")],
      ["its number", "06:123", gln("123"), gln("456")],
      ["no name", "", fromPublisher(product({ isbn: A })).replace(/<Sender>.*<\/Sender>/, ""), gln("456")],
    ])(
      "gives the books of a sender that is known by %s to the sender of the feed",
      async (_, takeOver, old, now) => {
        await using catalog = await open();
        await catalog.import(old);
        const owner = (await catalog.entry(A))!.sender;
        expect((await catalog.import(now, { otherSenders: "keep", takeOver: "Another" })).counts).toEqual({
          kept: 1,
        });
        const { counts, kinds } = await catalog.import(now, { otherSenders: "keep", takeOver });
        expect({ counts, kinds }).toEqual({ counts: { unchanged: 1 }, kinds: [] });
        expect((await catalog.entry(A))!.sender).not.toBe(owner);
        expect((await catalog.import(now, { otherSenders: "keep" })).kinds).toEqual([]);
      },
    );

    test("without a name is not taken for one with a number and no name", async () => {
      await using catalog = await open();
      const named = proprietary("").replace("<SenderName></SenderName>", "");
      await catalog.import(named);
      const { counts } = await catalog.import(gln("456"), { otherSenders: "keep", takeOver: "" });
      expect(counts).toEqual({ kept: 1 });
    });
  });
}
