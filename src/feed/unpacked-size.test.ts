import { expect, test } from "bun:test";
import { statSync, truncateSync, writeFileSync } from "node:fs";
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
  ["gzip of several members", Buffer.concat([gzipSync(XML), gzipSync(XML), gzipSync("")]), 2 * XML.length],
  ["zip", zip, 2 * XML.length],
  ["zip with a comment", withComment(zip, "x".repeat(300)), 2 * XML.length],
  ["a cut zip", zip.subarray(0, 100), 1000],
])("the size of %s", (name, bytes, expected) => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  expect(unpackedBytes(path, bytes.length)).toBe(expected);
});

test("the size of long gzip members is at least what the ratio of the first one promises", () => {
  const member = gzipSync(Buffer.from(Array.from({ length: 50_000 }, (_, n) => `<a>${n ** 3}</a>`).join("")));
  const path = join(folder, "long.gz");
  writeFileSync(path, Buffer.concat([member, member, gzipSync(XML)]));
  const one = unpackedBytes(path, member.length);
  expect(member.length).toBeGreaterThan(200_000);
  expect(unpackedBytes(path, statSync(path).size)).toBeGreaterThan(1.9 * one);
  // The trailer of a file of more than 4 GB has only the rest.
  truncateSync(path, 5_000_000_000);
  expect(unpackedBytes(path, 5_000_000_000)).toBeGreaterThan(14_000_000_000);
});

test("the size of damaged gzip is not more than its bytes can stand for, and that of a missing file its own", () => {
  const path = join(folder, "damaged.gz");
  writeFileSync(path, Buffer.concat([gzipSync(XML).subarray(0, 40), Buffer.alloc(100, 255)]));
  expect(unpackedBytes(path, 140)).toBeLessThanOrEqual(140 * 1032);
  expect(unpackedBytes(join(folder, "missing"), 7)).toBe(7);
});

function withComment(archive: Uint8Array, comment: string): Buffer {
  const bytes = Buffer.concat([archive, Buffer.from(comment)]);
  bytes.writeUInt16LE(comment.length, archive.length - 2);
  return bytes;
}
