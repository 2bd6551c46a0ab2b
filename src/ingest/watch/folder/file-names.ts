/** Names in a watched folder: which files are feeds, and which a transfer has not finished. */

/** The folders for feeds that were taken. Feeds in subfolders have their own. */
export const DONE_FOLDER = "done";
export const REFUSED_FOLDER = "refused";

/** Is added to the name of a feed. */
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
