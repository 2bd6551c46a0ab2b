/** What a crash leaves, at each step of taking a feed. */

import { expect } from "bun:test";
import { existsSync, lstatSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testsWith } from "../../lib/testing/tests-with.ts";
import { runImport } from "../import-run.ts";
import { foundFeed } from "./feed-file.ts";
import { reportPath } from "./folder/filing.ts";
import { contentKey, stampOf } from "./folder/folder-scan.ts";
import { type Decision, Journal } from "./journal.ts";
import { DropFolder, feedXml } from "./testing/feeds.ts";

const test = testsWith(() => new DropFolder());

const RULES = { replace: false, allowRemovals: false, inOrder: false };
const OBSERVER = { waiting() {}, complaint() {}, removed() {}, progress() {}, async feedsRead() {} };

/** Leaves a feed as a watcher does that is killed: with its entry in the journal, imported or not. */
async function crash(
  folder: DropFolder,
  name: string,
  { isImported, decision, lastNumber = 0 }: { isImported: boolean; decision?: Decision; lastNumber?: number },
): Promise<void> {
  const path = join(folder.path, name);
  const stamp = stampOf(lstatSync(path, { bigint: true }));
  const sha256 = new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex");
  const journal = new Journal(folder.path);
  journal.begin({ id: "1", name, contentKey: contentKey(stamp), sha256, lastNumber });
  if (decision) journal.decide("1", decision);
  journal.close();
  writeFileSync(reportPath(folder.path, "1"), '{\n"complaints": [');
  if (!isImported) return;
  const store = await folder.openStore();
  const feed = foundFeed({ name, folder: folder.path, path, stamp }, new AbortController().signal);
  await runImport(store, [feed], RULES, OBSERVER);
  await store.close();
}

/** Returns the number of imports that the catalog has. */
async function importCount(folder: DropFolder): Promise<number> {
  const store = await folder.openStore();
  const sha256 = new Bun.CryptoHasher("sha256").update(feedXml()).digest("hex");
  const number = (await store.appliedFeeds([sha256])).get(sha256) ?? 0;
  await store.close();
  return number;
}

test("a feed whose import was committed is only moved", async (folder) => {
  folder.put("a.xml", feedXml());
  await crash(folder, "a.xml", { isImported: true });
  await folder.takeOnce({ settleMs: 10 });
  expect([folder.taken(), await importCount(folder)]).toEqual([["changed a.xml"], 1]);
  expect(folder.files()).toEqual(["done/a.xml", "done/a.xml.report.json"]);
  expect(folder.report("done/a.xml")).toMatchObject({ applied: true, note: expect.any(String) });
});

test("a feed whose import was not committed is imported, after those of other senders", async (folder) => {
  folder.put("a.xml", feedXml());
  folder.put("b.xml", feedXml({ sender: "B", sent: "20250101", isbn: "9788437604954" }));
  await crash(folder, "a.xml", { isImported: false });
  await folder.takeOnce();
  expect(folder.taken()).toEqual(["changed b.xml", "changed a.xml"]);
  expect(folder.report("done/a.xml").note).toBeUndefined();
  expect(folder.files().filter((name) => name.startsWith("."))).toEqual([]);
});

test("the same bytes that were imported before count as a feed of their own", async (folder) => {
  folder.put("first.xml", feedXml());
  await folder.takeOnce();
  folder.put("a.xml", feedXml());
  await crash(folder, "a.xml", { isImported: false, lastNumber: 1 });
  await folder.takeOnce();
  expect([folder.taken(), await importCount(folder)]).toEqual([["changed first.xml", "unchanged a.xml"], 2]);
});

test("another file that has taken the name meanwhile is imported", async (folder) => {
  folder.put("a.xml", feedXml());
  await crash(folder, "a.xml", { isImported: true });
  folder.put("a.xml", feedXml({ title: "Another" }));
  await folder.takeOnce();
  expect([folder.taken(), await folder.title()]).toEqual([["changed a.xml"], "Another"]);
});

test("a feed whose end was decided is moved without the store, and the command runs again", async (folder) => {
  folder.put("a.xml", feedXml());
  const decision = { outcome: "refused", target: "a.7.xml", facts: { REASON: "too old" } } as const;
  await crash(folder, "a.xml", { isImported: false, decision });
  const output = join(folder.path, "..", "hook.txt");
  const onImport = `echo "$COLOPHON_REASON" >> ${output}`;
  folder.openStore = () => Promise.reject(new Error("the store is not needed"));
  await folder.takeOnce({ onImport });
  expect(folder.files()).toEqual(["refused/a.7.xml", "refused/a.7.xml.report.json"]);
  expect(readFileSync(output, "utf8")).toBe("too old\n");
  await folder.takeOnce({ onImport });
  expect(readFileSync(output, "utf8")).toBe("too old\n");
});

test("a feed that was moved before the crash is not missed", async (folder) => {
  folder.put("a.xml", feedXml());
  folder.put("done/b.xml", "another feed");
  const decision = { outcome: "changed", target: "a.xml", facts: {} } as const;
  await crash(folder, "a.xml", { isImported: true, decision });
  renameSync(join(folder.path, "a.xml"), join(folder.path, "done", "a.xml"));
  await folder.takeOnce();
  expect(folder.files()).toEqual(["done/a.xml", "done/a.xml.report.json", "done/b.xml"]);
  const journal = new Journal(folder.path);
  expect(journal.entries()).toEqual([]);
  journal.close();
  expect(existsSync(reportPath(folder.path, "1"))).toBe(false);
});
