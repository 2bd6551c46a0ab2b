/**
 * The entries of a zip archive, as they stream by (APPNOTE.TXT 6.3): also from standard input, where there is
 * no way to its directory, which comes last. Sizes and checksums are checked; what cannot be is refused.
 */
import { crc32, createInflateRaw } from "node:zlib";
import { type ByteSource, u16, u32, u64 } from "./byte-source.ts";
import { FeedError, printable } from "./feed-error.ts";
import { Inflater } from "./inflate.ts";

export interface ZipEntry {
  readonly name: string;
  /** What is left of it when the next is asked for is passed over. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** 4.3.7, 4.3.9, 4.3.12, 4.3.14 to 4.3.16. */
const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL = 0x02014b50;
const END_64 = 0x06064b50;
const END_64_LOCATOR = 0x07064b50;
const END = 0x06054b50;

const METHODS: Readonly<Record<number, string>> = {
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
      const header = await localHeader(source);
      const content = unpacked(source, header);
      try {
        // Without `return`, a reader that stops early does not end the content: it is read on, and checked, here.
        yield {
          name: header.name,
          bytes: { [Symbol.asyncIterator]: () => ({ next: () => content.next() }) },
        };
        while (!(await content.next()).done);
      } finally {
        await content.return();
      }
    } else if (signature === DESCRIPTOR) {
      throw new FeedError("zip: an archive in several parts");
    } else {
      await directory(source, signature, count);
      return;
    }
  }
}

interface LocalHeader {
  readonly name: string;
  readonly isDeflated: boolean;
  /** Sizes and checksum stand behind the data (4.3.9). */
  readonly hasDescriptor: boolean;
  readonly checksum: number;
  readonly packed: number;
  readonly size: number;
}

async function localHeader(source: ByteSource): Promise<LocalHeader> {
  const fixed = await need(source, 26);
  const [flags, method] = [u16(fixed, 2), u16(fixed, 4)];
  const name = nameOf(await need(source, u16(fixed, 22)));
  const extra = await need(source, u16(fixed, 24));
  const refuse = (why: string) => new FeedError(`zip: the entry "${printable(name)}" ${why}`);
  if (flags & 1) throw refuse("is encrypted");
  if (method !== 0 && method !== 8) {
    throw refuse(`is packed with ${METHODS[method] ?? `method ${method}`}: only Deflate is unpacked`);
  }
  const hasDescriptor = (flags & 8) !== 0;
  let [size, packed] = [u32(fixed, 18), u32(fixed, 14)];
  if (size === 0xffffffff || packed === 0xffffffff) [size, packed] = sizes64(extra, size, packed);
  if (method === 0 && hasDescriptor && packed === 0 && !name.endsWith("/")) {
    throw refuse("is stored without its size: it cannot be told where it ends");
  }
  return { name, isDeflated: method === 8, hasDescriptor, checksum: u32(fixed, 10), packed, size };
}

/** 4.5.3: the field 0001 has the sizes that do not fit, in this order. */
function sizes64(extra: Uint8Array, size: number, packed: number): [size: number, packed: number] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + u16(extra, at + 2)) {
    if (u16(extra, at) !== 1 || at + 4 + u16(extra, at + 2) > extra.length || u16(extra, at + 2) < 16)
      continue;
    return [u64(extra, at + 4), u64(extra, at + 12)];
  }
  return [size, packed];
}

async function* unpacked(
  source: ByteSource,
  header: LocalHeader,
): AsyncGenerator<Uint8Array, void, undefined> {
  const found = { checksum: 0, packed: 0, size: 0 };
  const content = header.isDeflated ? inflated(source, header, found) : stored(source, header, found);
  for await (const chunk of content) {
    found.checksum = crc32(chunk, found.checksum);
    found.size += chunk.length;
    yield chunk;
  }
  const isRight = header.hasDescriptor
    ? await takeDescriptor(source, found)
    : found.checksum === header.checksum && found.packed === header.packed && found.size === header.size;
  if (!isRight) throw damaged(header, "its checksum or size is wrong");
}

interface Found {
  checksum: number;
  packed: number;
  size: number;
}

async function* stored(source: ByteSource, header: LocalHeader, found: Found) {
  while (found.packed < header.packed) {
    const slice = await source.next(header.packed - found.packed);
    if (!slice) throw truncated();
    found.packed += slice.length;
    yield slice;
  }
}

async function* inflated(source: ByteSource, header: LocalHeader, found: Found) {
  const inflater = new Inflater(createInflateRaw({ chunkSize: 65_536 }));
  let left = header.hasDescriptor ? Number.POSITIVE_INFINITY : header.packed;
  try {
    while (!inflater.ended) {
      const slice = left > 0 ? await source.next(left) : undefined;
      if (!slice && left > 0) throw truncated();
      left -= slice?.length ?? 0;
      yield* slice ? await inflater.push(slice) : await inflater.finish();
      if (slice && inflater.ended && inflater.excess > 0) source.unread(inflater.excess);
    }
    found.packed = inflater.consumed;
  } catch (error) {
    throw inflater.failure === undefined ? error : damaged(header, inflater.failure);
  } finally {
    inflater.close();
  }
}

/** 4.3.9: with or without a signature, with sizes of 4 or 8 bytes; what was found tells which. */
async function takeDescriptor(source: ByteSource, found: Found): Promise<boolean> {
  const bytes = await source.peek(24);
  for (const start of [4, 0]) {
    if (start === 4 && (bytes.length < 4 || u32(bytes) !== DESCRIPTOR)) continue;
    for (const wide of [false, true]) {
      const length = start + (wide ? 20 : 12);
      if (bytes.length < length || u32(bytes, start) !== found.checksum) continue;
      const [packed, size] = wide
        ? [u64(bytes, start + 4), u64(bytes, start + 12)]
        : [u32(bytes, start + 4), u32(bytes, start + 8)];
      const cut = wide ? Number.POSITIVE_INFINITY : 2 ** 32;
      if (packed !== found.packed % cut || size !== found.size % cut) continue;
      await source.take(length);
      return true;
    }
  }
  return false;
}

/** Comes last: an archive that has been cut off does not have it all. */
async function directory(source: ByteSource, first: number, entries: number): Promise<void> {
  let listed = 0;
  for (let signature = first; ; signature = u32(await need(source, 4))) {
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
      throw new FeedError(`zip: its directory lists ${listed} entries, but it has ${entries}`);
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
  return new FeedError("zip: the archive is cut off");
}

function damaged(header: LocalHeader, why: string): FeedError {
  return new FeedError(`zip: the entry "${printable(header.name)}" is damaged: ${why}`);
}

/** UTF-8, whatever bit 11 says; names in older encodings only have to be told apart. */
function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
