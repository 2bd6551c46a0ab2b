/** Lists the files of a watched folder and of its subfolders, one level deep. Only regular files are feeds. Names tell which of them are complete. */
import type { BigIntStats, Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { toFolderProblem } from "./folder-problem.ts";

/** The folders for feeds that were taken. Feeds in subfolders have their own. */
export const DONE_FOLDER = "done";
export const REFUSED_FOLDER = "refused";

/** Added to the name of a feed. */
export const REPORT_SUFFIX = ".report.json";

/** WinSCP writes `.filepart`, browsers `.crdownload`, many programs `.part` and `.tmp`. */
const UNFINISHED = /(\.(part|partial|filepart|tmp|temp|crdownload|download|uploading|writing)|~)$/i;

/**
 * Returns whether a file is ignored until it is renamed. Hidden files are: rsync writes `.name.XXXXXX`, ProFTPD
 * `.in.name.`, and the watcher its journal.
 */
export function isUnfinishedName(name: string): boolean {
  return name.startsWith(".") || UNFINISHED.test(name);
}

/** Returns whether a subfolder may have feeds. */
export function isFeedFolder(name: string): boolean {
  return !name.startsWith(".") && name !== DONE_FOLDER && name !== REFUSED_FOLDER;
}

/** Returns the name with a number before its extensions: `a.xml.gz` becomes `a.2.xml.gz`. */
export function numberedName(name: string, number: number): string {
  return name.replace(/(?:\.(?:xml|onix|gz|zip))*$/i, (extensions) => `.${number}${extensions}`);
}

/** A file in a watched folder, as a scan has found it. */
export interface FoundFile {
  /** The path below the watched folder: `a.xml`, or `sender/a.xml`. */
  readonly name: string;
  /** The absolute path of the folder that it lies in. */
  readonly folder: string;
  /** The absolute path. */
  readonly path: string;
  readonly stamp: FileStamp;
}

/** Tells whether a file is still the same, with the same content. */
interface FileStamp {
  readonly inode: bigint;
  readonly sizeBytes: number;
  readonly modifiedNs: bigint;
  /** The time at which the file was created. Is 0 where the file system does not know it. */
  readonly createdNs: bigint;
}

export function stampOf(stats: BigIntStats): FileStamp {
  return {
    inode: stats.ino,
    sizeBytes: Number(stats.size),
    modifiedNs: stats.mtimeNs,
    createdNs: stats.birthtimeNs,
  };
}

/** Returns a text that is the same as long as the file is not written. Device numbers can change with a restart. */
export function contentKey({ inode, sizeBytes, modifiedNs }: FileStamp): string {
  return `${inode}:${sizeBytes}:${modifiedNs}`;
}

/**
 * Returns a text that stays the same when the file is written or renamed. An inode alone is used again by the next file.
 * Undefined where the file system does not know when a file was created.
 */
export function fileKey({ inode, createdNs }: FileStamp): string | undefined {
  return createdNs > 0n ? `${inode}:${createdNs}` : undefined;
}

export function modifiedMs({ modifiedNs }: FileStamp): number {
  return Number(modifiedNs / 1_000_000n);
}

export interface FolderScan {
  readonly files: readonly FoundFile[];
  /** Files with a name that says that they are not complete. */
  readonly unfinished: readonly FoundFile[];
  /** Sentences about files and subfolders that cannot be read. */
  readonly problems: readonly string[];
}

/** File systems limit names to 255 bytes. The report of a feed has its name with a suffix, and maybe a number. */
const MAX_NAME_BYTES = 255 - REPORT_SUFFIX.length - 3;

/** A readable name never has it: it stands for bytes that are not UTF-8. */
const REPLACEMENT = "\ufffd";

/** @throws {FolderProblem} when the folder itself cannot be read */
export async function scanFolder(root: string): Promise<FolderScan> {
  const scan = { files: [] as FoundFile[], unfinished: [] as FoundFile[], problems: [] as string[] };
  const subfolders: string[] = [];
  try {
    for (const entry of await readdir(root, { withFileTypes: true })) {
      if (entry.isDirectory() && isFeedFolder(entry.name)) subfolders.push(entry.name);
      else await addFile(scan, root, "", entry);
    }
  } catch (error) {
    throw toFolderProblem(error, root, "read and write");
  }
  for (const subfolder of subfolders) {
    const folder = join(root, subfolder);
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      for (const entry of entries) await addFile(scan, folder, `${subfolder}/`, entry);
    } catch (error) {
      const { message } = toFolderProblem(error, folder, "read and write") as Error;
      addProblem(scan, error, folder, message);
    }
  }
  return scan;
}

/** A folder that has just been removed needs no message. */
function addProblem(scan: { problems: string[] }, error: unknown, path: string, message: string): void {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (code !== "ENOENT") scan.problems.push(message);
  else if (basename(path).includes(REPLACEMENT)) {
    scan.problems.push(`${path} cannot be read, because its name is not UTF-8; rename it.`);
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
    if (isUnfinishedName(entry.name)) scan.unfinished.push(file);
    else if (Buffer.byteLength(entry.name) <= MAX_NAME_BYTES) scan.files.push(file);
    else
      scan.problems.push(
        `${path} cannot be taken: its name is longer than ${MAX_NAME_BYTES} bytes; rename it.`,
      );
  } catch (error) {
    addProblem(scan, error, path, `${path} cannot be read (${(error as Error).message}).`);
  }
}
