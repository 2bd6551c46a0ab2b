/** How a document begins, and what the scanner needs to know of it: that it is XML 1.0, and in which encoding. */
import { decodeXml, Undecodable } from "../../feed/decode-xml.ts";

interface Beginning {
  /** By its bytes and its declaration. */
  readonly isUtf8: boolean;
  /** The length of its BOM, if it is UTF-8. */
  readonly bom: number;
}

const DECLARATION =
  /^<\?xml\s+version\s*=\s*["']1\.0["'](?:\s+encoding\s*=\s*["']([\w.:-]+)["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/;
const NO_DECLARATION = /^<(?:!--|ONIX[Mm]essage[\s>])/;

/** Undefined for what is not XML 1.0, or begins oddly: that is for the reader, which may refuse it. */
export function beginningOf(document: Uint8Array): Beginning | undefined {
  const head = document.subarray(0, 400);
  // The zeros of wide encodings aside, all of this is ASCII in every encoding.
  const ascii = String.fromCharCode(...head.filter((byte) => byte !== 0));
  const [, bom = "", text] = /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?(.*)$/s.exec(ascii)!;
  const declared = DECLARATION.exec(text!);
  if (!declared && !NO_DECLARATION.test(text!)) return undefined;
  const isNarrow = !head.includes(0) && bom.length !== 2;
  const isUtf8 = isNarrow && (declared?.[1] ?? "utf-8").toLowerCase() === "utf-8";
  return { isUtf8, bom: bom.length };
}

/** A document in any encoding, in UTF-8: whatever the scanner leaves to the parser is the same text again. */
export class Decoded {
  /** Of the document, those that were read so far. */
  bytes = 0;
  /** Why it is not read any further. */
  failure: string | undefined;
  /** Told of what is odd about its encoding. */
  remark: (text: string) => void = () => {};

  constructor(private readonly source: AsyncIterable<Uint8Array>) {}

  async *utf8(): AsyncGenerator<Uint8Array, void, undefined> {
    const encoder = new TextEncoder();
    try {
      for await (const { text, bytes } of decodeXml(this.source, (text) => this.remark(text))) {
        this.bytes = bytes;
        yield encoder.encode(text);
      }
    } catch (error) {
      if (!(error instanceof Undecodable)) throw error;
      this.failure = error.message;
    }
  }
}
