import type { KeptImport } from "../../catalog/history/import-history.ts";

/** The folders of an absolute path, and the host and database of a server, which clients have no business with. */
const FOLDERS = /(?:^|(?<=[\s("']))\/(?:[^\s/"'():]+\/)+/g;
const SERVER = / at \S+:\d+\/\S+/g;

/**
 * Returns the reason of a failure for clients of the API: without the folders of feeds, and without where the catalog is.
 * Operators see all of it with `colophon history`.
 */
export function publicMessage({ message, feeds }: KeptImport): string | undefined {
  if (message === undefined) return undefined;
  return withoutFolder(message, feeds).replace(FOLDERS, "").replace(SERVER, "");
}

/** A message about a feed begins with its path, which may have spaces. */
function withoutFolder(message: string, feeds: KeptImport["feeds"]): string {
  for (const { name } of feeds) {
    const start = message.indexOf(`/${name}: `) + 1;
    if (start > 0 && !message.slice(0, start).includes(": ")) return message.slice(start);
  }
  return message;
}
