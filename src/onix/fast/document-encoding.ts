/** The encoding of a document, and its conversion to UTF-8, which is all that the scanner reads. */
import { DecodeError, decodeXml } from "../../feed/decode-xml.ts";

interface DocumentEncoding {
  /** According to the bytes and the declaration. */
  readonly isUtf8: boolean;
  /** Length of the UTF-8 BOM; 0 without one. */
  readonly bomBytes: number;
}

const DECLARATION =
  /^<\?xml\s+version\s*=\s*["']1\.0["'](?:\s+encoding\s*=\s*["']([\w.:-]+)["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/;
const NO_DECLARATION = /^<(?:!--|ONIX[Mm]essage[\s>])/;

/** Returns undefined when the document is not XML 1.0 or begins in an unusual way: the full reader must read it. */
export function inspectEncoding(document: Uint8Array): DocumentEncoding | undefined {
  const head = document.subarray(0, 400);
  // Without the zero bytes of UTF-16 and UTF-32, the declaration is ASCII in every encoding.
  const ascii = String.fromCharCode(...head.filter((byte) => byte !== 0));
  const [, bom = "", text] = /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?(.*)$/s.exec(ascii)!;
  const declaration = DECLARATION.exec(text!);
  if (!declaration && !NO_DECLARATION.test(text!)) return undefined;
  const isSingleByte = !head.includes(0) && bom.length !== 2;
  const isUtf8 = isSingleByte && (declaration?.[1] ?? "utf-8").toLowerCase() === "utf-8";
  return { isUtf8, bomBytes: bom.length };
}

/** Converts a document of any encoding to UTF-8. */
export class Utf8Transcoder {
  /** Why decoding stopped. Is undefined while there is no error. */
  failure: string | undefined;
  /** Is called with warnings about the encoding. */
  warn: (text: string) => void = () => {};

  constructor(private readonly source: AsyncIterable<Uint8Array>) {}

  async *utf8(): AsyncGenerator<Uint8Array, void, undefined> {
    const encoder = new TextEncoder();
    try {
      for await (const text of decodeXml(this.source, (warning) => this.warn(warning))) {
        yield encoder.encode(text);
      }
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.failure = error.message;
    }
  }
}
