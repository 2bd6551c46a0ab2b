import { expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { ImportError } from "../feed/feed-error.ts";
import { isFileMissing } from "../lib/testing/requirements.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import { ReportFile } from "./report-file.ts";

const FULL_DEVICE = "/dev/full";

/** The paths of the files that this process has open. */
function openPaths(): string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      // The folder itself was open.
      return [];
    }
  });
}

test.skipIf(isFileMissing(FULL_DEVICE))(
  "closes a report that cannot be written, because a watcher tries again for days (skipped without /dev/full)",
  () => {
    const atEnd = new ReportFile(FULL_DEVICE);
    expect(atEnd.end({ refused: "no" }, false)).toContain("cannot be written");
    const before = new ReportFile(FULL_DEVICE);
    const isbns = Array.from({ length: 10_000 }, () => "9780000000002" as Isbn13);
    expect(() => before.addRemoved(isbns)).toThrow(ImportError);
    expect(before.end({ refused: "no" }, false)).toBeUndefined();
    expect(openPaths()).not.toContain(FULL_DEVICE);
  },
);
