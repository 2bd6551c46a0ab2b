/** Documents read by the tokenizer, whole or in chunks. */
import { FeedError } from "../../feed/feed-error.ts";
import { NameTable } from "../names.ts";
import { positionOf } from "../position.ts";
import { decodeAttribute, decodeText, utf8Text } from "../references.ts";
import {
  DOCTYPE,
  type DocumentContext,
  END_OF_INPUT,
  END_TAG,
  incomplete,
  START_TAG,
  TEXT,
  XmlTokenizer,
} from "../tokenizer.ts";
import { EventList, type ReadAttribute, type Reading } from "./reading.ts";

/** Some names are known, so that known and unknown names are both read. */
const names = new NameTable(["ONIXMessage", "Product", "RecordReference", "Text", "a", "b", "doc", "foo"]);

/** Reads a document that is one chunk. */
export function readWithTokenizer(bytes: Uint8Array, skipsLayout = false): Reading {
  return readInChunks(bytes, bytes.length, skipsLayout);
}

/**
 * Reads a document in chunks of `chunkBytes`. A chunk begins after the last token between the children of the root in
 * the one before it; what follows that token is read again.
 */
export function readInChunks(bytes: Uint8Array, chunkBytes: number, skipsLayout = false): Reading {
  const list = new EventList();
  let context: DocumentContext | undefined;
  let start = 0;
  let line = 1;
  let column = 1;
  const moved = (position: { readonly line: number; readonly column: number }) => ({
    line: line + position.line - 1,
    column: position.line === 1 ? column + position.column - 1 : position.column,
  });
  let end = 0;
  do {
    end = Math.min(bytes.length, end + chunkBytes);
    // A chunk ends between two characters.
    while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end++;
    // A chunk is a buffer of its own, so that reading beyond it is noticed.
    const chunk = bytes.slice(start, end);
    const reader = new ChunkReader(chunk, context, end === bytes.length, moved);
    reader.tokenizer.skipsLayout = skipsLayout;
    try {
      reader.read();
    } catch (error) {
      if (error instanceof FeedError) {
        reader.replay(list, reader.calls.length);
        const position = moved({ line: error.line!, column: error.column! });
        return { events: list.events, error: { reason: error.reason, ...position } };
      }
      if (error !== incomplete) throw error;
    }
    if (end === bytes.length) reader.replay(list, reader.calls.length);
    else if (reader.consumed !== undefined) {
      reader.replay(list, reader.consumed.calls);
      ({ line, column } = moved(reader.consumed));
      start += reader.consumed.offset;
      context = reader.consumed.context;
    }
  } while (end < bytes.length);
  return { events: list.events, error: undefined };
}

/** Reads one chunk. Its events are kept until it is known how much of the chunk counts. */
class ChunkReader {
  readonly calls: ((list: EventList) => void)[] = [];
  /** The last boundary between the children of the root. */
  consumed:
    | { offset: number; line: number; column: number; calls: number; context: DocumentContext }
    | undefined;
  readonly tokenizer = new XmlTokenizer(names);

  constructor(
    private readonly chunk: Uint8Array,
    context: DocumentContext | undefined,
    isLast: boolean,
    private readonly moved: (position: { line: number; column: number }) => { line: number; column: number },
  ) {
    this.tokenizer.begin(chunk, chunk.length, context, isLast);
  }

  read(): void {
    const { tokenizer, chunk, calls } = this;
    for (;;) {
      const token = tokenizer.next();
      if (token === END_OF_INPUT) return;
      this.keep(token);
      if (tokenizer.depth === 1) {
        const { line, lineStart, position, context } = tokenizer;
        const at = positionOf(chunk, line, lineStart, position);
        this.consumed = { ...at, offset: position, calls: calls.length, context };
      }
    }
  }

  replay(list: EventList, count: number): void {
    for (const call of this.calls.slice(0, count)) call(list);
  }

  private keep(token: number): void {
    const { tokenizer, chunk, calls } = this;
    const { qualifiedStart, nameStart, nameEnd, textStart, textEnd } = tokenizer;
    if (token === TEXT) {
      const text = decodeText(chunk, textStart, textEnd, tokenizer.isCdata);
      this.checkFlags(text);
      calls.push((list) => list.text(text));
    } else if (token === DOCTYPE) {
      const text = decodeText(chunk, textStart, textEnd, true);
      calls.push((list) => list.doctype(text));
    } else {
      const name = utf8Text(chunk, qualifiedStart, nameEnd);
      const local = utf8Text(chunk, nameStart, nameEnd);
      if (tokenizer.symbol !== names.symbolOf(local)) throw new Error(`wrong symbol of ${name}`);
      if (token === START_TAG) {
        const { tokenLine, tokenLineStart, tokenStart, isEmpty } = tokenizer;
        const { line, column } = this.moved(positionOf(chunk, tokenLine, tokenLineStart, tokenStart));
        const uri = tokenizer.namespaceUri(tokenizer.namespace);
        const attributes = this.attributes();
        calls.push((list) => list.start(name, local, uri, line, column, attributes));
        if (isEmpty) calls.push((list) => list.end(name));
      } else if (token === END_TAG) calls.push((list) => list.end(name));
      else throw new Error(`unknown token ${token}`);
    }
  }

  private attributes(): ReadAttribute[] {
    const { tokenizer, chunk } = this;
    return Array.from({ length: tokenizer.attributeCount }, (_, index) => {
      const nameEnd = tokenizer.attributeNameEnd[index]!;
      const from = tokenizer.attributeFrom[index]!;
      const to = tokenizer.attributeTo[index]!;
      const value = decodeAttribute(chunk, from, to);
      const raw = utf8Text(chunk, from, to);
      const isPlain = !/[&\t\r\n"\\]/.test(raw);
      if ((tokenizer.attributeIsPlain[index] === 1) !== isPlain) throw new Error(`wrong isPlain of ${raw}`);
      return {
        name: utf8Text(chunk, tokenizer.attributeQualifiedStart[index]!, nameEnd),
        local: utf8Text(chunk, tokenizer.attributeNameStart[index]!, nameEnd),
        uri: tokenizer.namespaceUri(tokenizer.attributeNamespace[index]!),
        value,
      };
    });
  }

  private checkFlags(text: string): void {
    const { tokenizer, chunk } = this;
    const raw = utf8Text(chunk, tokenizer.textStart, tokenizer.textEnd);
    const isPlain = !/[&\t\r\n"\\]/.test(raw);
    const isWhitespace = !/[^ \t\r\n]/.test(raw);
    if (tokenizer.isPlain !== isPlain) throw new Error(`wrong isPlain of ${JSON.stringify(text)}`);
    if (tokenizer.isWhitespace !== isWhitespace)
      throw new Error(`wrong isWhitespace of ${JSON.stringify(text)}`);
  }
}
