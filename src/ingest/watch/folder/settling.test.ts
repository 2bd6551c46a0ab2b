import { describe, expect, test } from "bun:test";
import type { FoundFile } from "./folder-scan.ts";
import { Settling } from "./settling.ts";

const SETTLE_MS = 1000;

function file(name: string, sizeBytes: number, inode = 1n, createdNs = 7n): FoundFile {
  const stamp = { inode, sizeBytes, modifiedNs: BigInt(sizeBytes), createdNs };
  return { name, folder: "/in", path: `/in/${name}`, stamp };
}

const names = (files: readonly FoundFile[]) => files.map(({ name }) => name);

/** Returns the names that are complete after each scan. */
function completeAfter(scans: readonly [nowMs: number, files: FoundFile[], unfinished?: FoundFile[]][]) {
  const settling = new Settling(SETTLE_MS);
  return scans.map(([nowMs, files, unfinished = []]) =>
    names(settling.update({ files, unfinished, problems: [] }, nowMs).complete),
  );
}

describe("a file", () => {
  test("is complete when its size and time have been still for the time", () => {
    const a = file("a.xml", 10);
    expect(
      completeAfter([
        [0, [a]],
        [999, [a]],
        [1000, [a]],
      ]),
    ).toEqual([[], [], ["a.xml"]]);
  });

  test("that grows, or is replaced, begins to wait again", () => {
    const grown = file("a.xml", 20);
    const replaced = file("a.xml", 20, 2n);
    const scans = [
      [0, [file("a.xml", 10)]],
      [900, [grown]],
      [1800, [replaced]],
      [2700, [replaced]],
      [2800, [replaced]],
    ];
    expect(completeAfter(scans as never)).toEqual([[], [], [], [], ["a.xml"]]);
  });

  test("that was renamed from an unfinished name is complete at once", () => {
    const renamed = file("a.xml", 10, 5n);
    expect(
      completeAfter([
        [0, [], [file(".a.xml.X", 4, 5n)]],
        [10, [renamed]],
      ]),
    ).toEqual([[], ["a.xml"]]);
  });

  test("with the inode of an unfinished file that is gone is not complete", () => {
    const other = file("a.xml", 10, 5n, 8n);
    expect(
      completeAfter([
        [0, [], [file(".b.xml.X", 4, 5n)]],
        [10, [other]],
      ]),
    ).toEqual([[], []]);
  });

  test("that is empty waits longer", () => {
    const empty = file("a.xml", 0);
    expect(
      completeAfter([
        [0, [empty]],
        [1000, [empty]],
        [6000, [empty]],
      ]),
    ).toEqual([[], [], ["a.xml"]]);
  });
});

test("the oldest file is the one that was found first, however often it is written", () => {
  const settling = new Settling(SETTLE_MS);
  const scan = (files: FoundFile[]) => ({ files, unfinished: [], problems: [] });
  settling.update(scan([file("a.xml", 1)]), 0);
  expect(settling.update(scan([file("a.xml", 2), file("b.xml", 1)]), 500).oldestMs).toBe(500);
});
