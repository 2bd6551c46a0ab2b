import { describe, expect, test } from "bun:test";
import { type ImportDetails, NO_DETAILS } from "../../catalog/history/import-details.ts";
import type { KeptImport } from "../../catalog/history/import-history.ts";
import { StartedImport } from "../../catalog/import-run.ts";
import { emptyCounts } from "../../catalog/report.ts";
import { RevisionSum } from "../../catalog/revision.ts";
import type { Store } from "../../catalog/store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { ENGINES, SQLITE } from "../../stores/testing/engines.ts";
import { sealText } from "../paging/cursor.ts";
import { createTestApi } from "../testing/api.ts";
import { BOOKS, entryOf } from "../testing/books.ts";
import { expectGet, readPages, sharedApi } from "../testing/shared-api.ts";
import { publicMessage } from "./document.ts";

const [first, second] = BOOKS;
const ISBN = first!.isbn as Isbn13;
/** A name that would do harm in a terminal or in a page. */
const HOSTILE = '<img src=x onerror=alert(1)>\u001b[2J\u202e".xml';

const DETAILS: ImportDetails = {
  ...NO_DETAILS,
  durationMs: 250,
  feeds: [
    {
      number: 1,
      name: HOSTILE,
      sha256: "0f".repeat(32),
      bytes: 12,
      sender: HOSTILE,
      sent: "20260101",
      messageNumber: "7",
    },
  ],
  complaints: {
    total: 3,
    groups: [
      {
        severity: "rejected",
        kind: "no-isbn",
        text: HOSTILE,
        advice: "Send an ISBN.",
        count: 3,
        examples: [
          { isbn: ISBN, file: HOSTILE, line: 3 },
          { reference: "r", file: "a", line: 4 },
        ],
      },
    ],
  },
};

async function rename(store: Store, title: string): Promise<void> {
  const transaction = await store.beginImport();
  const entry = entryOf({ ...first!, title });
  const revision = new RevisionSum(transaction.revision);
  const [status] = await transaction.statusOf([entry.isbn]);
  revision.change(status!.etag, entry.etag);
  await transaction.put([entry], 1);
  const run = new StartedImport().applied(true, { ...emptyCounts(), updated: 1 });
  await transaction.commit(revision.toString(), run, { details: DETAILS });
}

const fail = (store: Store) => store.recordFailedImport(new StartedImport().failed("refused"), DETAILS);

for (const engine of ENGINES) {
  describe(`the history of imports (${engine.name})`, () => {
    const api = sharedApi(async () => {
      const created = await createTestApi(engine);
      await fail(created.store);
      await rename(created.store, "New");
      return created;
    });

    test("lists imports, newest first, in pages", async () => {
      const whole = await api.get("/api/imports");
      expect(whole.json.map(({ number, outcome }: Import) => [number, outcome])).toEqual([
        [3, "changed"],
        [2, "failed"],
        [1, "changed"],
      ]);
      expect(whole.headers.get("link")).toBeNull();
      const [newest] = whole.json;
      expect(newest.feeds).toEqual([{ ...DETAILS.feeds[0], number: undefined }]);
      expect(newest).toMatchObject({ durationMs: 250, message: null, complaints: { total: 3, groups: 1 } });
      const read: Import[] = [];
      for await (const { json } of readPages(api, "/api/imports?limit=2")) read.push(...json);
      expect(read).toEqual(whole.json);
      const changed: number[] = [];
      const filter = `outcome=changed&sender=${encodeURIComponent(HOSTILE)}`;
      for await (const { json } of readPages(api, `/api/imports?limit=1&${filter}`))
        changed.push(...json.map(({ number }: Import) => number));
      expect(changed).toEqual(
        whole.json
          .filter(
            ({ outcome, feeds }: Import & { readonly feeds: readonly unknown[] }) =>
              outcome === "changed" && feeds.length > 0,
          )
          .map(({ number }: Import) => number),
      );
    });

    test("accepts numbers and senders that no import can have", async () => {
      const { json } = await api.get("/api/imports");
      expect(json).toHaveLength(3);
      const cursor = sealText("imports", "9999999999");
      expect((await expectGet(api, `/api/imports?cursor=${cursor}`, 200)).json).toEqual(json);
      expect((await expectGet(api, "/api/imports?sender=a%00b", 200)).json).toEqual([]);
    });

    test("has one import with its complaints", async () => {
      const { json } = await api.get("/api/imports/2");
      const [listed] = (await api.get("/api/imports")).json.filter(({ number }: Import) => number === 2);
      const [group] = DETAILS.complaints.groups;
      const examples = [
        { isbn: ISBN, reference: null, file: HOSTILE, line: 3 },
        { isbn: null, reference: "r", file: "a", line: 4 },
      ];
      expect(json).toEqual({ ...listed, complaintGroups: [{ ...group!, examples }] });
      expect(json).toMatchObject({ outcome: "failed", message: "refused" });
    });

    test("tells where a book comes from", async () => {
      const { json } = await api.get(`/api/origin/${ISBN}`);
      expect(json).toMatchObject({
        isbn: ISBN,
        added: { number: 1, feed: null },
        changed: { number: 3, feed: HOSTILE, sender: HOSTILE, blocks: ["DescriptiveDetail"] },
      });
      expect((await api.get(`/api/origin/${second!.isbn}`)).json.changed).toBeNull();
    });

    test.each([
      ["/api/imports/4711", 404, "Import not found"],
      ["/api/imports/9999999999", 404, "Import not found"],
      ["/api/origin/9789999900003", 404, "Book not found"],
    ])("returns for %s %d %s", (path, status, message) => expectGet(api, path, { status, message }));

    test("needs a token", async () => {
      for (const path of ["/api/imports", "/api/imports/1", `/api/origin/${ISBN}`])
        expect((await api.get(path, { token: null })).status).toBe(401);
    });
  });
}

interface Import {
  readonly number: number;
  readonly outcome: string;
}

test("returns 304 until the answer may be another one", async () => {
  await using api = await createTestApi(SQLITE);
  const etags = new Map<string, string>();
  const statuses = async () => {
    const found: number[] = [];
    for (const path of ["/api/imports", "/api/imports/1", `/api/origin/${ISBN}`]) {
      const etag = etags.get(path) ?? "";
      const response = await api.get(path, { headers: { "If-None-Match": etag } });
      etags.set(path, response.headers.get("etag")!);
      found.push(response.status);
    }
    return found;
  };
  expect(await statuses()).toEqual([200, 200, 200]);
  expect(await statuses()).toEqual([304, 304, 304]);
  // A failed import does not change the revision.
  await fail(api.store);
  expect(await statuses()).toEqual([200, 304, 304]);
  await rename(api.store, "New");
  expect(await statuses()).toEqual([200, 304, 200]);
  expect(await statuses()).toEqual([304, 304, 304]);
});

test("a store that fails is 503 with Retry-After, and never 404 or an empty list", async () => {
  await using api = await createTestApi(SQLITE);
  api.observed.failure = new Error("SQLITE_IOERR");
  for (const path of ["/api/imports", "/api/imports/1", `/api/origin/${ISBN}`]) {
    const response = await api.get(path);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  }
});

const feeds = [
  { name: "a.xml" },
  { name: "b.zip/in/c.xml" },
  { name: "d.zip" },
] as unknown as KeptImport["feeds"];

test.each([
  ["/srv/my feeds/in/a.xml: line 3: not well-formed", "a.xml: line 3: not well-formed"],
  ["in/b.zip/in/c.xml: The message is older.", "b.zip/in/c.xml: The message is older."],
  ["/srv/feeds/other.xml: there is no such file", "other.xml: there is no such file"],
  ["/srv/my feeds/other.xml: there is no such file", "other.xml: there is no such file"],
  ["../my feeds/other.xml: there is no such file", "other.xml: there is no such file"],
  ["/srv/my feeds/d.zip/in/e.xml: line 1: not ONIX", "d.zip/in/e.xml: line 1: not ONIX"],
  [
    "Another import into /var/lib/colophon/catalog.db is running",
    "Another import into catalog.db is running",
  ],
  ["The connection to PostgreSQL at db.example:5432/books was lost", "The connection to PostgreSQL was lost"],
  ["a.xml: the date 1/2/3 in </Product> is no date", "a.xml: the date 1/2/3 in </Product> is no date"],
])("returns %j without folders and hosts", (message, expected) => {
  expect(publicMessage({ message, feeds } as unknown as KeptImport)).toBe(expected);
});
