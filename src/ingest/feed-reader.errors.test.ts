/** Feeds that the reader rejects, each with a one-line reason and a position. */
import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { unpackDocuments } from "../feed/container.ts";
import { FeedError } from "../feed/feed-error.ts";
import { bytesOf, encodeAs, streamOf } from "../feed/testing/streams.ts";
import { readDocument } from "./testing/read-document.ts";

async function rejection(...chunks: Uint8Array[]): Promise<string> {
  const reason = await rejectionWith(undefined, ...chunks);
  for (const chunkBytes of [16, 100]) expect(await rejectionWith(chunkBytes, ...chunks)).toBe(reason);
  return reason;
}

async function rejectionWith(chunkBytes: number | undefined, ...chunks: Uint8Array[]): Promise<string> {
  try {
    for await (const _ of readDocument(streamOf(...chunks), chunkBytes));
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    expect(error.reason).not.toMatch(/\p{Cc}/u);
    expect(error.message).toEndWith(error.reason);
    return `${error.line}:${error.column} ${error.reason}`;
  }
  return "no error";
}

/** Splits the bytes into chunks of one byte. */
function bytewise(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte));
}

const SUPPORTED = "only ONIX 3.0 and 3.1 are supported; ask the sender for ONIX 3.0 or 3.1";
const NO_VERSION =
  "unknown ONIX version: the root element has no release attribute and no ONIX namespace; ask the sender to state release 3.0 or 3.1";
const OTHER_ROOT = ", not <ONIXMessage>; ask the sender for a message of ONIX 3.0 or 3.1";
const START = '<ONIXMessage release="3.0">';
const END = "</ONIXMessage>";

describe("readDocument rejects a feed that is not ONIX 3", () => {
  test.each([
    ["", "1:1 the feed is empty"],
    ["\ufeff", "1:1 the feed contains only whitespace"],
    [" \r\n\r \t\n", "4:1 the feed contains only whitespace"],
    ['{"products": []}', "1:1 JSON, not XML"],
    ["\r\n  [1, 2]", "2:3 JSON, not XML"],
    ["\ufeff{}", "1:1 JSON, not XML"],
    ["isbn;title\n9788400000004;x\n", "1:1 text that is not XML"],
    ["%PDF-1.7\n", "1:1 a PDF file, not XML"],
    ["<!DOCTYPE html>\n<html><body><p>Log in</html>", "1:1 an HTML page, not a feed"],
    ["\n<!doctype html><title>404", "2:1 an HTML page, not a feed"],
    ["<html lang=en>", "1:1 an HTML page, not a feed"],
    ['<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"/>', "2:1 an HTML page, not a feed"],
    ['<rss version="2.0"><channel/></rss>', `1:1 the root element is <rss>${OTHER_ROOT}`],
    ["<!-- c -->\n <feed/>", `2:2 the root element is <feed>${OTHER_ROOT}`],
    ["<onixmessage release='3.0'/>", `1:1 the root element is <onixmessage>${OTHER_ROOT}`],
    ["<Product/>", `1:1 the root element is <Product>${OTHER_ROOT}`],
    ["<product/>", `1:1 the root element is <product>${OTHER_ROOT}`],
    ['<ONIXMessage release="2.1"/>', `1:1 ONIX 2.1: ${SUPPORTED}`],
    ['<ONIXmessage release="2.0"/>', `1:1 ONIX 2.0: ${SUPPORTED}`],
    ['<ONIXMessage release="3.2"/>', `1:1 ONIX 3.2: ${SUPPORTED}`],
    ['<ONIXMessage release="3"/>', `1:1 ONIX 3: ${SUPPORTED}`],
    ['<ONIXMessage release="3.01"/>', `1:1 ONIX 3.01: ${SUPPORTED}`],
    [
      '<ONIXMessage release="2.1" xmlns="http://ns.editeur.org/onix/3.0/reference"/>',
      `1:1 ONIX 2.1: ${SUPPORTED}`,
    ],
    ['<ONIXMessage xmlns="http://www.editeur.org/onix/2.1/reference"/>', `1:1 ONIX 2.1: ${SUPPORTED}`],
    ['<ONIXMessage xmlns:release="3.0"/>', `1:1 ${NO_VERSION}`],
    ["<ONIXMessage/>", `1:1 ${NO_VERSION}`],
    ["<ONIXmessage><product/></ONIXmessage>", `1:1 ${NO_VERSION}`],
    ['<ONIXMessage xmlns="urn:x"/>', `1:1 ${NO_VERSION}`],
    [
      '<!DOCTYPE ONIXMessage SYSTEM "http://www.editeur.org/onix/2.1/reference/onix-international.dtd">\n<ONIXMessage/>',
      `2:1 ONIX 2.1 (by its DTD): ${SUPPORTED}`,
    ],
  ])("%j: %s", async (text, reason) => {
    expect(await rejection(bytesOf(text))).toBe(reason);
    expect(await rejection(...bytewise(bytesOf(text)))).toBe(reason);
  });

  test.each([
    ["gzip", [0x1f, 0x8b, 8, 0], "1:1 gzip inside an archive, not XML: unpack it first"],
    ["zip", [0x50, 0x4b, 3, 4], "1:1 a zip archive inside an archive, not XML: unpack it first"],
    ["a JPEG image", [0xff, 0xd8, 0xff, 0xe0, 0, 0x10], "1:1 binary data, not XML"],
    ["an ELF program", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0], "1:1 binary data, not XML"],
    ["zeros", [0, 0, 0, 0, 0, 0, 0, 0], "1:1 binary data, not XML"],
    [
      "EBCDIC",
      [0x4c, 0x6f, 0xa7, 0x94, 0x93],
      "1:1 the encoding EBCDIC is not supported: save the feed as UTF-8",
    ],
    ["7z", [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], "1:1 a 7z archive: only gzip and zip are unpacked"],
  ])("%s", async (_, bytes, reason) => {
    expect(await rejection(Uint8Array.from(bytes))).toBe(reason);
  });

  test("gzip inside gzip", async () => {
    const feed = bytesOf(`${START}${END}`);
    for await (const { bytes } of unpackDocuments(streamOf(gzipSync(gzipSync(feed))), "x.gz")) {
      const reading = readDocument(bytes).next();
      expect(reading).rejects.toThrow("line 1, column 1: gzip inside an archive, not XML: unpack it first");
      await reading.catch(() => {});
    }
  });
});

describe("readDocument rejects undecodable text", () => {
  const declared = (name: string) => `<?xml version="1.0" encoding="${name}"?>${START}${END}`;
  test.each([
    ["IBM850", '1:1 the encoding "IBM850" is not supported: save the feed as UTF-8'],
    ["UTF-7", '1:1 the encoding "UTF-7" is not supported: save the feed as UTF-8'],
    ["klingon", '1:1 the encoding "klingon" is not supported: save the feed as UTF-8'],
  ])("in the encoding %s, by name", async (name, reason) => {
    expect(await rejection(bytesOf(declared(name)))).toBe(reason);
  });

  const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));
  test.each([
    ["a byte of ISO-8859-1 in UTF-8", latin1(`${START}\n <a>caf\xe9 </a>${END}`), "2:8 not valid as UTF-8"],
    [
      "a byte of ISO-8859-1 that is declared as UTF-8",
      latin1(`<?xml version="1.0" encoding="UTF-8"?>${START}\xff${END}`),
      "1:66 not valid as UTF-8",
    ],
    [
      "a wrong byte after characters of several bytes",
      Buffer.concat([bytesOf(`${START}é😀`), Uint8Array.of(0xc3, 0x28)]),
      "1:30 not valid as UTF-8",
    ],
    [
      "a surrogate in UTF-8",
      Buffer.concat([bytesOf(START), Uint8Array.of(0xed, 0xa0, 0x80)]),
      "1:28 not valid as UTF-8",
    ],
    [
      "an overlong sequence in UTF-8",
      Buffer.concat([bytesOf(START), Uint8Array.of(0xc0, 0xbc)]),
      "1:28 not valid as UTF-8",
    ],
    [
      "a truncated sequence in UTF-8",
      Buffer.concat([bytesOf(`${START}x`), Uint8Array.of(0xf0, 0x9f, 0x98)]),
      "1:29 not valid as UTF-8",
    ],
    [
      "a high surrogate alone in UTF-16",
      encodeAs(`\ufeff${START}\n\ud83dx${END}`, "utf-16le"),
      "2:1 not valid as UTF-16LE",
    ],
    [
      "a low surrogate alone in UTF-16",
      encodeAs(`\ufeff${START}\n\ude00x${END}`, "utf-16be"),
      "2:1 not valid as UTF-16BE",
    ],
    [
      "half a code unit of UTF-16",
      encodeAs(`\ufeff${START}${END}`, "utf-16be").slice(0, -1),
      "1:41 not valid as UTF-16BE",
    ],
    [
      "a number beyond Unicode in UTF-32",
      Buffer.concat([encodeAs(`\ufeff${START}`, "utf-32le"), Uint8Array.of(0, 0, 0x11, 0)]),
      "1:28 not valid as UTF-32",
    ],
    [
      "half a code unit of UTF-32",
      Buffer.concat([encodeAs(`\ufeff${START}`, "utf-32be"), Uint8Array.of(0, 0)]),
      "1:28 not valid as UTF-32",
    ],
  ])("with %s", async (_, bytes, reason) => {
    expect(await rejection(bytes)).toBe(reason);
    expect(await rejection(...bytewise(bytes))).toBe(reason);
  });

  test("but reports an XML error that comes before the wrong byte", async () => {
    expect(await rejection(latin1(`${START}<a b=1>\xff`))).toBe(
      "1:33 not well-formed: unquoted attribute value",
    );
  });

  test("with the right position deep in a long feed", async () => {
    const lines = "<Product>é</Product>\n".repeat(20_000);
    expect(await rejection(bytesOf(`${START}\n${lines}`), Uint8Array.of(0x20, 0xff))).toBe(
      "20002:2 not valid as UTF-8",
    );
  });
});
