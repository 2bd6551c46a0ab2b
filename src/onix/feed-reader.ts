/** Reads the products of a feed in batches, in bounded memory. */
import { DecodeError, decodeXml } from "../feed/decode-xml.ts";
import { FeedError } from "../feed/feed-error.ts";
import { describeNonXmlText } from "../feed/file-type.ts";
import { XmlParser } from "../xml/parser.ts";
import type { OnixElement } from "./element.ts";
import { MessageBuilder } from "./message-builder.ts";
import type { MessageVersion } from "./message-version.ts";
import type { Remark } from "./remark.ts";

export interface FeedHeader extends MessageVersion {
  /** SenderName, or the value of the first SenderIdentifier. */
  readonly sender: string | undefined;
  /** SentDateTime, as written. */
  readonly sent: string | undefined;
  /** Is undefined when no header precedes the first product. */
  readonly element: OnixElement | undefined;
}

export interface FeedReaderBatch {
  readonly header: FeedHeader;
  /** In the order of the feed. May be empty. */
  readonly products: readonly OnixElement[];
  /** Remarks about the message as a whole, since the last batch. */
  readonly remarks: readonly Remark[];
}

/** A batch is yielded when its products come from this many UTF-16 units of text. */
export const BATCH_TEXT_UNITS = 256 << 10;
/** How much text is needed to tell HTML from XML, and how much whitespace may precede it, in UTF-16 units. */
const OPENING_UNITS = 64;
const MAX_LEADING_WHITESPACE_UNITS = 64 << 10;

/**
 * Yields at least one batch, so that a message without products has a header too. Products may be yielded before an
 * error is found later in the feed. So the caller must be able to roll back.
 * @throws {FeedError} when the feed is not ONIX 3, not well-formed, or exceeds a limit
 */
export async function* readFeed(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<FeedReaderBatch, void, undefined> {
  const message: MessageBuilder = new MessageBuilder({
    offset: () => parser.offset,
    textPosition: () => parser.textPosition,
  });
  const parser = new XmlParser(message);
  const warn = (text: string) => message.remark("contradiction", text, { line: 1, column: 1 });
  let header: FeedHeader | undefined;
  let unitsRead = 0;
  let batchStart = 0;

  const takeBatch = (): FeedReaderBatch => {
    header ??= feedHeader(message);
    const { products, remarks } = message;
    [message.products, message.remarks, batchStart] = [[], [], unitsRead];
    return { header, products, remarks };
  };

  try {
    for await (const text of withCheckedOpening(decodeXml(bytes, warn))) {
      parser.write(text);
      unitsRead += text.length;
      message.checkSize(unitsRead);
      if (unitsRead - batchStart >= BATCH_TEXT_UNITS && message.products.length > 0) yield takeBatch();
    }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new FeedError(error.message, parser.nextPosition.line, parser.nextPosition.column);
  }
  parser.end();
  yield takeBatch();
}

/** Yields the same text, after checking that its beginning may be XML. */
async function* withCheckedOpening(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let opening: string | undefined = "";
  let failure: unknown;
  try {
    for await (const text of texts) {
      if (opening === undefined) {
        yield text;
        continue;
      }
      opening += text;
      const whitespace = opening.search(/[^ \t\n]/);
      const isEnough =
        whitespace < 0
          ? opening.length > MAX_LEADING_WHITESPACE_UNITS
          : opening.length - whitespace >= OPENING_UNITS;
      if (!isEnough) continue;
      checkOpening(opening);
      yield opening;
      opening = undefined;
    }
  } catch (error) {
    failure = error;
  }
  if (opening !== undefined && (opening !== "" || !failure)) {
    checkOpening(opening);
    yield opening;
  }
  if (failure) throw failure;
}

function checkOpening(text: string): void {
  const whitespace = /^[ \t\n]*/.exec(text)![0];
  const otherFormat = describeNonXmlText(text.slice(whitespace.length));
  if (otherFormat === undefined) return;
  const lines = whitespace.slice(0, MAX_LEADING_WHITESPACE_UNITS).split("\n");
  throw new FeedError(otherFormat, lines.length, lines.at(-1)!.length + 1);
}

export function feedHeader({ version, header }: MessageBuilder): FeedHeader {
  const sender = header && childOf(header, "Sender");
  const identifier = sender && childOf(sender, "SenderIdentifier");
  return {
    // The parser rejects a feed without a root element, so the version is known.
    ...version!,
    sender: textOf(sender, "SenderName") ?? textOf(identifier, "IDValue"),
    sent: textOf(header, "SentDateTime"),
    element: header,
  };
}

function childOf(parent: OnixElement, name: string): OnixElement | undefined {
  return parent.children.find((child) => typeof child !== "string" && child.name === name) as
    | OnixElement
    | undefined;
}

function textOf(parent: OnixElement | undefined, name: string): string | undefined {
  const element = parent && childOf(parent, name);
  const text = element?.children.filter((child) => typeof child === "string").join("");
  return text?.trim() || undefined;
}
