import { beforeEach, describe, expect, test } from "bun:test";
import type { Isbn13 } from "../onix/isbn.ts";
import type { RecordFields } from "../onix/record/record-fields.ts";
import { identifier, message, product } from "../onix/testing/message.ts";
import { EMPTY_REVISION } from "./revision.ts";
import { feedRules } from "./testing/feed-rules.ts";
import { type ImportFeedsOptions, importFeeds as importInto } from "./testing/import-feeds.ts";
import { MemoryCatalog } from "./testing/memory-catalog.ts";
import { ownerRules } from "./testing/owner-rules.ts";
import { RuleCatalog } from "./testing/rule-catalog.ts";
import { targetRules } from "./testing/target-rules.ts";
import { updateRules } from "./testing/update-rules.ts";

const A = "9788437604947";
const B = "9780199632091";
const C = "9791034567893";

let catalog: MemoryCatalog;
beforeEach(() => {
  catalog = new MemoryCatalog();
});

function importFeeds(feeds: string | readonly string[], options: ImportFeedsOptions = {}) {
  return importInto(catalog, feeds, options);
}

function record(isbn: string): Record<string, unknown> | undefined {
  const entry = catalog.entries.get(isbn as Isbn13);
  return entry && JSON.parse(new TextDecoder().decode(entry.body));
}

function title(isbn: string) {
  const detail = record(isbn)?.DescriptiveDetail as
    | { TitleDetail: { TitleElement: RecordFields } }
    | undefined;
  return detail?.TitleDetail.TitleElement.TitleText;
}

test("hundreds of updates of the prices of a book write it once", async () => {
  await importFeeds(message(product({ isbn: A }), product({ isbn: B })));
  const written: string[] = [];
  const beginImport = () => {
    const transaction = catalog.beginImport();
    const put = transaction.put.bind(transaction);
    transaction.put = (entries, feed) => {
      written.push(...entries.map(({ isbn }) => isbn));
      put(entries, feed);
    };
    return transaction;
  };
  const updates = Array.from({ length: 300 }, (_, index) => {
    const price = `<Price><PriceAmount>${index + 1}.00</PriceAmount></Price>`;
    const blocks = `<ProductSupply><SupplyDetail>${price}</SupplyDetail></ProductSupply>`;
    return product({ isbn: index % 2 ? A : B, notification: "04", blocks });
  });
  const { counts } = await importInto({ beginImport }, message(...updates));
  expect(counts).toEqual({ updated: 2, repeated: 298 });
  expect(written.sort()).toEqual([B, A]);
  expect(JSON.stringify([record(A), record(B)])).toMatch(/"300.00".*"299.00"/);
});

describe("full records", () => {
  test("are added, updated or left unchanged, and counted as such", async () => {
    const first = await importFeeds(message(product({ isbn: A }), product({ isbn: B })));
    expect(first).toMatchObject({ counts: { added: 2 }, changed: true, kinds: [] });
    const second = await importFeeds(
      message(product({ isbn: A }), product({ isbn: B, title: "Other" }), product({ isbn: C })),
    );
    expect(second.counts).toEqual({ added: 1, updated: 1, unchanged: 1 });
    expect(title(B)).toBe("Other");
  });

  test("do not change the revision when the same feed is imported again", async () => {
    const feed = message(product({ isbn: A }), product({ isbn: A, title: "Twice" }), product({ isbn: B }));
    const first = await importFeeds(feed);
    expect(first.counts).toEqual({ added: 2, repeated: 1 });
    expect(first.kinds).toEqual(["warning: same-isbn-twice"]);
    const again = await importFeeds(feed);
    expect(again).toMatchObject({
      counts: { unchanged: 2, repeated: 1 },
      changed: false,
      revision: first.revision,
    });
    expect(title(A)).toBe("Twice");
  });

  test("in two feeds of one import: the later one wins, without a warning", async () => {
    const { counts, kinds } = await importFeeds([
      message(product({ title: "One" })),
      message(product({ title: "Two" })),
    ]);
    expect({ counts, kinds }).toEqual({ counts: { added: 1, repeated: 1 }, kinds: [] });
    expect(title(A)).toBe("Two");
  });

  test("do not include test records, which are not stored", async () => {
    await importFeeds(message(product({ notification: "88" }), product({ isbn: B, notification: "89" })));
    expect([record(A), record(B)]).toEqual([undefined, undefined]);
  });

  test("rejects only the product without an ISBN, with its reference and position", async () => {
    const feed = message(
      product({ isbn: A }),
      product({ reference: "odd", identifiers: identifier("01", "x") }),
      product({ isbn: B }),
    );
    const { counts, complaints } = await importFeeds(feed);
    expect(counts).toEqual({ added: 2, rejected: 1 });
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toMatchObject({
      severity: "rejected",
      kind: "no-isbn",
      reference: "odd",
      isbn: undefined,
      file: "1.xml",
    });
    const line = feed.split("\n").findIndex((text) => text.includes(">odd<")) + 1;
    expect(complaints[0]).toMatchObject({ line, column: 1 });
    expect(complaints[0]).toMatchObject({ text: "The product has no ISBN." });
    expect(complaints[0]!.advice).toContain("ISBN-13");
  });

  test("rejects thirteen digits that are no ISBN, and says why", async () => {
    const reasons = async (digits: string) =>
      (await importFeeds(message(product({ identifiers: identifier("15", digits) })))).complaints.map(
        ({ severity, text }) => `${severity}: ${text}`,
      );
    expect(await reasons("9999999999999")).toEqual([
      "rejected: 9999999999999 is not an ISBN: an ISBN begins with 978 or 979.",
    ]);
    expect(await reasons("979-0-3217-6543-6")).toEqual([
      "rejected: 9790321765436 is not an ISBN: 979-0 is for music.",
    ]);
    expect(await reasons("97884376049")).toEqual(['rejected: "97884376049" is not an ISBN-13.']);
  });
});

describe("deletions (NotificationType 05)", () => {
  const deletion = (options: object) => message(product({ notification: "05", blocks: "", ...options }));

  test("of an unknown product is a warning", async () => {
    expect(await importFeeds(deletion({}))).toMatchObject({
      counts: { ignored: 1 },
      texts: [`${A} is not in the catalog.`],
      kinds: ["warning: deletion-of-nothing"],
      changed: false,
    });
  });

  test("followed by the same product in one feed change nothing", async () => {
    const { revision } = await importFeeds(message(product({})));
    const { counts, changed } = await importFeeds(
      message(product({ notification: "05", blocks: "" }), product({})),
    );
    expect({ counts, changed }).toEqual({ counts: { unchanged: 1, repeated: 1 }, changed: false });
    expect(catalog.revision).toBe(revision);
  });

  test("of all records lead to the revision of an empty catalog", async () => {
    await importFeeds(message(product({})));
    expect((await importFeeds(deletion({}))).revision).toBe(EMPTY_REVISION);
  });
});

test("a preview returns the same result and changes nothing", async () => {
  const { counts, changed } = await importFeeds(message(product({})), { commit: false });
  expect({ counts, changed }).toEqual({ counts: { added: 1 }, changed: true });
  expect([record(A), catalog.revision]).toEqual([undefined, EMPTY_REVISION]);
});

const open = async () => new RuleCatalog(new MemoryCatalog());

describe("which book is meant", () => targetRules(open));
describe("updates", () => updateRules(open));

test("an update tells what it leaves out, and what it stores", async () => {
  const outside = "<SupplyDetail/><Foo/>";
  const blocks = `<ProductSupply><SupplyDetail/><Foo/></ProductSupply>${outside}`;
  const feed = (notification: string, options: object = {}) =>
    importFeeds([message(product()), message(product({ notification, ...options }))]);
  const advice = ({ complaints }: Awaited<ReturnType<typeof importFeeds>>) =>
    complaints.map(({ kind, advice }) => `${kind}: ${advice.split(/[:;]/)[0]}`);
  expect(advice(await feed("04", { blocks }))).toEqual([
    "unknown-element: It is stored as received",
    "misplaced-element: It was left out",
    "unknown-element: It was left out",
  ]);
  expect(advice(await feed("03", { blocks })).slice(-2)).toEqual([
    "misplaced-element: It is stored where it was sent",
    "unknown-element: It is stored as received",
  ]);
});
describe("who may change a book", () => ownerRules(open));
describe("feeds", () => feedRules(open));
