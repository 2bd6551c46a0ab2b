/** Decides which files of a zip archive are feeds, and which are added to it: a readme, covers, a schema. */
import { detectEncoding } from "./document-encoding.ts";
import { describeNonXmlText, isCompressed } from "./file-type.ts";

/** How many bytes of an entry `skipReason` needs. */
export const ENTRY_HEAD_BYTES = 1024;

const FEED_NAME = /\.(?:xml|onix|onx)$/i;
/** Formats that are never feeds, also those that are XML or zip inside. */
const OTHER_NAME =
  /\.(?:html?|xhtml|css|js|svg|xsd|dtd|mod|elt|ent|xslt?|rng|rnc|sch|jpe?g|png|gif|tiff?|webp|bmp|pdf|epub|docx?|xlsx?|pptx?|od[tsp]|mp[34])$/i;

/** Why a file of an archive is not read. `hidden-feed`: it is hidden, and has to be read otherwise. */
export type SkipReason = "not-a-feed" | "hidden" | "hidden-feed";

/** Returns the path of an entry as a person would write it: `./feed.xml` is `feed.xml`. Undefined for a folder. */
export function filePath(name: string): string | undefined {
  // APPNOTE.TXT §4.4.17.1 demands slashes; some programs write backslashes.
  const parts = name.split(/[/\\]/);
  const isFolder = parts.at(-1) === "";
  return isFolder ? undefined : parts.filter((part) => part !== "" && part !== ".").join("/");
}

/** Returns the reason to skip a file, or undefined when it is a feed. `head` is the beginning of the file. */
export function skipReason(path: string, head: Uint8Array): SkipReason | undefined {
  if (!isHidden(path)) return isFeedEntry(path, head) ? undefined : "not-a-feed";
  // A name tells nothing here: macOS adds a hidden `._feed.xml` that is no XML for each `feed.xml`.
  return looksLikeFeed(path, head) ? "hidden-feed" : "hidden";
}

/** Hidden files, and the metadata that macOS adds to archives. */
function isHidden(path: string): boolean {
  return path.split("/").some((part) => (part.startsWith(".") && part !== "..") || part === "__MACOSX");
}

/**
 * Returns true when the entry has to be read: by its name, by its content, or because it may have a feed inside.
 * `head` is its beginning. A file named `.xml` is always a feed, so that a damaged one is not overlooked.
 */
function isFeedEntry(path: string, head: Uint8Array): boolean {
  return FEED_NAME.test(path) || looksLikeFeed(path, head);
}

function looksLikeFeed(path: string, head: Uint8Array): boolean {
  return !OTHER_NAME.test(path) && (isCompressed(head) || beginsLikeXml(head));
}

function beginsLikeXml(head: Uint8Array): boolean {
  const bomBytes = detectEncoding(head)?.bomBytes ?? 0;
  // Without the zero bytes of UTF-16 and UTF-32, markup is ASCII in every encoding.
  const ascii = Buffer.from(head.subarray(bomBytes).filter((byte) => byte !== 0)).toString("latin1");
  const text = ascii.trimStart();
  return text !== "" && describeNonXmlText(text) === undefined;
}
