/** What a feed does to a catalog, on a real store. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFeedFast } from "../onix/fast/fast-reader.ts";
import type { RecordFields } from "../onix/field-builder.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import { identifier, message, product, textStream } from "../onix/testing/message.ts";
import { openSqlite } from "../stores/sqlite/store.ts";
import { Import } from "./import.ts";
import { prepareProduct } from "./prepare-product.ts";
import type { Complaint } from "./report.ts";
import { EMPTY_REVISION } from "./revision.ts";
import type { Store } from "./store.ts";

const A = "9788437604947";
const B = "9780199632091";
const C = "9791034567893";

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "colophon-import-"));
  store = openSqlite(join(folder, "catalog.db"), { create: true });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

async function load(feeds: string | readonly string[], { replace = false, commit = true } = {}) {
  const complaints: Complaint[] = [];
  const work = new Import(await store.beginImport(), (complaint) => complaints.push(complaint));
  let feed = 0;
  for (const xml of [feeds].flat()) {
    feed++;
    for await (const { products, remarks, header } of readFeedFast(textStream(xml))) {
      const source = { file: `${feed}.xml`, feed };
      work.reportWarnings(remarks, source);
      await work.apply(
        products.map((product) => prepareProduct(product, header.release)),
        source,
      );
    }
  }
  const result = await (commit ? work.commit(replace) : work.preview(replace));
  const { tests: _, warnings, ...counts } = work.counts;
  const some = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  return {
    ...result,
    counts: some,
    warnings,
    complaints: complaints.map(({ severity, kind }) => `${severity}: ${kind}`),
    all: complaints,
  };
}

async function read(isbn: string): Promise<Record<string, unknown> | undefined> {
  const record = await store.record(isbn as Isbn13);
  return record && JSON.parse(new TextDecoder().decode(record.body));
}

async function titleOf(isbn: string) {
  const detail = (await read(isbn))?.DescriptiveDetail as
    | { TitleDetail: { TitleElement: RecordFields } }
    | undefined;
  return detail?.TitleDetail.TitleElement.TitleText;
}

describe("whole records", () => {
  test("are added, updated and left alone, and the result says so", async () => {
    const first = await load(message(product({ isbn: A }), product({ isbn: B })));
    expect(first).toMatchObject({ counts: { added: 2 }, changed: true, complaints: [] });
    const second = await load(
      message(product({ isbn: A }), product({ isbn: B, title: "Other" }), product({ isbn: C })),
    );
    expect(second.counts).toEqual({ added: 1, updated: 1, unchanged: 1 });
    expect(await titleOf(B)).toBe("Other");
  });

  test("the same feed again changes nothing, not even the revision", async () => {
    const feed = message(product({ isbn: A }), product({ isbn: A, title: "Twice" }), product({ isbn: B }));
    const first = await load(feed);
    expect(first.counts).toEqual({ added: 2 });
    expect(first.complaints).toEqual(["warning: same-isbn-twice"]);
    const again = await load(feed);
    expect(again).toMatchObject({ counts: { unchanged: 2 }, changed: false, revision: first.revision });
    expect(await titleOf(A)).toBe("Twice");
  });

  test("in two feeds of one import, the later wins without a warning", async () => {
    const { counts, complaints } = await load([
      message(product({ title: "One" })),
      message(product({ title: "Two" })),
    ]);
    expect({ counts, complaints }).toEqual({ counts: { added: 1 }, complaints: [] });
    expect(await titleOf(A)).toBe("Two");
  });

  for (const notification of ["01", "02", "03", "08", "09"]) {
    test(`NotificationType ${notification} is one`, async () => {
      expect(await load(message(product({ notification })))).toMatchObject({
        counts: { added: 1 },
        complaints: [],
      });
    });
  }

  test("an unknown or missing NotificationType is taken as one, with a warning", async () => {
    const { counts, complaints } = await load(
      message(product({ notification: "77" }), product({ isbn: B, notification: "" })),
    );
    expect(counts).toEqual({ added: 2 });
    expect(complaints).toContain("warning: unknown-notification");
    expect(complaints).toContain("warning: no-notification");
  });

  test("test records are counted and not stored", async () => {
    await load(message(product({ notification: "88" }), product({ isbn: B, notification: "89" })));
    expect([await read(A), await read(B)]).toEqual([undefined, undefined]);
  });

  test("a product without ISBN is rejected by name and place, the others are not", async () => {
    const feed = message(
      product({ isbn: A }),
      product({ reference: "odd", identifiers: identifier("01", "x") }),
      product({ isbn: B }),
    );
    const { counts, all } = await load(feed);
    expect(counts).toEqual({ added: 2, rejected: 1 });
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({
      severity: "rejected",
      kind: "no-isbn",
      reference: "odd",
      isbn: undefined,
      file: "1.xml",
    });
    const line = feed.split("\n").findIndex((text) => text.includes(">odd<")) + 1;
    expect(all[0]).toMatchObject({ line, column: 1 });
    expect(all[0]).toMatchObject({ text: "The product has no ISBN." });
    expect(all[0]!.advice).toContain("ISBN-13");
  });

  test("one whose thirteen digits are no ISBN is told why", async () => {
    const why = async (digits: string) =>
      (await load(message(product({ identifiers: identifier("15", digits) })))).all.map(
        ({ severity, text }) => `${severity}: ${text}`,
      );
    expect(await why("9999999999999")).toEqual([
      "rejected: 9999999999999 is no ISBN: one begins with 978 or 979.",
    ]);
    expect(await why("979-0-3217-6543-6")).toEqual(["rejected: 9790321765436 is no ISBN: 979-0 is music."]);
    expect(await why("97884376049")).toEqual(["rejected: The product has no ISBN."]);
  });

  test("a date of another calendar is no day of publication, with a warning", async () => {
    const blocks =
      "<PublishingDetail><PublishingDate><PublishingDateRole>01</PublishingDateRole>" +
      '<Date dateformat="20">57810101</Date></PublishingDate></PublishingDetail>';
    expect((await load(message(product({ blocks })))).complaints).toEqual(["warning: bad-date"]);
  });

  test("a new reference of the sender is remembered though the record stays", async () => {
    await load(message(product({ reference: "old" })));
    expect((await load(message(product({ reference: "new" })))).counts).toEqual({ unchanged: 1 });
    expect(
      (await load(message(product({ reference: "old", notification: "05", identifiers: "", blocks: "" }))))
        .complaints,
    ).toEqual(["warning: deletion-of-nothing"]);
    expect(
      (await load(message(product({ reference: "new", notification: "05", identifiers: "", blocks: "" }))))
        .counts,
    ).toEqual({ deleted: 1 });
  });
});

describe("updates of blocks (04)", () => {
  const collateral =
    "<CollateralDetail><TextContent><TextType>03</TextType><ContentAudience>00</ContentAudience><Text>New</Text></TextContent></CollateralDetail>";

  test("replace the blocks they carry, and the others stay", async () => {
    await load(message(product({ text: "<Text>Old</Text>", title: "Kept" })));
    const { counts } = await load(message(product({ notification: "04", blocks: collateral })));
    expect(counts).toEqual({ updated: 1 });
    const record = (await read(A))!;
    expect(record.CollateralDetail).toEqual({
      TextContent: [{ TextType: "03", ContentAudience: "00", Text: "New" }],
    });
    expect(record.NotificationType).toBe("03");
    expect(await titleOf(A)).toBe("Kept");
    expect(Object.keys(record)).toEqual([
      "_id",
      "RecordReference",
      "NotificationType",
      "ProductIdentifier",
      "DescriptiveDetail",
      "CollateralDetail",
      "PublishingDetail",
      "ProductSupply",
    ]);
  });

  test("replace all of a block that came twice", async () => {
    const twice = "<CollateralDetail/><CollateralDetail><TextContent/></CollateralDetail>";
    await load(message(product({ blocks: twice })));
    expect(await read(A)).toMatchObject({
      CollateralDetail: {},
      "CollateralDetail#more": [{ TextContent: [{}] }],
    });
    await load(message(product({ notification: "04", blocks: collateral })));
    expect(Object.keys((await read(A))!).slice(-1)).toEqual(["CollateralDetail"]);
    await load(message(product({ notification: "04", blocks: twice })));
    expect(Object.keys((await read(A))!).slice(-2)).toEqual(["CollateralDetail", "CollateralDetail#more"]);
  });

  test("find the record by the sender's reference, too", async () => {
    await load(message(product({ reference: "r1" })));
    expect(
      (
        await load(
          message(product({ reference: "r1", notification: "04", identifiers: "", blocks: collateral })),
        )
      ).counts,
    ).toEqual({ updated: 1 });
  });

  test("move the record to another imprint and date", async () => {
    await load(message(product({ imprint: "Uno" })));
    const blocks = "<PublishingDetail><Imprint><ImprintName>Dos</ImprintName></Imprint></PublishingDetail>";
    await load(message(product({ notification: "04", blocks })));
    const view = await store.snapshot();
    expect([await view.hasImprint("uno"), await view.hasImprint("dos")]).toEqual([false, true]);
    view.close();
  });

  test("the same again changes nothing", async () => {
    await load(message(product({})));
    const update = message(product({ notification: "04", blocks: collateral }));
    await load(update);
    expect(await load(update)).toMatchObject({ counts: { unchanged: 1 }, changed: false });
  });

  test("of nothing are rejected, but a whole product under 04 counts as whole", async () => {
    expect(await load(message(product({ notification: "04", blocks: collateral })))).toMatchObject({
      counts: { rejected: 1 },
      complaints: ["rejected: partial-update-of-nothing"],
    });
    expect(await load(message(product({ notification: "04" })))).toMatchObject({
      counts: { added: 1 },
      complaints: [],
    });
  });

  test("of a product earlier in the same feed", async () => {
    const { counts } = await load(message(product({}), product({ notification: "04", blocks: collateral })));
    expect(counts).toEqual({ added: 1 });
    expect((await read(A))!.CollateralDetail).toBeDefined();
  });
});

describe("deletions (05)", () => {
  const gone = (options: object) => message(product({ notification: "05", blocks: "", ...options }));

  test("by the sender's reference first", async () => {
    await load(message(product({ isbn: A, reference: "a" }), product({ isbn: B, reference: "b" })));
    expect((await load(gone({ reference: "a", isbn: B }))).counts).toEqual({ deleted: 1 });
    expect([await read(A), (await read(B))?.RecordReference]).toEqual([undefined, B]);
  });

  test("then by ISBN", async () => {
    await load(message(product({ isbn: A, reference: "a" })));
    expect((await load(gone({ reference: "unheard of", isbn: A }))).counts).toEqual({ deleted: 1 });
  });

  test("a reference that stands for many books names none of them", async () => {
    await load(message(product({ isbn: A, reference: "same" }), product({ isbn: B, reference: "same" })));
    expect((await load(gone({ reference: "same", isbn: C }))).complaints).toEqual([
      "warning: deletion-of-nothing",
    ]);
    expect((await load(gone({ reference: "same", isbn: B }))).counts).toEqual({ deleted: 1 });
    expect((await read(A))?.RecordReference).toBe(A);
  });

  test("a DeletionText is one, whatever the type", async () => {
    await load(message(product({})));
    const { counts } = await load(
      message(product({ identifiers: `<DeletionText>Sent in error</DeletionText>${identifier("15", A)}` })),
    );
    expect(counts).toEqual({ deleted: 1 });
  });

  test("of what is not there is a warning", async () => {
    expect(await load(gone({}))).toMatchObject({
      counts: {},
      complaints: ["warning: deletion-of-nothing"],
      changed: false,
    });
  });

  test("and back again in one feed is no change", async () => {
    const { revision } = await load(message(product({})));
    const { counts, changed } = await load(message(product({ notification: "05", blocks: "" }), product({})));
    expect({ counts, changed }).toEqual({ counts: { unchanged: 1 }, changed: false });
    expect(await store.revision()).toBe(revision);
  });

  test("of everything leave the revision of an empty catalog", async () => {
    await load(message(product({})));
    expect((await load(gone({}))).revision).toBe(EMPTY_REVISION);
  });
});

describe("--replace", () => {
  test("what the feeds do not have goes", async () => {
    await load(message(product({ isbn: A }), product({ isbn: B })));
    const { counts } = await load([message(product({ isbn: B })), message(product({ isbn: C }))], {
      replace: true,
    });
    expect(counts).toEqual({ added: 1, unchanged: 1, deleted: 1 });
    expect([await read(A), (await read(B))?.RecordReference, (await read(C))?.RecordReference]).toEqual([
      undefined,
      B,
      C,
    ]);
  });

  test("gives the revision of a catalog that never had anything else", async () => {
    const { revision } = await load(message(product({ isbn: B })));
    await load(message(product({ isbn: A }), product({ isbn: B, title: "Other" })));
    expect((await load(message(product({ isbn: B })), { replace: true })).revision).toBe(revision);
  });
});

test("a preview says the same and does nothing", async () => {
  const { counts, changed } = await load(message(product({})), { commit: false });
  expect({ counts, changed }).toEqual({ counts: { added: 1 }, changed: true });
  expect([await read(A), await store.revision()]).toEqual([undefined, EMPTY_REVISION]);
});

test("a date of publication that is none is reported", async () => {
  expect((await load(message(product({ date: "next spring" })))).complaints).toEqual(["warning: bad-date"]);
});
