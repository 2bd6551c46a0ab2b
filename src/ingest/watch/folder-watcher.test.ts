/** A watched folder with a real catalog, in this process. */

import { describe, expect } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { StoreError } from "../../catalog/store-errors.ts";
import { testsWith } from "../../lib/testing/tests-with.ts";
import { waitFor } from "../../lib/testing/wait-for.ts";
import { TempFolder } from "../../stores/sqlite/testing/folder.ts";
import type { WatchedStore } from "./feed-taker.ts";
import { DropFolder, feedXml } from "./testing/feeds.ts";

const test = testsWith(() => new DropFolder());

describe("a pass", () => {
  test("takes feeds in the order in which they were sent, whatever their names are", async (folder) => {
    folder.put("1.xml", feedXml({ sent: "20240103", title: "Third" }));
    folder.put("2.xml", feedXml({ sent: "20240101", title: "First" }));
    folder.put("sub/3.xml.gz", Bun.gzipSync(Buffer.from(feedXml({ sent: "20240102", title: "Second" }))));
    const totals = await folder.takeOnce();
    expect(folder.taken()).toEqual(["changed 2.xml", "changed sub/3.xml.gz", "changed 1.xml"]);
    expect([await folder.title(), totals.changed]).toEqual(["Third", 3]);
    expect(folder.files()).toEqual([
      "done/1.xml",
      "done/1.xml.report.json",
      "done/2.xml",
      "done/2.xml.report.json",
      "sub/done/3.xml.gz",
      "sub/done/3.xml.gz.report.json",
    ]);
    expect(folder.report("done/1.xml")).toMatchObject({
      applied: true,
      changed: true,
      products: 1,
      complaints: [],
    });
  });

  test("waits longer for a file that is empty, and refuses it when it stays so", async (folder) => {
    folder.put("empty.xml", "");
    await folder.takeOnce({ settleMs: 20 });
    expect(folder.taken()).toEqual(["refused empty.xml"]);
  });

  test("refuses a feed with a report, and goes on with the other feeds of its sender and of others", async (folder) => {
    folder.put("1.xml", feedXml({ sent: "20240101" }).replace("</Header>", "</Header><broken>"));
    folder.put("2.xml", feedXml({ sent: "20240102", title: "Second" }));
    folder.put("other.xml", feedXml({ sender: "B", isbn: "9788437604954" }));
    folder.put("readme.txt", "Hello");
    const { changed, refused } = await folder.takeOnce();
    expect([changed, refused, await folder.title()]).toEqual([2, 2, "Second"]);
    expect(folder.report("refused/1.xml")).toMatchObject({
      applied: false,
      refused: expect.stringContaining("1.xml: line"),
    });
    expect(folder.files().filter((name) => name.startsWith("refused/"))).toEqual([
      "refused/1.xml",
      "refused/1.xml.report.json",
      "refused/readme.txt",
      "refused/readme.txt.report.json",
    ]);
  });

  test("refuses an older message with --in-order, and takes it with a warning otherwise", async (folder) => {
    const rules = { replace: false, allowRemovals: false, inOrder: true };
    folder.put("new.xml", feedXml({ sent: "20240202" }));
    await folder.takeOnce({ rules });
    folder.put("old.xml", feedXml({ sent: "20240101" }));
    expect((await folder.takeOnce({ rules })).refused).toBe(1);
    expect(folder.report("refused/old.xml").refused).toContain("is older than the last one");
    folder.put("old.xml", feedXml({ sent: "20240101" }));
    await folder.takeOnce();
    expect(folder.report("done/old.xml").complaints).toMatchObject([{ kind: "older-message" }]);
  });

  test("imports the same bytes again, and does not overwrite the first", async (folder) => {
    for (const name of ["a.xml", "a.xml", "b.xml"]) {
      folder.put(name, feedXml());
      await folder.takeOnce();
    }
    expect(folder.taken()).toEqual(["changed a.xml", "unchanged a.xml", "unchanged b.xml"]);
    expect(folder.files().filter((name) => name.endsWith(".xml"))).toEqual([
      "done/a.2.xml",
      "done/a.xml",
      "done/b.xml",
    ]);
  });

  test("counts rejected products", async (folder) => {
    folder.put("a.xml", feedXml({ isbn: "12" }));
    expect((await folder.takeOnce()).rejected).toBe(1);
  });
});

describe("a file that is being written", () => {
  test("is left, with later feeds of its sender, until it is still", async (folder) => {
    const stop = new AbortController();
    const first = feedXml({ sent: "20240101", title: "First" });
    const path = folder.put("1.xml", first.slice(0, -40));
    folder.put("2.xml", feedXml({ sent: "20240102", title: "Second" }));
    folder.put("other.xml", feedXml({ sender: "B", isbn: "9788437604954" }));
    // A file that grows at each look is never still, however slow the machine is.
    let isGrowing = true;
    const watcher = folder.watcher({
      settleMs: 60,
      observe(event) {
        folder.events.push(event);
        if (event.kind === "backlog" && isGrowing) appendFileSync(path, " ");
      },
    });
    const running = watcher.run(stop.signal);
    await waitFor("the other sender's feed is taken", () => folder.taken().length > 0);
    expect(folder.taken()).toEqual(["changed other.xml"]);
    isGrowing = false;
    writeFileSync(path, first);
    await waitFor("both feeds are taken", () => folder.taken().length === 3);
    stop.abort();
    await running;
    expect(folder.taken()).toEqual(["changed other.xml", "changed 1.xml", "changed 2.xml"]);
  });

  for (const moment of ["before it is read", "after it was read, before the commit"]) {
    test(`and changes ${moment} is not applied, and taken when it is complete`, async (folder) => {
      const path = folder.put("a.xml", feedXml({ title: "Half" }));
      let hasChanged = false;
      const change = () => {
        if (!hasChanged) writeFileSync(path, feedXml({ title: "The whole book" }));
        hasChanged = true;
      };
      aroundImports(folder, async (begin) => {
        if (moment === "before it is read") change();
        const transaction = await begin();
        const lastMessage = transaction.lastMessage.bind(transaction);
        transaction.lastMessage = (sender) => {
          change();
          return lastMessage(sender);
        };
        return transaction;
      });
      expect(await folder.takeOnce()).toMatchObject({ changed: 1, refused: 0, failed: 0 });
      expect([folder.taken(), await folder.title()]).toEqual([["changed a.xml"], "The whole book"]);
      expect(folder.files()).toEqual(["done/a.xml", "done/a.xml.report.json"]);
    });
  }

  test("and is replaced while its import is committed is not moved away, but taken too", async (folder) => {
    const path = folder.put("a.xml", feedXml({ title: "First" }));
    afterFirstCommit(folder, () =>
      renameSync(folder.put(".a.xml.new", feedXml({ sent: "20240102", title: "Second" })), path),
    );
    expect(await folder.takeOnce()).toMatchObject({ changed: 2, refused: 0, failed: 0 });
    expect([folder.taken(), await folder.title()]).toEqual([["changed a.xml", "changed a.xml"], "Second"]);
    expect(folder.files()).toEqual(["done/a.2.xml", "done/a.2.xml.report.json", "done/a.xml.report.json"]);
  });

  test("is taken at once when it is renamed into place", async (folder) => {
    const stop = new AbortController();
    const path = folder.put(".a.xml.Xb81Qq", feedXml());
    let scans = 0;
    const observe = (event: (typeof folder.events)[number]) => {
      folder.events.push(event);
      if (event.kind === "backlog") scans++;
    };
    const running = folder.watcher({ settleMs: 3_600_000, observe }).run(stop.signal);
    await waitFor("the folder was scanned", () => scans > 1);
    renameSync(path, join(folder.path, "a.xml"));
    await waitFor("the feed is taken", () => folder.taken().length > 0);
    stop.abort();
    await running;
    expect(folder.files()).toContain("done/a.xml");
  });
});

describe("a failure that is not the feed's", () => {
  test("of the store leaves the feed where it is, is reported once, and is tried again", async (folder) => {
    const stop = new AbortController();
    let attempts = 0;
    const openStore = folder.openStore;
    folder.openStore = async () => {
      if (++attempts < 4) throw new StoreError("PostgreSQL does not respond; start the server.");
      return await openStore();
    };
    folder.put("a.xml", feedXml());
    const running = folder.watcher().run(stop.signal);
    await waitFor("the second attempt has failed", () => attempts >= 2);
    expect(folder.files()).toEqual(["a.xml"]);
    await waitFor("the feed is taken", () => folder.taken().length > 0);
    stop.abort();
    await running;
    const states = folder.events.flatMap((event) => (event.kind === "watch" ? [event.state] : []));
    expect(states).toEqual(["watched", "blocked", "watched", "left"]);
    expect(folder.taken()).toEqual(["changed a.xml"]);
  });

  test("of one feed holds its sender only", async (folder) => {
    folder.put("1.xml", feedXml());
    folder.put("2.xml", feedXml({ sent: "20240102" }));
    folder.put("other.xml", feedXml({ sender: "B", isbn: "9788437604954" }));
    aroundImports(folder, async (begin) => {
      // A defect of the program: not an error that an operator can fix.
      if (folder.taken().length === 0) throw new TypeError("x is not a function");
      return await begin();
    });
    const totals = await folder.takeOnce({ retryMs: 3_600_000 });
    expect(folder.taken()).toEqual(["postponed 1.xml", "changed other.xml"]);
    expect([totals.failed, folder.files().filter((name) => !name.includes("/"))]).toEqual([
      1,
      ["1.xml", "2.xml"],
    ]);
  });

  test("of a folder for feeds that were taken comes before the import", async (folder) => {
    folder.put("sub/a.xml", feedXml());
    folder.put("sub/done", "not a folder");
    folder.put("b.xml", feedXml({ sender: "B", isbn: "9788437604954" }));
    await folder.takeOnce();
    expect(folder.taken()).toEqual(expect.arrayContaining(["postponed sub/a.xml", "changed b.xml"]));
    expect([await folder.title(), folder.files()]).toEqual([
      undefined,
      expect.arrayContaining(["sub/a.xml"]),
    ]);
  });

  test("of a link in place of that folder, put there during the import, moves nothing through it", async (folder) => {
    using elsewhere = new TempFolder();
    const done = join(folder.path, "done");
    folder.put("a.xml", feedXml());
    afterFirstCommit(folder, () => {
      rmSync(done, { recursive: true });
      symlinkSync(elsewhere.path, done);
    });
    expect(await folder.takeOnce()).toMatchObject({ changed: 0 });
    expect(readdirSync(elsewhere.path)).toEqual([]);
    rmSync(done);
    await folder.takeOnce();
    expect(folder.files()).toEqual(["done/a.xml", "done/a.xml.report.json"]);
  });

  test("ends the watcher when its folder is replaced, because the lock is lost", async (folder) => {
    const running = folder.watcher().run(new AbortController().signal);
    rmSync(folder.path, { recursive: true });
    mkdirSync(folder.path);
    expect(running).rejects.toThrow(/feeds was removed, unmounted or replaced/);
    await running.catch(() => {});
  });
});

test("the operator's command gets outcome, paths and counts", async (folder) => {
  const output = join(folder.path, "..", "hook.txt");
  folder.put("a.xml", feedXml({ sender: "Casa & Co".replace("&", "&amp;") }));
  folder.put("b.xml", "<x");
  const onImport = `printf '%s|' "$COLOPHON_OUTCOME" "$COLOPHON_FEED_NAME" "$COLOPHON_SENDER" "$COLOPHON_PRODUCTS" >> ${output}
    test -f "$COLOPHON_FEED" && test -f "$COLOPHON_REPORT" && echo "$COLOPHON_REASON" >> ${output}`;
  await folder.takeOnce({ onImport });
  const [applied, refused] = readFileSync(output, "utf8").split("\n");
  expect(applied).toBe("changed|a.xml|Casa & Co|1|");
  expect(refused).toStartWith("refused|b.xml|||b.xml: line 1");
  expect(folder.events.filter(({ kind }) => kind === "hook")).toEqual([]);
});

/** Does something between the first commit of an import and what follows it. */
function afterFirstCommit(folder: DropFolder, act: () => void): void {
  let commits = 0;
  aroundImports(folder, async (begin) => {
    const transaction = await begin();
    const commit = transaction.commit.bind(transaction);
    transaction.commit = async (...args) => {
      await commit(...args);
      if (++commits === 1) act();
    };
    return transaction;
  });
}

type BeginImport = WatchedStore["beginImport"];

/** Replaces how the imports of a folder begin. */
function aroundImports(folder: DropFolder, around: (begin: BeginImport) => ReturnType<BeginImport>): void {
  const openStore = folder.openStore;
  folder.openStore = async () => {
    const store = await openStore();
    const begin = store.beginImport.bind(store);
    store.beginImport = () => around(begin);
    return store;
  };
}
