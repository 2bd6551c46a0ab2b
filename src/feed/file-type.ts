/** Recognizes common files that are not XML by how they begin, so that the error can name their format. */

type Signature = readonly [bytes: readonly number[], description: string];

/** Files that may have a feed inside. */
const COMPRESSED: readonly Signature[] = [
  [[0x1f, 0x8b], "gzip inside an archive, not XML: unpack it first"],
  [[0x50, 0x4b, 0x03, 0x04], "a zip archive inside an archive, not XML: unpack it first"],
  [[0x28, 0xb5, 0x2f, 0xfd], "a zstd file: only gzip and zip are unpacked"],
  [[0x42, 0x5a, 0x68], "a bzip2 file: only gzip and zip are unpacked"],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], "an xz file: only gzip and zip are unpacked"],
  [[0x37, 0x7a, 0xbc, 0xaf], "a 7z archive: only gzip and zip are unpacked"],
  [[0x52, 0x61, 0x72, 0x21], "a rar archive: only gzip and zip are unpacked"],
];

const OTHER_FORMATS: readonly Signature[] = [
  [[0x25, 0x50, 0x44, 0x46], "a PDF file, not XML"],
  [[0xd0, 0xcf, 0x11, 0xe0], "a Microsoft Office file, not XML"],
  // `<?xm` in EBCDIC (XML 1.0 appendix F), which TextDecoder does not support.
  [[0x4c, 0x6f, 0xa7, 0x94], "the encoding EBCDIC is not supported: save the feed as UTF-8"],
];

/** Returns true for a file that may have a feed inside. */
export function isCompressed(head: Uint8Array): boolean {
  return descriptionOf(head, COMPRESSED) !== undefined;
}

/** Returns undefined when the bytes may be XML. Zeros are binary data unless the encoding is already detected. */
export function describeNonXmlBytes(head: Uint8Array, isEncodingDetected: boolean): string | undefined {
  const description = descriptionOf(head, COMPRESSED) ?? descriptionOf(head, OTHER_FORMATS);
  if (description !== undefined) return description;
  const beginsLikeXml = /^[ \t\r\n]*</.test(String.fromCharCode(...head.subarray(0, 1024)));
  if (!isEncodingDetected && !beginsLikeXml && head.subarray(0, 1024).some(isControl))
    return "binary data, not XML";
  return undefined;
}

function descriptionOf(head: Uint8Array, signatures: readonly Signature[]): string | undefined {
  return signatures.find(([bytes]) => bytes.every((byte, index) => head[index] === byte))?.[1];
}

function isControl(byte: number): boolean {
  return byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c;
}

/** Expects text without leading whitespace. Returns undefined when it may be XML. */
export function describeNonXmlText(opening: string): string | undefined {
  if (opening === "") return "the feed contains only whitespace";
  if (/^<!doctype\s+html|^<html[\s>]/i.test(opening)) return "an HTML page, not a feed";
  if (opening.startsWith("<")) return undefined;
  return /^[{[]/.test(opening) ? "JSON, not XML" : "text that is not XML";
}
