/** Moves feeds whose import has ended to `done` or `refused`, with their report beside them. Overwrites nothing. */
import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import type { FeedOutcome } from "../watch-event.ts";
import { FolderProblem, toFolderProblem } from "./folder-problem.ts";
import { DONE_FOLDER, type FoundFile, numberedName, REFUSED_FOLDER, REPORT_SUFFIX } from "./folder-scan.ts";

function outcomeFolder(outcome: FeedOutcome): string {
  return outcome === "refused" ? REFUSED_FOLDER : DONE_FOLDER;
}

/**
 * Creates `done` and `refused` beside a feed, before it is imported. A link in their place would lead out of the folder,
 * and another file system would need a copy instead of a rename.
 */
export function prepareFolders(folder: string): void {
  for (const name of [DONE_FOLDER, REFUSED_FOLDER]) {
    const path = join(folder, name);
    try {
      if (!lstatSync(path, { throwIfNoEntry: false })) mkdirSync(path);
      const stats = lstatSync(path);
      if (!stats.isDirectory()) {
        throw new FolderProblem(`${path} is not a folder, so that feeds cannot be moved to it; remove it.`);
      }
      if (stats.dev !== statSync(folder).dev) {
        throw new FolderProblem(
          `${path} is on another file system than the feeds, so that they cannot be moved to it; unmount it.`,
        );
      }
    } catch (error) {
      throw toFolderProblem(error, folder, "read and write");
    }
  }
}

/** Returns a name that neither a feed nor a report has in the folder of the outcome. */
export function freeTarget(
  { folder, path }: Pick<FoundFile, "folder" | "path">,
  outcome: FeedOutcome,
): string {
  const name = basename(path);
  for (let number = 1; ; number++) {
    const target = number === 1 ? name : numberedName(name, number);
    const taken = join(folder, outcomeFolder(outcome), target);
    if (!existsSync(taken) && !existsSync(taken + REPORT_SUFFIX)) return target;
  }
}

/** The report while the import runs, beside the feed. */
export function reportPath(folder: string, id: string): string {
  return join(folder, `.colophon-${id}${REPORT_SUFFIX}`);
}

interface FiledPaths {
  readonly feed: string;
  readonly report: string;
}

/** Moves the feed and its report. Can be repeated: what has been moved already stays. */
export function fileFeed(
  { folder, path }: Pick<FoundFile, "folder" | "path">,
  id: string,
  outcome: FeedOutcome,
  target: string,
  isFeedInPlace: boolean,
): FiledPaths {
  const feed = join(folder, outcomeFolder(outcome), target);
  const report = feed + REPORT_SUFFIX;
  const unmovedReport = reportPath(folder, id);
  try {
    if (existsSync(unmovedReport)) renameSync(unmovedReport, report);
    if (isFeedInPlace) renameSync(path, feed);
  } catch (error) {
    throw toFolderProblem(
      error,
      path,
      `write, rename and delete in ${folder}, where it lies, and not only to read`,
    );
  }
  return { feed, report };
}

export function removeReport(folder: string, id: string): void {
  rmSync(reportPath(folder, id), { force: true });
}

/** Returns whether the report was written to its end, which a crash prevents. */
export function isReportComplete(folder: string, id: string): boolean {
  const path = reportPath(folder, id);
  if (!existsSync(path)) return false;
  const end = Buffer.alloc(REPORT_END.length);
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    readSync(descriptor, end, 0, end.length, Math.max(0, size - end.length));
  } finally {
    closeSync(descriptor);
  }
  return end.toString() === REPORT_END;
}

/** `ReportFile` ends with it. Within a report, line feeds of texts are escaped. */
const REPORT_END = "\n}\n";

/** Writes a report in place of one that a crash has cut off. */
export function replaceReport(folder: string, id: string, report: object): void {
  writeFileSync(reportPath(folder, id), `${JSON.stringify(report, undefined, 1)}\n`);
}
