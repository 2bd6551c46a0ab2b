import type { KeptImport } from "../../catalog/history/import-history.ts";

/** The folders of an absolute path, and the host and database of a server, which clients have no business with. */
const FOLDERS = /(?:^|(?<=[\s("']))\/(?:[^\s/"'():]+\/)+/g;
/** The folders of a path that a message begins with, which may have spaces. */
const LEADING_FOLDERS = /^\.{0,2}\/(?:[^:]*\/)?(?=[^/:]+: )/;
const SERVER = / at \S+:\d+\/\S+/g;

/**
 * Returns the reason of a failure for clients of the API: without the folders of feeds, and without where the catalog is.
 * Operators see all of it with `colophon history`.
 */
export function publicMessage({ message, feeds }: KeptImport): string | undefined {
  if (message === undefined) return undefined;
  return withoutFolder(message, feeds).replace(LEADING_FOLDERS, "").replace(FOLDERS, "").replace(SERVER, "");
}

/** A message about a feed begins with its path, that of a file in an archive with the path of the archive. */
function withoutFolder(message: string, feeds: KeptImport["feeds"]): string {
  const path = message.slice(0, message.indexOf(": ") + 1);
  for (const { name } of feeds) {
    const start = Math.max(path.indexOf(`/${name}:`), path.indexOf(`/${name}/`)) + 1;
    if (start > 0) return message.slice(start);
  }
  return message;
}
