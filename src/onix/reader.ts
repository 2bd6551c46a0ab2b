/** Bytes of a feed -> its products, in batches, in bounded memory. */

import { decodeXml, type TextPiece, Undecodable } from "../feed/decode-xml.ts";
import { FeedError } from "../feed/feed-error.ts";
import { strangeText } from "../feed/file-type.ts";
import { XmlParser } from "../xml/parser.ts";
import type { OnixElement } from "./element.ts";
import { MessageTree } from "./message-builder.ts";
import type { Release } from "./release.ts";
import type { Remark } from "./remark.ts";

export interface FeedHeader {
  readonly release: Release;
  /** By its root; the elements may be mixed. */
  readonly tags: "reference" | "short";
  /** SenderName; without one, the value of the first SenderIdentifier. */
  readonly sender: string | undefined;
  /** SentDateTime, as written. */
  readonly sent: string | undefined;
  /** All of it; undefined when the message has none before its first product. */
  readonly element: OnixElement | undefined;
}

export interface ReadBatch {
  readonly header: FeedHeader;
  /** In the order of the feed; may be none. */
  readonly products: readonly OnixElement[];
  /** Bytes of the document read so far, for a progress bar. */
  readonly bytes: number;
  /** About the message as a whole, since the last batch. */
  readonly remarks: readonly Remark[];
}

/** A batch is handed on when it stands for this much text, in UTF-16 units. */
export const BATCH = 256 << 10;
/** What it takes to tell HTML from XML, and how many blanks may stand before it. */
const OPENING = 64;
const MOST_BLANKS = 64 << 10;

/**
 * There is at least one batch, so that a message without products has a header too. A feed that turns out to be
 * refused has given its earlier products already: whoever takes them must be able to undo that.
 * @throws {FeedError} for what is not ONIX 3, not well-formed or out of bounds
 */
export async function* readFeed(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ReadBatch, void, undefined> {
  const tree: MessageTree = new MessageTree({
    position: () => parser.position,
    textPlace: () => parser.textPlace,
  });
  const parser = new XmlParser(tree);
  const remark = (text: string) => tree.remark("contradiction", text, { line: 1, column: 1 });
  let header: FeedHeader | undefined;
  let read = 0;
  let length = 0;
  let batchFrom = 0;

  const batch = (): ReadBatch => {
    header ??= headerOf(tree);
    const { products, remarks } = tree;
    [tree.products, tree.remarks, batchFrom] = [[], [], length];
    return { header, products, bytes: read, remarks };
  };

  try {
    for await (const piece of opened(decodeXml(bytes, remark))) {
      parser.write(piece.text);
      length += piece.text.length;
      read = piece.bytes;
      tree.checkSize(length);
      if (length - batchFrom >= BATCH && tree.products.length > 0) yield batch();
    }
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error;
    throw new FeedError(error.message, parser.next.line, parser.next.column);
  }
  parser.end();
  yield batch();
}

/** The same pieces, once it is clear that the first of them can be XML. */
async function* opened(pieces: AsyncIterable<TextPiece>): AsyncGenerator<TextPiece, void, undefined> {
  let opening: TextPiece | undefined = { text: "", bytes: 0 };
  let failure: unknown;
  try {
    for await (const piece of pieces) {
      if (opening === undefined) {
        yield piece;
        continue;
      }
      opening = { text: opening.text + piece.text, bytes: piece.bytes };
      const blanks = opening.text.search(/[^ \t\n]/);
      const isEnough =
        blanks < 0 ? opening.text.length > MOST_BLANKS : opening.text.length - blanks >= OPENING;
      if (!isEnough) continue;
      yield checked(opening);
      opening = undefined;
    }
  } catch (error) {
    failure = error;
  }
  if (opening !== undefined && (opening.text !== "" || !failure)) yield checked(opening);
  if (failure) throw failure;
}

function checked(opening: TextPiece): TextPiece {
  const blanks = /^[ \t\n]*/.exec(opening.text)![0];
  const strange = strangeText(opening.text.slice(blanks.length));
  if (strange === undefined) return opening;
  const lines = blanks.slice(0, MOST_BLANKS).split("\n");
  throw new FeedError(strange, lines.length, lines.at(-1)!.length + 1);
}

export function headerOf({ message, header }: MessageTree): FeedHeader {
  const sender = header && child(header, "Sender");
  const identifier = sender && child(sender, "SenderIdentifier");
  return {
    // Without a root, the parser would have refused the feed.
    ...message!,
    sender: textOf(sender, "SenderName") ?? textOf(identifier, "IDValue"),
    sent: textOf(header, "SentDateTime"),
    element: header,
  };
}

function child(parent: OnixElement, name: string): OnixElement | undefined {
  return parent.children.find((each) => typeof each !== "string" && each.name === name) as
    | OnixElement
    | undefined;
}

function textOf(parent: OnixElement | undefined, name: string): string | undefined {
  const element = parent && child(parent, name);
  const text = element?.children.filter((each) => typeof each === "string").join("");
  return text?.trim() || undefined;
}
