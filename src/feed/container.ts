/** Unpacks a file into its XML documents. The first bytes tell a gzip file, a zip archive and a plain document apart. */
import { createGunzip } from "node:zlib";
import { ByteSource } from "./byte-source.ts";
import { detectEncoding } from "./document-encoding.ts";
import { FeedError, printable } from "./feed-error.ts";
import { describeNonXmlText, isCompressed } from "./file-type.ts";
import { Inflater } from "./inflate.ts";
import { zipEntries } from "./zip.ts";

interface FeedDocument {
  /** The name of the file; for a zip entry, the archive's name, a slash and the entry's name. */
  readonly name: string;
  /** Must be read before the next document is requested; bytes that are left unread are skipped. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Unpacks lazily, at the pace of the consumer. Slices of `bytes` must be valid until the request after the next. Calls
 * `skipped` with the name of each file in a zip archive that is not read.
 * @throws {FeedError} for a damaged or encrypted archive, and for one without feeds
 */
export async function* unpackDocuments(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  skipped: (name: string, reason: SkipReason) => void = () => {},
): AsyncGenerator<FeedDocument, void, undefined> {
  const source = new ByteSource(bytes);
  try {
    const [a, b, c, d] = await source.peek(4);
    if (a === 0x1f && b === 0x8b) yield { name, bytes: gunzip(source) };
    // PK 3 4 begins an entry, PK 5 6 an archive without entries, PK 7 8 an archive in several files.
    else if (
      a === 0x50 &&
      b === 0x4b &&
      ((c === 3 && d === 4) || (c === 5 && d === 6) || (c === 7 && d === 8))
    ) {
      yield* unzip(source, name, skipped);
    } else yield { name, bytes: source };
  } finally {
    await source.close();
  }
}

async function* gunzip(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  const inflater = new Inflater(createGunzip({ chunkSize: 65_536 }));
  try {
    for (;;) {
      const slice = await source.next();
      yield* slice ? await inflater.push(slice) : await inflater.finish();
      if (!slice) return;
    }
  } catch (error) {
    throw inflater.failure === undefined ? error : new FeedError(`gzip: ${inflater.failure}`);
  } finally {
    inflater.close();
  }
}

async function* unzip(
  source: ByteSource,
  name: string,
  skipped: (name: string, reason: SkipReason) => void,
): AsyncGenerator<FeedDocument, void, undefined> {
  let feeds = 0;
  const others: string[] = [];
  for await (const entry of zipEntries(source)) {
    const path = filePath(entry.name);
    if (path === undefined) continue;
    const content = new ByteSource(entry.bytes);
    const reason = skipReason(path, await content.peek(ENTRY_HEAD_BYTES));
    if (reason === undefined) {
      feeds++;
      yield { name: `${name}/${path}`, bytes: content };
    } else {
      others.push(path);
      skipped(`${name}/${path}`, reason);
    }
  }
  if (feeds > 0) return;
  throw new FeedError(
    others.length === 0
      ? "zip: the archive contains no document"
      : `zip: the archive contains no XML document, only ${printable(others.join(", "))}`,
  );
}

/** How many bytes of an entry `skipReason` needs. */
const ENTRY_HEAD_BYTES = 1024;

const FEED_NAME = /\.(?:xml|onix|onx)$/i;
/** Formats that are never feeds, also those that are XML or zip inside. */
const OTHER_NAME =
  /\.(?:html?|xhtml|css|js|svg|xsd|dtd|mod|elt|ent|xslt?|rng|rnc|sch|jpe?g|png|gif|tiff?|webp|bmp|pdf|epub|docx?|xlsx?|pptx?|od[tsp]|mp[34])$/i;

/** Why a file of an archive is not read. `hidden-feed`: it is hidden, and has to be read otherwise. */
export type SkipReason = "not-a-feed" | "hidden" | "hidden-feed";

/** Returns the path of an entry as a person would write it: `./feed.xml` is `feed.xml`. Undefined for a folder. */
function filePath(name: string): string | undefined {
  // APPNOTE.TXT §4.4.17.1 demands slashes; some programs write backslashes.
  const parts = name.split(/[/\\]/);
  const isFolder = parts.at(-1) === "";
  return isFolder ? undefined : parts.filter((part) => part !== "" && part !== ".").join("/");
}

/** Returns the reason to skip a file, or undefined when it is a feed. `head` is the beginning of the file. */
function skipReason(path: string, head: Uint8Array): SkipReason | undefined {
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
