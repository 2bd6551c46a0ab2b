/** Tells how large the content of a file is, from what its format says at the end of the file. */
import { closeSync, openSync, readSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";

const GZIP_START = 0x8b1f;
const ZIP_START = 0x04034b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const CENTRAL_HEADER_BYTES = 46;
const END_BYTES = 22;
/** A comment follows the end record of a zip archive. */
const MAX_COMMENT_BYTES = 65_535;
/** A directory that is larger than this is not read. */
const MAX_DIRECTORY_BYTES = 16 << 20;
/** The size of an archive whose directory tells none: ONIX is compressed to about a tenth. */
const USUAL_RATIO = 10;
/** How much of a gzip file is unpacked for its ratio. */
const GZIP_SAMPLE_BYTES = 1 << 16;
/** The most that a byte of deflate can stand for. */
const MAX_DEFLATE_RATIO = 1032;

/** Returns the size of a file of `sizeBytes` when it is unpacked. That of another file, also an unreadable one, stays. */
export function unpackedBytes(path: string, sizeBytes: number): number {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return sizeBytes;
  }
  try {
    const read = (start: number, length: number) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, start));
    };
    const head = read(0, 4);
    if (head.length < 4 || sizeBytes < END_BYTES) return sizeBytes;
    if (head.readUInt16LE() === GZIP_START) return gzipSize(read, sizeBytes);
    if (head.readUInt32LE() !== ZIP_START) return sizeBytes;
    return zipSize(read, sizeBytes) ?? USUAL_RATIO * sizeBytes;
  } catch {
    return sizeBytes;
  } finally {
    closeSync(file);
  }
}

/**
 * The trailer has the size of the last member modulo 2³² (RFC 1952 §2.2), so a file of several members, or of more than
 * 4 GB, has more. Returns what the ratio of the beginning promises, when that is more.
 */
function gzipSize(read: (start: number, length: number) => Buffer, sizeBytes: number): number {
  const sample = read(0, Math.min(sizeBytes, GZIP_SAMPLE_BYTES));
  const unpacked = gunzipSync(sample, { finishFlush: constants.Z_SYNC_FLUSH }).length;
  const promised = Math.ceil((unpacked * sizeBytes) / sample.length);
  const lastMember = read(sizeBytes - 4, 4).readUInt32LE();
  return Math.max(promised, Math.min(lastMember, MAX_DEFLATE_RATIO * sizeBytes));
}

/** Returns the sum over the directory. Is undefined for an archive that is larger than 4 GB, or has no directory. */
function zipSize(read: (start: number, length: number) => Buffer, sizeBytes: number): number | undefined {
  const tail = read(Math.max(0, sizeBytes - END_BYTES - MAX_COMMENT_BYTES), END_BYTES + MAX_COMMENT_BYTES);
  let end = tail.length - END_BYTES;
  while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end--;
  if (end < 0) return undefined;
  const [length, start] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  if (length > MAX_DIRECTORY_BYTES || start + length > sizeBytes) return undefined;
  const directory = read(start, length);
  let sum = 0;
  for (let at = 0; at + CENTRAL_HEADER_BYTES <= directory.length; ) {
    const size = directory.readUInt32LE(at + 24);
    if (directory.readUInt32LE(at) !== CENTRAL_SIGNATURE || size === 0xffffffff) return undefined;
    sum += size;
    const further = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset));
    at += CENTRAL_HEADER_BYTES + further.reduce((total, each) => total + each, 0);
  }
  return sum;
}
