/** A file as it came -> the XML documents in it, told by their first bytes: gzip, zip, or the document itself. */
import { createGunzip } from "node:zlib";
import { ByteSource } from "./byte-source.ts";
import { FeedError } from "./feed-error.ts";
import { Inflater } from "./inflate.ts";
import { zipEntries } from "./zip.ts";

export interface Document {
  /** The file's name; within a zip, the archive's and the entry's. */
  readonly name: string;
  /** To be read before the next document is asked for; what is left of it is passed over. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Nothing is unpacked that nobody asks for. @throws {FeedError} for an archive that is damaged or locked */
export async function* documents(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Document, void, undefined> {
  const source = new ByteSource(bytes);
  try {
    const [a, b, c, d] = await source.peek(4);
    if (a === 0x1f && b === 0x8b) yield { name, bytes: gunzipped(source) };
    // The last two are an archive without entries, and one in several parts.
    else if (
      a === 0x50 &&
      b === 0x4b &&
      ((c === 3 && d === 4) || (c === 5 && d === 6) || (c === 7 && d === 8))
    ) {
      yield* zipped(source, name);
    } else yield { name, bytes: source };
  } finally {
    await source.close();
  }
}

async function* gunzipped(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
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

async function* zipped(source: ByteSource, name: string): AsyncGenerator<Document, void, undefined> {
  let count = 0;
  for await (const entry of zipEntries(source)) {
    if (isHidden(entry.name)) continue;
    count++;
    yield { name: `${name}/${entry.name}`, bytes: entry.bytes };
  }
  if (count === 0) throw new FeedError("zip: no document in the archive");
}

/** Folders, and what macOS and other systems put beside the files. */
function isHidden(path: string): boolean {
  return path.endsWith("/") || path.split("/").some((part) => part.startsWith(".") || part === "__MACOSX");
}
