/** Unpacks a file into its XML documents. The first bytes tell a gzip file, a zip archive and a plain document apart. */
import { createGunzip } from "node:zlib";
import { ENTRY_HEAD_BYTES, filePath, type SkipReason, skipReason } from "./archive-entry.ts";
import { ByteSource } from "./byte-source.ts";
import { FeedError, printable } from "./feed-error.ts";
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
