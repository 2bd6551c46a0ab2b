/**
 * The reader, with the scanner in front of it: products that the scanner is sure of never become a tree. Everything
 * else (the prolog, the header, what stands between products, and every product that is out of the ordinary) goes
 * to the same parser as ever, which thinks that it reads a shorter feed.
 */
import { isUtf8 } from "node:buffer";
import { decoderOf } from "../decoder.ts";
import type { OnixElement } from "../element.ts";
import { trimBlanks } from "../markup.ts";
import type { TextPlace } from "../place.ts";
import { type FeedHeader, headerOf, type ReadBatch, readFeed } from "../reader.ts";
import { FeedRefused } from "../refused.ts";
import { isOnixNamespace } from "../release.ts";
import { MessageTree } from "../tree.ts";
import { XmlParser } from "../xml.ts";
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
  // Other encodings, and what is not XML 1.0, take the long way; a feed that begins oddly is refused there.
  if (isPlainUtf8(window.rest)) yield* new FastFeed(window).batches();
  else yield* readFeed(window.remaining());
}

/** UTF-8 by a declaration or for want of one, without a BOM, in XML 1.0. */
function isPlainUtf8(head: Uint8Array): boolean {
  const ascii = String.fromCharCode(...head.subarray(0, 200));
  if (!ascii.startsWith("<")) return false;
  if (!ascii.startsWith("<?xml")) return /^<(?:!--|ONIX[Mm]essage[\s>])/.test(ascii);
  return /^<\?xml\s+version\s*=\s*["']1\.0["'](?:\s+encoding\s*=\s*["']utf-8["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/i.test(
    ascii,
  );
}

const START = ["<Product>", "<product>"].map((tag) => Buffer.from(tag));
const END = ["</Product>", "</product>"].map((tag) => Buffer.from(tag));

class FastFeed {
  private readonly tree: MessageTree;
  private readonly parser: XmlParser;
  private readonly decoder = decoderOf("utf-8", 0);
  private readonly scanning = new Scanning();
  private header: FeedHeader | undefined;
  private products: (OnixElement | Scanned)[] = [];
  private heldCr = "";
  private length = 0;
  /** Of the next byte of the window. */
  private place: TextPlace = { line: 1, column: 1 };
  /** What the parser was given ends in a tag, and blanks; it tells of a text when the `<` behind it is gone. */
  private isBehindTag = false;
  /** The parser has not seen what was scanned. */
  private isBehind = false;

  constructor(private readonly window: Window) {
    const at = { position: () => this.parser.position, textPlace: () => this.parser.textPlace };
    this.tree = new MessageTree(at);
    this.parser = new XmlParser(this.tree);
  }

  async *batches(): AsyncGenerator<FastBatch, void, undefined> {
    const { window } = this;
    for (;;) {
      const hasMore = this.isResting() ? this.scan() : this.read(START);
      if (this.scanning.isFull || this.products.length >= 500) yield this.batch();
      if (hasMore) continue;
      if (!(await window.fill())) break;
    }
    this.readRest();
    this.parser.end();
    yield this.batch();
  }

  private batch(): FastBatch {
    this.header ??= headerOf(this.tree);
    const { tree, products } = this;
    const { remarks } = tree;
    [this.products, tree.remarks] = [[], []];
    this.scanning.finish();
    return { header: this.header, products, bytes: this.window.taken, remarks };
  }

  private isResting(): boolean {
    const { tree, parser } = this;
    const isBetween = this.heldCr === "" && this.isBehindTag && tree.isBetweenParts && parser.isResting;
    return isBetween && isOnixNamespace(tree.namespace || ONIX);
  }

  /** Products, one after the other, as far as the window goes; what is no product is left to the parser. */
  private scan(): boolean {
    const { window, scanning } = this;
    for (;;) {
      if (scanning.isFull) return true;
      const { outcome, scanned, place, next } = scanning.next(window, this.place);
      if (outcome === DONE) {
        // The scanner looks at bytes; whether they are characters is asked of the platform, for many at once.
        if (!window.isUtf8 && !isUtf8(window.rest.subarray(0, next))) {
          scanning.forget();
          return this.read(END);
        }
        this.products.push(scanned!);
        window.take(next);
        this.place = place;
        this.isBehind = true;
      } else if (outcome === SHORT && !window.isFull && !window.isAtEnd) return false;
      else return this.read(window.startsWithProduct(scanning.blanks) ? END : START);
    }
  }

  /** Gives the parser everything up to a tag: before it if it is a start tag, behind it if it is an end tag. */
  private read(tags: readonly Buffer[]): boolean {
    const { window } = this;
    const found = window.find(tags, tags === START);
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
    if (failure !== undefined) throw new FeedRefused(failure, parser.next.line, parser.next.column);
    tree.checkSize(this.length);
    if (tree.message) this.scanning.release = tree.message.release;
    for (const product of tree.products.splice(before)) this.products.push(product);
    this.place = parser.next;
  }
}

/** What stands for a message without a namespace: its release was told by its attribute. */
const ONIX = "http://ns.editeur.org/onix/3.0/reference";
