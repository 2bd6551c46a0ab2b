/**
 * The reader, with the scanner in front of it: products that the scanner is sure of never become a tree. Everything
 * else (the prolog, the header, what stands between products, and every product that is out of the ordinary) goes
 * to the same parser as ever, which thinks that it reads a shorter feed.
 */
import { isUtf8 } from "node:buffer";
import { decoderOf } from "../../feed/decoder.ts";
import { FeedError } from "../../feed/feed-error.ts";
import { XmlParser } from "../../xml/parser.ts";
import type { Position } from "../../xml/position.ts";
import type { OnixElement } from "../element.ts";
import { trimBlanks } from "../markup.ts";
import { MessageTree } from "../message-builder.ts";
import { BATCH, type FeedHeader, headerOf, type ReadBatch, readFeed } from "../reader.ts";
import { beginningOf, Decoded } from "./beginning.ts";
import { DONE, SHORT } from "./scanner.ts";
import { type Scanned, Scanning } from "./scanning.ts";
import { Window } from "./window.ts";

export interface FastBatch extends Omit<ReadBatch, "products"> {
  /** In the order of the feed. */
  readonly products: readonly (OnixElement | Scanned)[];
}

export function isScanned(product: OnixElement | Scanned): product is Scanned {
  return "body" in product;
}

/** As `readFeed`, with what was scanned among the products. */
export async function* readFast(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<FastBatch, void, undefined> {
  const window = new Window(bytes);
  await window.fill();
  const beginning = beginningOf(window.rest);
  if (beginning === undefined) yield* readFeed(window.remaining());
  else if (beginning.isUtf8) {
    window.take(beginning.bom);
    yield* new FastFeed(window).batches();
  } else {
    const decoded = new Decoded(window.remaining());
    yield* new FastFeed(new Window(decoded.utf8()), decoded).batches();
  }
}

const MOST_PRODUCTS = 500;

class FastFeed {
  private readonly tree: MessageTree;
  private readonly parser: XmlParser;
  private readonly decoder = decoderOf("utf-8", 0);
  private readonly scanning = new Scanning();
  private header: FeedHeader | undefined;
  private products: (OnixElement | Scanned)[] = [];
  private heldCr = "";
  /** UTF-16 units that the parser was given; and those before the batch that is being filled. */
  private length = 0;
  private batchFrom = 0;
  /** How far at least the next product is looked for. */
  private step = 1;
  /** Of the next byte of the window. */
  private place: Position = { line: 1, column: 1 };
  /** What the parser was given ends in a tag, and blanks; it tells of a text when the `<` behind it is gone. */
  private isBehindTag = false;
  /** The parser has not seen what was scanned. */
  private isBehind = false;

  /** A document in another encoding than that of the window. */
  constructor(
    private readonly window: Window,
    private readonly decoded?: Decoded,
  ) {
    const at = { position: () => this.parser.position, textPlace: () => this.parser.textPlace };
    this.tree = new MessageTree(at);
    this.parser = new XmlParser(this.tree);
    if (decoded) decoded.remark = (text) => this.tree.remark("contradiction", text, { line: 1, column: 1 });
  }

  async *batches(): AsyncGenerator<FastBatch, void, undefined> {
    const { window } = this;
    for (;;) {
      const hasMore = this.isResting() ? this.scan() : this.readOn();
      if (this.isFull) yield this.batch();
      if (hasMore) continue;
      if (!(await window.fill())) break;
    }
    this.readRest();
    this.refuse(this.decoded?.failure);
    this.parser.end();
    yield this.batch();
  }

  /** Trees take more memory than what was scanned. */
  private get isFull(): boolean {
    const hasTrees = this.length - this.batchFrom >= BATCH && this.products.length > 0;
    return this.scanning.isFull || this.products.length >= MOST_PRODUCTS || hasTrees;
  }

  private batch(): FastBatch {
    this.header ??= headerOf(this.tree);
    this.batchFrom = this.length;
    const { tree, products } = this;
    const { remarks } = tree;
    [this.products, tree.remarks] = [[], []];
    this.scanning.finish();
    const bytes = this.decoded?.bytes ?? this.window.taken;
    return { header: this.header, products, bytes, remarks };
  }

  private isResting(): boolean {
    return this.heldCr === "" && this.isBehindTag && this.tree.isBetweenParts && this.parser.isResting;
  }

  /** Products, one after the other, as far as the window goes; what is no product is left to the parser. */
  private scan(): boolean {
    const { window, scanning } = this;
    this.step = 1;
    for (;;) {
      if (scanning.isFull) return true;
      const { outcome, scanned, place, next } = scanning.next(window, this.place);
      if (outcome === DONE) {
        // The scanner looks at bytes; whether they are characters is asked of the platform, for many at once.
        if (!window.isUtf8 && !isUtf8(window.rest.subarray(0, next))) {
          scanning.forget();
          return this.readTo(window.findProductEnd());
        }
        this.products.push(scanned!);
        window.take(next);
        this.place = place;
        this.isBehind = true;
      } else if (outcome === SHORT && !window.isFull && !window.isAtEnd) return false;
      else if (window.startsWithProduct(scanning.blanks)) return this.readTo(window.findProductEnd());
      else return this.readOn();
    }
  }

  /**
   * To the next product, if it is one: in a comment or CDATA it is none. Each that is none doubles the next step, so that
   * many of them do not take forever.
   */
  private readOn(): boolean {
    const found = this.window.findProduct(this.step);
    this.step = found === undefined ? 1 : this.step * 2;
    return this.readTo(found);
  }

  /** Gives the parser everything up to a tag, or, where there is none in the window, as much as can have none. */
  private readTo(found: number | undefined): boolean {
    const { window } = this;
    if (found !== undefined) {
      // Cut between characters: one that is not whole here is none.
      this.write(window.rest.subarray(0, found), true);
      window.take(found);
      return true;
    }
    // A tag may begin at the end of the window.
    const most = Math.max(0, window.rest.length - 16);
    this.write(window.rest.subarray(0, most));
    window.take(most);
    return false;
  }

  private readRest(): void {
    const { window } = this;
    const { length } = window.rest;
    this.write(window.rest, true);
    window.take(length);
  }

  private write(bytes: Uint8Array, isWhole = false): void {
    const { parser, tree } = this;
    if (this.isBehind) parser.skipTo(this.place);
    this.isBehind = false;
    const { text, failure } = this.decoder.decode(bytes, isWhole);
    let whole = this.heldCr + text;
    this.heldCr = whole.endsWith("\r") && !isWhole && failure === undefined ? "\r" : "";
    if (this.heldCr) whole = whole.slice(0, -1);
    if (whole.includes("\r")) whole = whole.replace(/\r\n?/g, "\n");
    const before = tree.products.length;
    const trimmed = trimBlanks(whole);
    if (trimmed !== "") this.isBehindTag = trimmed.endsWith(">");
    parser.write(whole);
    this.length += whole.length;
    this.refuse(failure);
    tree.checkSize(this.length);
    if (tree.message) this.scanning.release = tree.message.release;
    for (const product of tree.products.splice(before)) this.products.push(product);
    this.place = parser.next;
  }

  private refuse(failure: string | undefined): void {
    const { line, column } = this.parser.next;
    if (failure !== undefined) throw new FeedError(failure, line, column);
  }
}
