import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zipSync } from "fflate";
import type { MessageHeader } from "../../onix/message-header.ts";
import { TempFolder } from "../../stores/sqlite/testing/folder.ts";
import { orderFeeds, readFeedHeader } from "./feed-order.ts";
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
  [
    "a feed with a tag of a product in a comment",
    bytes(XML.replace("<Header>", "<!-- <Product> --><Header>")),
  ],
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
  ["a header that is too long", XML.replace("<Header>", `<!-- <Product> ${"x".repeat(200_000)} --><Header>`)],
  ["another XML document", "<feed/>"],
])("returns undefined for %s", async (_, content) => {
  expect(await headerOf(bytes(content))).toBeUndefined();
});

interface Arrived {
  readonly name: string;
  readonly sender?: string;
  readonly sent?: string;
  readonly number?: string;
  readonly modified?: string;
}

/** Returns the names in their order, whatever the order of the files is. */
function order(...arrived: Arrived[]): string[] {
  const headers = new Map(
    arrived.map(({ name, sender, sent, number }) => [
      name,
      sender === undefined
        ? undefined
        : ({ sender: { key: sender }, sent, messageNumber: number } as MessageHeader),
    ]),
  );
  const files = arrived.map(({ name, modified = "2024-01-01" }) => {
    const modifiedNs = BigInt(Date.parse(modified)) * 1_000_000n;
    return { name, folder: "", path: name, stamp: { inode: 1n, sizeBytes: 1, modifiedNs, createdNs: 0n } };
  });
  const orders = [files, files.toReversed()].map((each) =>
    orderFeeds(each, ({ name }) => headers.get(name)).map(({ file }) => file.name),
  );
  expect(orders[1]).toEqual(orders[0]!);
  return orders[0]!;
}

test("feeds of a sender follow SentDateTime, whatever its precision and zone", () => {
  const sent = ["20240101", "20240102T0900+0200", "2024-01-02T08:00:00Z", "20240103"];
  expect(order(...sent.map((time, index) => ({ name: String(9 - index), sender: "A", sent: time })))).toEqual(
    ["9", "8", "7", "6"],
  );
});

test("feeds of the same time follow their numbers, not as text", () => {
  const number = (name: string, text: string) => ({ name, sender: "A", sent: "20240101", number: text });
  expect(order(number("c", "9"), number("b", "10"), number("a", "11"))).toEqual(["c", "b", "a"]);
});

test("feeds without SentDateTime follow the time of the file, then their name", () => {
  expect(
    order(
      { name: "b", modified: "2024-01-02" },
      { name: "a", modified: "2024-01-02" },
      { name: "c", modified: "2024-01-01" },
      { name: "d", sender: "A", modified: "2024-01-03" },
    ),
  ).toEqual(["c", "a", "b", "d"]);
});

test("feeds of different senders are in one order of time", () => {
  expect(
    order(
      { name: "b2", sender: "B", sent: "20240104" },
      { name: "a1", sender: "A", sent: "20240101" },
      { name: "b1", sender: "B", sent: "20240102" },
      { name: "a2", sender: "A", sent: "20240103" },
    ),
  ).toEqual(["a1", "b1", "a2", "b2"]);
});
