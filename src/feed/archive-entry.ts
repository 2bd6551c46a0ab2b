/** Decides which files of a zip archive are feeds, and which are added to it: a readme, covers, a schema. */
import { detectEncoding } from "./document-encoding.ts";
import { describeNonXmlText, isCompressed } from "./file-type.ts";

/** How many bytes of an entry `isFeedEntry` needs. */
export const ENTRY_HEAD_BYTES = 1024;

const FEED_NAME = /\.(?:xml|onix|onx)$/i;
/** Formats that are never feeds, also those that are XML or zip inside. */
const OTHER_NAME =
  /\.(?:html?|xhtml|css|js|svg|xsd|dtd|mod|elt|ent|xslt?|rng|rnc|sch|jpe?g|png|gif|tiff?|webp|bmp|pdf|epub|docx?|xlsx?|pptx?|od[tsp]|mp[34])$/i;

/** Folders, hidden files, and the metadata that macOS adds to archives. */
export function isIgnoredEntry(path: string): boolean {
  return path.endsWith("/") || path.split("/").some((part) => part.startsWith(".") || part === "__MACOSX");
}

/**
 * Returns true when the entry has to be read: by its name, by its content, or because it may have a feed inside.
 * `head` is its beginning. A file named `.xml` is always a feed, so that a damaged one is not overlooked.
 */
export function isFeedEntry(path: string, head: Uint8Array): boolean {
  if (FEED_NAME.test(path)) return true;
  if (OTHER_NAME.test(path)) return false;
  return isCompressed(head) || beginsLikeXml(head);
}

function beginsLikeXml(head: Uint8Array): boolean {
  const bomBytes = detectEncoding(head)?.bomBytes ?? 0;
  // Without the zero bytes of UTF-16 and UTF-32, markup is ASCII in every encoding.
  const ascii = Buffer.from(head.subarray(bomBytes).filter((byte) => byte !== 0)).toString("latin1");
  const text = ascii.trimStart();
  return text !== "" && describeNonXmlText(text) === undefined;
}
