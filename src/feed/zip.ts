/**
 * Streams the entries of a zip archive (APPNOTE.TXT 6.3) in one pass, without the central directory at its end. So it
 * also works on standard input. Checks sizes and checksums, and rejects entries that have none.
 */
import { crc32, createInflateRaw } from "node:zlib";
import { type ByteSource, u16, u32, u64 } from "./byte-source.ts";
import { FeedError, printable } from "./feed-error.ts";
import { Inflater } from "./inflate.ts";

interface ZipEntry {
  readonly name: string;
  /** Must be read before the next entry is requested; bytes that are left unread are skipped. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Signatures: APPNOTE.TXT §4.3.7, §4.3.9, §4.3.12 and §4.3.14 to §4.3.16. */
const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL = 0x02014b50;
const END_64 = 0x06064b50;
const END_64_LOCATOR = 0x07064b50;
const END = 0x06054b50;

/** Compression methods that are not supported, by number (APPNOTE.TXT §4.4.5). */
const UNSUPPORTED_METHODS: Readonly<Record<number, string>> = {
  9: "Deflate64",
  12: "bzip2",
  14: "LZMA",
  93: "zstd",
  95: "xz",
  99: "AES",
};

export async function* zipEntries(source: ByteSource): AsyncGenerator<ZipEntry, void, undefined> {
  for (let count = 0; ; count++) {
    const signature = u32(await need(source, 4));
    if (signature === LOCAL) {
      const header = await readLocalHeader(source);
      const content = unpackEntry(source, header);
      try {
        // The iterator has no `return`, so a consumer that stops early does not end `content`. The rest of the entry
        // is then read and checked below.
        yield {
          name: header.name,
          bytes: { [Symbol.asyncIterator]: () => ({ next: () => content.next() }) },
        };
        while (!(await content.next()).done);
      } finally {
        await content.return();
      }
    } else if (signature === DESCRIPTOR) {
      throw new FeedError("zip: the archive is split into several files: join them first");
    } else {
      await checkDirectory(source, signature, count);
      return;
    }
  }
}

interface LocalHeader {
  readonly name: string;
  readonly isDeflated: boolean;
  /** Sizes and checksum follow the data (APPNOTE.TXT §4.3.9). */
  readonly hasDescriptor: boolean;
  readonly checksum: number;
  readonly compressedBytes: number;
  readonly uncompressedBytes: number;
}

async function readLocalHeader(source: ByteSource): Promise<LocalHeader> {
  const fixed = await need(source, 26);
  const [flags, method] = [u16(fixed, 2), u16(fixed, 4)];
  const name = decodeName(await need(source, u16(fixed, 22)));
  const extra = await need(source, u16(fixed, 24));
  const rejected = (why: string) => new FeedError(`zip: the entry "${printable(name)}" ${why}`);
  if (flags & 1) throw rejected("is encrypted");
  if (method !== 0 && method !== 8) {
    throw rejected(
      `is compressed with ${UNSUPPORTED_METHODS[method] ?? `method ${method}`}: only Deflate is supported`,
    );
  }
  const hasDescriptor = (flags & 8) !== 0;
  let [uncompressedBytes, compressedBytes] = [u32(fixed, 18), u32(fixed, 14)];
  if (uncompressedBytes === 0xffffffff || compressedBytes === 0xffffffff) {
    [uncompressedBytes, compressedBytes] = zip64Sizes(extra) ?? [uncompressedBytes, compressedBytes];
  }
  if (method === 0 && hasDescriptor && compressedBytes === 0 && !name.endsWith("/")) {
    throw rejected("is stored without its size, so its end cannot be found: compress it with Deflate");
  }
  const isDeflated = method === 8;
  return { name, isDeflated, hasDescriptor, checksum: u32(fixed, 10), compressedBytes, uncompressedBytes };
}

/** Reads the sizes of 8 bytes from the extra field 0001 (APPNOTE.TXT §4.5.3). */
function zip64Sizes(extra: Uint8Array): [uncompressedBytes: number, compressedBytes: number] | undefined {
  for (let offset = 0; offset + 4 <= extra.length; offset += 4 + u16(extra, offset + 2)) {
    const [id, length] = [u16(extra, offset), u16(extra, offset + 2)];
    if (id !== 1 || offset + 4 + length > extra.length || length < 16) continue;
    return [u64(extra, offset + 4), u64(extra, offset + 12)];
  }
  return undefined;
}

async function* unpackEntry(
  source: ByteSource,
  header: LocalHeader,
): AsyncGenerator<Uint8Array, void, undefined> {
  const actual: ActualSizes = { checksum: 0, compressedBytes: 0, uncompressedBytes: 0 };
  const content = header.isDeflated ? inflate(source, header, actual) : readStored(source, header, actual);
  for await (const chunk of content) {
    actual.checksum = crc32(chunk, actual.checksum);
    actual.uncompressedBytes += chunk.length;
    yield chunk;
  }
  const matches = header.hasDescriptor
    ? await takeDescriptor(source, actual)
    : actual.checksum === header.checksum &&
      actual.compressedBytes === header.compressedBytes &&
      actual.uncompressedBytes === header.uncompressedBytes;
  if (!matches) throw damaged(header, "its checksum or size is wrong");
}

/** Checksum and sizes of the data as it was read, to be compared with what the archive states. */
interface ActualSizes {
  checksum: number;
  compressedBytes: number;
  uncompressedBytes: number;
}

async function* readStored(source: ByteSource, header: LocalHeader, actual: ActualSizes) {
  while (actual.compressedBytes < header.compressedBytes) {
    const slice = await source.next(header.compressedBytes - actual.compressedBytes);
    if (!slice) throw truncated();
    actual.compressedBytes += slice.length;
    yield slice;
  }
}

async function* inflate(source: ByteSource, header: LocalHeader, actual: ActualSizes) {
  const inflater = new Inflater(createInflateRaw({ chunkSize: 65_536 }));
  let left = header.hasDescriptor ? Number.POSITIVE_INFINITY : header.compressedBytes;
  try {
    while (!inflater.ended) {
      const slice = left > 0 ? await source.next(left) : undefined;
      if (!slice && left > 0) throw truncated();
      left -= slice?.length ?? 0;
      yield* slice ? await inflater.push(slice) : await inflater.finish();
      if (slice && inflater.ended && inflater.excess > 0) source.unread(inflater.excess);
    }
    actual.compressedBytes = inflater.consumed;
  } catch (error) {
    throw inflater.failure === undefined ? error : damaged(header, inflater.failure);
  } finally {
    inflater.close();
  }
}

/**
 * Consumes the data descriptor (APPNOTE.TXT §4.3.9). It may have a signature, and sizes of 4 or 8 bytes; the actual
 * sizes show which form it has. Returns false when no form matches them.
 */
async function takeDescriptor(source: ByteSource, actual: ActualSizes): Promise<boolean> {
  const bytes = await source.peek(24);
  for (const start of [4, 0]) {
    if (start === 4 && (bytes.length < 4 || u32(bytes) !== DESCRIPTOR)) continue;
    for (const isZip64 of [false, true]) {
      const length = start + (isZip64 ? 20 : 12);
      if (bytes.length < length || u32(bytes, start) !== actual.checksum) continue;
      const [compressed, uncompressed] = isZip64
        ? [u64(bytes, start + 4), u64(bytes, start + 12)]
        : [u32(bytes, start + 4), u32(bytes, start + 8)];
      const modulus = isZip64 ? Number.POSITIVE_INFINITY : 2 ** 32;
      if (compressed !== actual.compressedBytes % modulus) continue;
      if (uncompressed !== actual.uncompressedBytes % modulus) continue;
      await source.take(length);
      return true;
    }
  }
  return false;
}

/** Reads the central directory, which comes last: a truncated archive does not have all of it. */
async function checkDirectory(source: ByteSource, firstSignature: number, entries: number): Promise<void> {
  let listed = 0;
  for (let signature = firstSignature; ; signature = u32(await need(source, 4))) {
    if (signature === CENTRAL) {
      const fixed = await need(source, 42);
      await need(source, u16(fixed, 24) + u16(fixed, 26) + u16(fixed, 28));
      listed++;
    } else if (signature === END_64) {
      await skip(source, u64(await need(source, 8), 0));
    } else if (signature === END_64_LOCATOR) {
      await need(source, 16);
    } else if (signature === END) {
      await need(source, 18);
      if (listed === entries) return;
      throw new FeedError(
        `zip: the directory of the archive lists ${listed} entries, but there are ${entries}`,
      );
    } else {
      throw new FeedError("zip: the archive is damaged");
    }
  }
}

async function need(source: ByteSource, count: number): Promise<Uint8Array> {
  const bytes = await source.take(count);
  if (!bytes) throw truncated();
  return bytes;
}

async function skip(source: ByteSource, count: number): Promise<void> {
  for (let left = count; left > 0; ) {
    const slice = await source.next(left);
    if (!slice) throw truncated();
    left -= slice.length;
  }
}

function truncated(): FeedError {
  return new FeedError("zip: the archive is truncated");
}

function damaged(header: LocalHeader, why: string): FeedError {
  return new FeedError(`zip: the entry "${printable(header.name)}" is damaged: ${why}`);
}

/** Tries UTF-8 first, regardless of flag bit 11. A name in an older encoding is only decoded to be distinct. */
function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
