import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { unpackDocuments } from "../feed/container.ts";
import { fileBytes } from "./feed-source.ts";

function withFile<T>(content: Uint8Array, use: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "colophon-file-bytes-"));
  const path = join(folder, "file");
  writeFileSync(path, content);
  return use(path).finally(() => rmSync(folder, { recursive: true }));
}

const random = Uint8Array.from(
  { length: 1_000_003 },
  (_, index) => (index * index * 31 + (index >> 7)) & 0xff,
);

test("fileBytes yields the content of a file", async () => {
  await withFile(random, async (path) => {
    const parts: Uint8Array[] = [];
    for await (const slice of fileBytes(path)) parts.push(slice.slice());
    expect(Buffer.concat(parts).equals(random)).toBe(true);
  });
});

test("fileBytes yields nothing for an empty file", async () => {
  await withFile(new Uint8Array(0), async (path) => {
    expect(await Array.fromAsync(fileBytes(path))).toEqual([]);
  });
});

test("fileBytes keeps slices valid as long as the reader of archives needs them", async () => {
  const text = `<a>${Buffer.from(random.subarray(0, 300_000)).toString("hex")}</a>`;
  const stored = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`${n}.xml`, Buffer.from(text)]));
  for (const level of [0, 6] as const) {
    await withFile(zipSync(stored, { level }), async (path) => {
      const found: string[] = [];
      for await (const { bytes } of unpackDocuments(fileBytes(path), "z")) {
        const parts: Uint8Array[] = [];
        for await (const slice of bytes) parts.push(slice.slice());
        found.push(Buffer.concat(parts).toString());
      }
      expect(found.length).toBe(5);
      expect(found.every((each) => each === text)).toBe(true);
    });
  }
});
