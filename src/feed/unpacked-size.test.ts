import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { createProcessFolder } from "../lib/testing/process-folder.ts";
import { unpackedBytes } from "./unpacked-size.ts";

const folder = createProcessFolder("unpacked-size-");
const XML = Buffer.from(`<a>${"x".repeat(50_000)}</a>`);
const zip = zipSync({ "a.xml": XML, "folder/b.xml": XML });

test.each([
  ["plain", XML, XML.length],
  ["empty", Buffer.alloc(0), 0],
  ["gzip", gzipSync(XML), XML.length],
  ["zip", zip, 2 * XML.length],
  ["zip with a comment", withComment(zip, "x".repeat(300)), 2 * XML.length],
  ["a cut zip", zip.subarray(0, 100), 1000],
])("the size of %s", (name, bytes, expected) => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  expect(unpackedBytes(path, bytes.length)).toBe(expected);
});

test("a gzip file of more than 4 GB has at least its own size", () => {
  const path = join(folder, "large.gz");
  writeFileSync(path, gzipSync(Buffer.alloc(0)));
  expect(unpackedBytes(path, 5_000_000_000)).toBe(5_000_000_000);
  expect(unpackedBytes(join(folder, "missing"), 7)).toBe(7);
});

function withComment(archive: Uint8Array, comment: string): Buffer {
  const bytes = Buffer.concat([archive, Buffer.from(comment)]);
  bytes.writeUInt16LE(comment.length, archive.length - 2);
  return bytes;
}
