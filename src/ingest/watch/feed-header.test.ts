import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zipSync } from "fflate";
import { TempFolder } from "../../stores/sqlite/testing/folder.ts";
import { readFeedHeader } from "./feed-header.ts";
import { feedXml } from "./testing/feeds.ts";

const XML = feedXml({ sender: "Penguin", sent: "20240203T1200Z", number: "7" });
const SHORT = `<ONIXmessage release="3.0"><header><sender><x298>Penguin</x298></sender>
  <m180>7</m180><x307>20240203T1200Z</x307></header><product><a001>1</a001></product></ONIXmessage>`;
const bytes = (text: string) => new TextEncoder().encode(text);
const WITHOUT_END = bytes(XML).slice(0, XML.indexOf("<Product>") + 20);

async function headerOf(content: Uint8Array) {
  using folder = new TempFolder();
  const path = join(folder.path, "feed");
  writeFileSync(path, content);
  return await readFeedHeader({ name: "feed", folder: folder.path, path, stamp: {} as never });
}

test.each([
  ["reference names", bytes(XML)],
  ["short tags", bytes(SHORT)],
  ["gzip", gzipSync(bytes(XML))],
  ["gzip that is not complete yet", gzipSync(bytes(XML + " ".repeat(500_000))).slice(0, 900)],
  ["zip", zipSync({ "readme.txt": bytes("x"), "feed.xml": bytes(XML) })],
  ["UTF-16", new Uint8Array(Buffer.from(`\ufeff${XML.replace("UTF-8", "UTF-16")}`, "utf16le"))],
  ["a file that is not complete yet", WITHOUT_END],
])("reads sender, time and number from %s", async (_, content) => {
  expect(await headerOf(content)).toMatchObject({
    sender: { key: "name:Penguin", name: "Penguin" },
    sent: "20240203T1200Z",
    messageNumber: "7",
  });
});

test.each([
  ["an empty file", ""],
  ["a text", "Hello"],
  ["a part of a header", XML.slice(0, XML.indexOf("<SentDateTime>"))],
  ["another XML document", "<feed/>"],
])("returns undefined for %s", async (_, content) => {
  expect(await headerOf(bytes(content))).toBeUndefined();
});
