/** Unpacks a file into its XML documents. The first bytes tell a gzip file, a zip archive and a plain document apart. */
import { createGunzip } from "node:zlib";
import { ByteSource } from "./byte-source.ts";
import { FeedError } from "./feed-error.ts";
import { Inflater } from "./inflate.ts";
import { zipEntries } from "./zip.ts";

interface FeedDocument {
  /** The name of the file; for a zip entry, the archive's name, a slash and the entry's name. */
  readonly name: string;
  /** Must be read before the next document is requested; bytes that are left unread are skipped. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Unpacks lazily, at the pace of the consumer. @throws {FeedError} for a damaged or encrypted archive */
export async function* unpackDocuments(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
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
      yield* unzip(source, name);
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

async function* unzip(source: ByteSource, name: string): AsyncGenerator<FeedDocument, void, undefined> {
  let count = 0;
  for await (const entry of zipEntries(source)) {
    if (isIgnoredEntry(entry.name)) continue;
    count++;
    yield { name: `${name}/${entry.name}`, bytes: entry.bytes };
  }
  if (count === 0) throw new FeedError("zip: the archive contains no document");
}

/** Folders, hidden files, and the metadata that macOS adds to archives. */
function isIgnoredEntry(path: string): boolean {
  return path.endsWith("/") || path.split("/").some((part) => part.startsWith(".") || part === "__MACOSX");
}
