/** Lists the files of a watched folder and of its subfolders, one level deep. Only regular files are feeds. */
import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isFeedFolder, isUnfinishedName } from "./file-names.ts";
import { toFolderProblem } from "./folder-problem.ts";
import { type FoundFile, stampOf } from "./found-file.ts";

export interface FolderScan {
  readonly files: readonly FoundFile[];
  /** Files with a name that says that they are not complete. */
  readonly unfinished: readonly FoundFile[];
  /** Sentences about files and subfolders that cannot be read. */
  readonly problems: readonly string[];
}

/** A readable name never has it: it stands for bytes that are not UTF-8. */
const REPLACEMENT = "\ufffd";

/** @throws {FolderProblem} when the folder itself cannot be read */
export async function scanFolder(root: string): Promise<FolderScan> {
  const scan = { files: [] as FoundFile[], unfinished: [] as FoundFile[], problems: [] as string[] };
  const subfolders: string[] = [];
  for (const entry of await entriesOf(root)) {
    if (entry.isDirectory() && isFeedFolder(entry.name)) subfolders.push(entry.name);
    else await addFile(scan, root, "", entry);
  }
  for (const subfolder of subfolders) {
    const folder = join(root, subfolder);
    try {
      for (const entry of await entriesOf(folder)) await addFile(scan, folder, `${subfolder}/`, entry);
    } catch (error) {
      // A folder that has just been removed needs no message.
      if (codeOf(error) !== "ENOENT") scan.problems.push((error as Error).message);
    }
  }
  return scan;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    throw toFolderProblem(error, folder, "read and write");
  }
}

/** Ignores links, pipes, devices and folders: reading them could block, or leave the folder. */
async function addFile(
  scan: { files: FoundFile[]; unfinished: FoundFile[]; problems: string[] },
  folder: string,
  prefix: string,
  entry: Dirent,
): Promise<void> {
  if (entry.isDirectory()) return;
  const path = join(folder, entry.name);
  try {
    const stats = await lstat(path, { bigint: true });
    if (!stats.isFile()) return;
    const file = { name: prefix + entry.name, folder, path, stamp: stampOf(stats) };
    (isUnfinishedName(entry.name) ? scan.unfinished : scan.files).push(file);
  } catch (error) {
    if (codeOf(error) !== "ENOENT")
      scan.problems.push(`${path} cannot be read (${(error as Error).message}).`);
    else if (entry.name.includes(REPLACEMENT)) {
      scan.problems.push(`${path} cannot be read, because its name is not UTF-8; rename it.`);
    }
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}
