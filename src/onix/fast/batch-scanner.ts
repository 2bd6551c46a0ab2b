/** Scans products into batches: record bodies in one buffer, each product with what its record is indexed by. */
import type { Position } from "../../xml/position.ts";
import type { Day } from "../date.ts";
import type { Isbn13 } from "../isbn.ts";
import type { OnixRelease } from "../message-version.ts";
import type { ByteWindow } from "./byte-window.ts";
import { IndexFields } from "./index-fields.ts";
import { ProductScanner, SCANNED, UNSUPPORTED } from "./product-scanner.ts";

/** A complete product without remarks. */
export interface ScannedProduct {
  readonly isbn: Isbn13;
  /** The JSON bytes of the record. */
  readonly body: Uint8Array;
  readonly reference: string;
  /** The name of the imprint. */
  readonly imprint: string | undefined;
  readonly languages: readonly string[];
  readonly published: Day | undefined;
  /** `Origin` as JSON. */
  readonly origin: string;
  readonly line: number;
  readonly column: number;
}

/** Its body stays in the output of the scanner until the batch is finished. */
type UnfinishedProduct = { -readonly [Member in keyof ScannedProduct]: ScannedProduct[Member] };

const NO_BODY = new Uint8Array(0);

/** A batch is full when its bodies have this many bytes. The rest of the output is room for one more product. */
const FULL_BATCH_BYTES = 1 << 18;
const OUTPUT_BYTES = FULL_BATCH_BYTES + (3 << 20);

export class BatchScanner {
  release: OnixRelease = "3.0";
  /** Bytes of whitespace before the last product that was scanned or tried. */
  whitespaceBytes = 0;
  private readonly indexFields = new IndexFields();
  private readonly scanner = new ProductScanner(OUTPUT_BYTES, this.indexFields);
  private unfinished: UnfinishedProduct[] = [];
  /** The start of each unfinished body in the output. Bodies are contiguous. */
  private bodyStarts: number[] = [];
  private readonly originCache = new Map<string, string>();
  /** How many identifiers were added to the current product. */
  private completedCount = 0;

  constructor() {
    this.indexFields.output = this.scanner.output;
    this.scanner.missingIdentifiers = () => {
      const { json, count } = this.indexFields.missingIdentifiers;
      this.completedCount = count;
      return json;
    };
  }

  get isFull(): boolean {
    return this.scanner.outputEnd >= FULL_BATCH_BYTES;
  }

  /**
   * Scans the product at the start of the window, after whitespace. Returns the position after it and the bytes that
   * it takes, whitespace included.
   */
  scanNext(
    window: ByteWindow,
    from: Position,
  ): { outcome: number; product?: ScannedProduct; position: Position; byteCount: number } {
    const { scanner, indexFields } = this;
    const { buffer, start: windowStart, end } = window;
    scanner.input = buffer;
    scanner.position = windowStart;
    scanner.lineFeeds = 0;
    scanner.lastLineFeed = -1;
    const whitespaceOutcome = scanner.scanWhitespace(end);
    this.whitespaceBytes = scanner.position - windowStart;
    if (whitespaceOutcome !== SCANNED) return { outcome: whitespaceOutcome, position: from, byteCount: 0 };
    const { line, column } = positionOf(scanner, from, windowStart);
    const bodyStart = scanner.outputEnd;
    this.completedCount = 0;
    const outcome = scanner.scan(end);
    if (outcome !== SCANNED) return { outcome, position: from, byteCount: 0 };
    const { isbn } = indexFields;
    if (isbn === undefined) {
      scanner.outputEnd = bodyStart;
      return { outcome: UNSUPPORTED, position: from, byteCount: 0 };
    }
    scanner.fillInIsbn(bodyStart, isbn);
    const { reference, imprint, languages, published } = indexFields;
    const origin = this.originJson();
    const product: UnfinishedProduct = {
      isbn,
      reference,
      imprint,
      languages,
      published,
      origin,
      line,
      column,
      body: NO_BODY,
    };
    this.bodyStarts.push(bodyStart);
    this.unfinished.push(product);
    const byteCount = scanner.position - windowStart;
    return { outcome, product, position: positionOf(scanner, from, windowStart), byteCount };
  }

  /** Removes the last product from the batch. */
  discardLast(): void {
    this.unfinished.pop();
    this.scanner.outputEnd = this.bodyStarts.pop()!;
  }

  /** Copies the bodies into a buffer of their own, and begins a new batch. */
  finishBatch(): void {
    const { scanner } = this;
    const bodies = new Uint8Array(scanner.output.subarray(0, scanner.outputEnd));
    this.unfinished.forEach((product, index) => {
      product.body = bodies.subarray(this.bodyStarts[index], this.bodyStarts[index + 1] ?? scanner.outputEnd);
    });
    this.unfinished = [];
    this.bodyStarts = [];
    scanner.outputEnd = 0;
  }

  /** Most products share a few origins, which are cached. The members have the order of `buildRecord`. */
  private originJson(): string {
    const { addedFlags, exceptions } = this.scanner;
    const hasExceptions = Object.keys(exceptions).length > 0;
    const key = `${this.release}${addedFlags}${this.completedCount}`;
    const cached = hasExceptions ? undefined : this.originCache.get(key);
    if (cached !== undefined) return cached;
    const origin = JSON.stringify({
      release: this.release,
      ...(addedFlags.length > 0 && { set: addedFlags }),
      ...(hasExceptions && { exceptions }),
      ...(this.completedCount > 0 && { completed: this.completedCount }),
    });
    if (!hasExceptions) this.originCache.set(key, origin);
    return origin;
  }
}

/** Returns the position of the scanner, which began at `from`. Counts the bytes that begin a code point as columns. */
function positionOf(
  { input, position, lineFeeds, lastLineFeed }: ProductScanner,
  from: Position,
  windowStart: number,
): Position {
  let column = lineFeeds === 0 ? from.column : 1;
  for (let offset = lineFeeds === 0 ? windowStart : lastLineFeed + 1; offset < position; offset++) {
    if ((input[offset]! & 0xc0) !== 0x80) column++;
  }
  return { line: from.line + lineFeeds, column };
}
