/** The rules for whole feeds, as tests of any catalog: the order of messages, and what --replace removes. */
import { describe, expect, test } from "bun:test";
import { message, product } from "../../onix/testing/message.ts";
import { ImportRefused } from "../store-errors.ts";
import { messageFrom } from "./import-feeds.ts";
import { A, B, C, type OpenCatalog } from "./rule-catalog.ts";

const SAMPLE = messageFrom(
  { sender: "Colophon sample catalog" },
  product({ isbn: A, title: "Sample" }),
  product({ isbn: B }),
);
const FEED = message(product({ isbn: A }), product({ isbn: B }));

export function feedRules(open: OpenCatalog): void {
  describe("a message that is older than the last one of its sender", () => {
    const newer = messageFrom({ sent: "20240202", number: "8" }, product({ isbn: A, title: "Newer" }));
    const older = messageFrom({ sent: "20240101", number: "7" }, product({ isbn: A, title: "Older" }));

    test("is imported with a warning that names both", async () => {
      await using catalog = await open();
      await catalog.import(newer);
      const { counts, complaints } = await catalog.import(older);
      expect(counts).toEqual({ updated: 1 });
      expect(complaints).toMatchObject([
        {
          severity: "warning",
          kind: "older-message",
          line: 1,
          text: 'The message (number 7 of 20240101) is older than the last one of "Test" (number 8 of 20240202).',
        },
      ]);
    });

    test("is refused with --in-order, and nothing changes", async () => {
      await using catalog = await open();
      const { revision } = await catalog.import(newer);
      await expect(catalog.import([newer, older], { inOrder: true })).rejects.toThrow(ImportRefused);
      expect((await catalog.import(newer, { inOrder: true })).revision).toBe(revision);
    });

    test("does not take the place of the newer one", async () => {
      await using catalog = await open();
      await catalog.import(newer);
      await catalog.import(older);
      expect((await catalog.import(older)).kinds).toEqual(["warning: older-message"]);
    });

    test("is recognised among the feeds of one import", async () => {
      await using catalog = await open();
      expect((await catalog.import([newer, older])).kinds).toEqual(["warning: older-message"]);
      expect((await catalog.import([older, newer])).kinds).toEqual(["warning: older-message"]);
    });

    test("is one of the same sender only", async () => {
      await using catalog = await open();
      await catalog.import(newer);
      const other = messageFrom({ sender: "Other", sent: "20230101" }, product({ isbn: B }));
      expect((await catalog.import(other, { inOrder: true })).kinds).toEqual([]);
    });

    test("is not remembered when the import fails", async () => {
      await using catalog = await open();
      await catalog.import(newer, { commit: false });
      expect((await catalog.import(older)).kinds).toEqual([]);
    });
  });

  describe("an import into a catalog that holds the sample", () => {
    test("reports how many books of it are left", async () => {
      await using catalog = await open();
      expect((await catalog.import(SAMPLE)).sampleKept).toBe(0);
      expect((await catalog.import(message(product({ isbn: C })))).sampleKept).toBe(2);
      expect((await catalog.import(message(product({ isbn: A })))).sampleKept).toBe(1);
      expect((await catalog.import(message(product({ isbn: B })))).sampleKept).toBe(0);
      expect((await catalog.import(message(product({ isbn: C })))).sampleKept).toBe(0);
    });
  });

  describe("--replace", () => {
    test("removes the records that no feed contains", async () => {
      await using catalog = await open();
      await catalog.import(FEED);
      const { counts, removed } = await catalog.import(
        [message(product({ isbn: B })), message(product({ isbn: C }))],
        { replace: true },
      );
      expect(counts).toEqual({ added: 1, unchanged: 1, deleted: 1, removed: 1 });
      expect(removed as readonly string[]).toEqual([A]);
      expect(await catalog.isbns()).toEqual([B, C]);
    });

    test("leads to the same revision as an import into an empty catalog", async () => {
      await using catalog = await open();
      const { revision } = await catalog.import(message(product({ isbn: B })));
      await catalog.import(message(product({ isbn: A }), product({ isbn: B, title: "Other" })));
      expect((await catalog.import(message(product({ isbn: B })), { replace: true })).revision).toBe(
        revision,
      );
    });

    const feeds = {
      "a feed without products": message(),
      "a feed whose products are all rejected": message(product({ identifiers: "" })),
      "a feed of other books": message(product({ isbn: C })),
      "a feed that deletes more than half": message(
        product({ isbn: A, notification: "05", blocks: "" }),
        product({ isbn: B, notification: "05", blocks: "" }),
      ),
    };
    for (const [name, feed] of Object.entries(feeds)) {
      test(`refuses ${name}, and names the counts and the flag`, async () => {
        await using catalog = await open();
        await catalog.import(FEED);
        await expect(catalog.import(feed, { replace: true })).rejects.toThrow(
          "--replace would remove 2 of 2 records, more than half of the catalog. " +
            "Check that the feeds are complete, or allow it with --allow-removals.",
        );
        expect(await catalog.isbns()).toEqual([A, B]);
        const allowed = await catalog.import(feed, { replace: true, allowRemovals: true });
        expect(allowed.counts.deleted).toBe(2);
      });
    }

    test("returns in a preview what would go, and why it would be refused", async () => {
      await using catalog = await open();
      await catalog.import(FEED);
      const preview = await catalog.import(message(), { replace: true, commit: false });
      expect(preview.removed as readonly string[]).toEqual([B, A]);
      expect(preview).toMatchObject({
        counts: { deleted: 2, removed: 2 },
        refused: expect.stringContaining("2 of 2 records"),
      });
      expect(await catalog.isbns()).toEqual([A, B]);
      const half = await catalog.import(message(product({ isbn: A })), { replace: true, commit: false });
      expect(half).not.toHaveProperty("refused");
    });

    test("refuses to remove the only record, in the singular", async () => {
      await using catalog = await open();
      await catalog.import(message(product({ isbn: A })));
      await expect(catalog.import(message(), { replace: true })).rejects.toThrow(
        "remove 1 of 1 record, more",
      );
    });

    test("takes the sample away, which does not count as a part of the catalog", async () => {
      await using catalog = await open();
      await catalog.import(SAMPLE);
      const replaced = await catalog.import(message(product({ isbn: C })), { replace: true });
      expect(replaced.counts).toEqual({ added: 1, deleted: 2, removed: 2 });
      expect(replaced.sampleKept).toBe(0);
      expect(await catalog.isbns()).toEqual([C]);
    });

    test("takes the sample away in a preview, too", async () => {
      await using catalog = await open();
      await catalog.import(SAMPLE);
      const preview = await catalog.import(message(product({ isbn: C })), { replace: true, commit: false });
      expect(preview).not.toHaveProperty("refused");
      expect(preview.counts).toEqual({ added: 1, deleted: 2, removed: 2 });
    });

    test("counts a book of the sample that another sender has sent as a book of the catalog", async () => {
      await using catalog = await open();
      await catalog.import(SAMPLE);
      await catalog.import(message(product({ isbn: A })));
      await expect(catalog.import(message(product({ isbn: C })), { replace: true })).rejects.toThrow(
        "--replace would remove 1 of 1 record, more than half of the catalog.",
      );
      await catalog.import(message(product({ isbn: A }), product({ isbn: C })), { replace: true });
      expect(await catalog.isbns()).toEqual([A, C]);
    });

    test("is allowed on an empty catalog", async () => {
      await using catalog = await open();
      expect((await catalog.import(FEED, { replace: true })).counts).toEqual({ added: 2 });
    });
  });
}
