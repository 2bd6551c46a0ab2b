/**
 * Reads a feed with the scanner in front of the XML parser. The scanner turns usual products directly into records.
 * Everything else goes to the same parser as in `feed-reader.ts`: all that is not a product, and every product that
 * the scanner does not support. The parser sees a document without the scanned products.
 */
import { isUtf8 } from "node:buffer";
import { createDecoder } from "../../feed/decoder.ts";
import { FeedError } from "../../feed/feed-error.ts";
import { trimWhitespace } from "../../xml/markup.ts";
import { XmlParser } from "../../xml/parser.ts";
import type { Position } from "../../xml/position.ts";
import type { OnixElement } from "../element.ts";
import {
  BATCH_TEXT_UNITS,
  type FeedHeader,
  type FeedReaderBatch,
  feedHeader,
  readFeed,
} from "../feed-reader.ts";
import { MessageBuilder } from "../message-builder.ts";
import { BatchScanner, type ScannedProduct } from "./batch-scanner.ts";
import { ByteWindow } from "./byte-window.ts";
import { inspectEncoding, Utf8Transcoder } from "./document-encoding.ts";
import { INCOMPLETE, SCANNED } from "./product-scanner.ts";

interface FastReaderBatch extends Omit<FeedReaderBatch, "products"> {
  /** In the order of the feed. */
  readonly products: readonly (OnixElement | ScannedProduct)[];
}

export function isScannedProduct(product: OnixElement | ScannedProduct): product is ScannedProduct {
  return "body" in product;
}

/** Does the same as `readFeed`, but yields most products as ScannedProduct. */
export async function* readFeedFast(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<FastReaderBatch, void, undefined> {
  const window = new ByteWindow(bytes);
  await window.fill();
  const encoding = inspectEncoding(window.content);
  if (encoding === undefined) yield* readFeed(window.remaining());
  else if (encoding.isUtf8) {
    window.take(encoding.bomBytes);
    yield* new FastReader(window).batches();
  } else {
    const transcoder = new Utf8Transcoder(window.remaining());
    yield* new FastReader(new ByteWindow(transcoder.utf8()), transcoder).batches();
  }
}

const MAX_BATCH_PRODUCTS = 500;

class FastReader {
  private readonly message: MessageBuilder;
  private readonly parser: XmlParser;
  private readonly decoder = createDecoder("utf-8", 0);
  private readonly scanner = new BatchScanner();
  private header: FeedHeader | undefined;
  private products: (OnixElement | ScannedProduct)[] = [];
  /** A CR at the end of a part may be the first half of a CR LF. It is carried over to the next part. */
  private pendingCr = "";
  /** UTF-16 units that were written to the parser, in all and before the current batch. */
  private unitsWritten = 0;
  private batchStart = 0;
  /** How far away at least the next product is searched for. */
  private searchDistance = 1;
  /** The position of the next byte of the window. */
  private position: Position = { line: 1, column: 1 };
  /** The text that was written to the parser ends with a tag and whitespace. */
  private endsWithTag = false;
  /** Products were scanned since the last write to the parser. */
  private isParserBehind = false;

  /** The transcoder is omitted when the document is UTF-8. */
  constructor(
    private readonly window: ByteWindow,
    private readonly transcoder?: Utf8Transcoder,
  ) {
    this.message = new MessageBuilder({
      offset: () => this.parser.offset,
      textPosition: () => this.parser.textPosition,
    });
    this.parser = new XmlParser(this.message);
    if (transcoder) {
      transcoder.warn = (text) => this.message.remark("contradiction", text, { line: 1, column: 1 });
    }
  }

  async *batches(): AsyncGenerator<FastReaderBatch, void, undefined> {
    const { window } = this;
    for (;;) {
      const hasMore = this.canScan() ? this.scanProducts() : this.parseToNextProduct();
      if (this.isBatchFull) yield this.takeBatch();
      if (hasMore) continue;
      if (!(await window.fill())) break;
    }
    this.parseRest();
    this.rejectUndecodable(this.transcoder?.failure);
    this.parser.end();
    yield this.takeBatch();
  }

  /** Elements take more memory than scanned products, so they have a limit of their own. */
  private get isBatchFull(): boolean {
    const isFullOfElements =
      this.unitsWritten - this.batchStart >= BATCH_TEXT_UNITS && this.products.length > 0;
    return this.scanner.isFull || this.products.length >= MAX_BATCH_PRODUCTS || isFullOfElements;
  }

  private takeBatch(): FastReaderBatch {
    this.header ??= feedHeader(this.message);
    this.batchStart = this.unitsWritten;
    const { message, products } = this;
    const { remarks } = message;
    [this.products, message.remarks] = [[], []];
    this.scanner.finishBatch();
    return { header: this.header, products, remarks };
  }

  private canScan(): boolean {
    return (
      this.pendingCr === "" && this.endsWithTag && this.message.isBetweenParts && this.parser.isBetweenTags
    );
  }

  /** Scans products up to the end of the window. Leaves everything else to the parser. */
  private scanProducts(): boolean {
    const { window, scanner } = this;
    this.searchDistance = 1;
    for (;;) {
      if (scanner.isFull) return true;
      const { outcome, product, position, byteCount } = scanner.scanNext(window, this.position);
      if (outcome === SCANNED) {
        // The scanner does not check UTF-8. The platform has checked the whole window; else it checks this product.
        if (!window.isUtf8 && !isUtf8(window.content.subarray(0, byteCount))) {
          scanner.discardLast();
          return this.parseUpTo(window.findProductEnd());
        }
        this.products.push(product!);
        window.take(byteCount);
        this.position = position;
        this.isParserBehind = true;
      } else if (outcome === INCOMPLETE && !window.isFull && !window.isAtEnd) return false;
      else if (window.hasProductAt(scanner.whitespaceBytes)) return this.parseUpTo(window.findProductEnd());
      else return this.parseToNextProduct();
    }
  }

  /**
   * Parses up to the next `<Product>`. In a comment or CDATA it is not a product: then the distance of the search
   * doubles, so that many of them take linear time.
   */
  private parseToNextProduct(): boolean {
    const found = this.window.findProduct(this.searchDistance);
    this.searchDistance = found === undefined ? 1 : this.searchDistance * 2;
    return this.parseUpTo(found);
  }

  /** Parses up to an offset, or, when there is none, as much of the window as cannot contain part of a tag. */
  private parseUpTo(offset: number | undefined): boolean {
    const { window } = this;
    if (offset !== undefined) {
      // The offset is at a tag, so an incomplete character before it is invalid.
      this.writeToParser(window.content.subarray(0, offset), true);
      window.take(offset);
      return true;
    }
    // The last bytes of the window may be the beginning of a product tag.
    const count = Math.max(0, window.content.length - 16);
    this.writeToParser(window.content.subarray(0, count));
    window.take(count);
    return false;
  }

  private parseRest(): void {
    const { window } = this;
    const { length } = window.content;
    this.writeToParser(window.content, true);
    window.take(length);
  }

  /** `isComplete` says that no character is split at the end of the bytes. */
  private writeToParser(bytes: Uint8Array, isComplete = false): void {
    const { parser, message } = this;
    if (this.isParserBehind) parser.skipTo(this.position);
    this.isParserBehind = false;
    const { text, failure } = this.decoder.decode(bytes, isComplete);
    let normalized = this.pendingCr + text;
    this.pendingCr = normalized.endsWith("\r") && !isComplete && failure === undefined ? "\r" : "";
    if (this.pendingCr) normalized = normalized.slice(0, -1);
    if (normalized.includes("\r")) normalized = normalized.replace(/\r\n?/g, "\n");
    const productsBefore = message.products.length;
    const trimmed = trimWhitespace(normalized);
    if (trimmed !== "") this.endsWithTag = trimmed.endsWith(">");
    parser.write(normalized);
    this.unitsWritten += normalized.length;
    this.rejectUndecodable(failure);
    message.checkSize(this.unitsWritten);
    if (message.version) this.scanner.release = message.version.release;
    for (const product of message.products.splice(productsBefore)) this.products.push(product);
    this.position = parser.nextPosition;
  }

  private rejectUndecodable(failure: string | undefined): void {
    const { line, column } = this.parser.nextPosition;
    if (failure !== undefined) throw new FeedError(failure, line, column);
  }
}
