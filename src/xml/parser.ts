/**
 * Text of an XML document -> its tags and texts, each with its place; refused where it is not well-formed.
 * The work is done by saxes, which fetches nothing and expands no entity of a DTD; this adds places, bounds and
 * reasons that a sender understands. A faster tokenizer would have this same shape.
 */
import { SaxesParser, type SaxesTagNS } from "saxes";
import { FeedError, printable } from "../feed/feed-error.ts";
import { HTML_ENTITIES } from "./entities.ts";
import { whyNoReference } from "./entity-reference.ts";
import { type Position, positionAfter } from "./position.ts";

/** Bounds of what must be held in memory at once, in UTF-16 units: far beyond any real feed. */
const LONGEST_TOKEN = 4 << 20;
const LONGEST_TAG = 1 << 20;
const MOST_ATTRIBUTES = 100;

export interface OpenTag {
  readonly name: string;
  readonly prefix: string;
  readonly namespace: string;
  readonly attributes: readonly XmlAttribute[];
  readonly line: number;
  readonly column: number;
}

export interface XmlAttribute {
  /** As written. */
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
  readonly uri: string;
  readonly value: string;
}

export interface XmlHandler {
  doctype(text: string): void;
  open(tag: OpenTag): void;
  /** Text and CDATA between two tags may come in several calls; how the input was cut makes no difference. */
  text(text: string): void;
  close(): void;
}

export class XmlParser {
  private readonly saxes = new SaxesParser({ xmlns: true, position: false });
  /** All that was written before `chunk`. */
  private written = 0;
  private chunk = "";
  /** What was written after the last event, before `chunk`. */
  private pending = "";
  /** Where the last event left the parser: everything after it is one token that is not finished. */
  private markAt = 0;
  private markLine = 1;
  private markColumn = 0;
  /** A text is reported when the `<` behind it has been read. */
  private isBehindText = false;
  /** The place is where the event before it left the parser. */
  private readonly lastText = { text: "", line: 1, column: 0 };
  private longest = LONGEST_TOKEN;
  private attributes = 0;
  private closed = "";
  private start: Position = { line: 1, column: 1 };

  constructor(handler: XmlHandler) {
    const { saxes } = this;
    for (const [name, character] of HTML_ENTITIES) saxes.ENTITIES[name] = character;
    saxes.on("error", (error) => this.fail(error.message));
    saxes.on("xmldecl", () => this.mark());
    saxes.on("processinginstruction", () => this.mark());
    saxes.on("comment", () => {
      this.mark();
      // Told at its `--`; the `>` is still to come.
      this.markAt++;
      this.markColumn++;
    });
    saxes.on("doctype", (text) => {
      this.mark();
      handler.doctype(text);
    });
    saxes.on("opentagstart", (tag) => this.begin(tag.name));
    saxes.on("attribute", () => {
      if (++this.attributes > MOST_ATTRIBUTES) {
        this.refuse(`an element with more than ${MOST_ATTRIBUTES} attributes`, this.start);
      }
    });
    saxes.on("opentag", (tag) => {
      this.mark();
      handler.open(this.opened(tag));
    });
    saxes.on("closetag", (tag) => {
      this.closed = tag.name;
      this.mark();
      handler.close();
    });
    saxes.on("text", (text) => {
      this.lastText.text = text;
      this.lastText.line = this.markLine;
      this.lastText.column = this.markColumn;
      this.mark();
      this.isBehindText = true;
      handler.text(text);
    });
    saxes.on("cdata", (text) => {
      this.mark();
      handler.text(text);
    });
  }

  /** UTF-16 units read so far, within an event: to measure what a handler keeps. */
  get position(): number {
    return this.saxes.position;
  }

  /** Where the text begins that is being told; of CDATA, where it ends. */
  get textPlace(): Position {
    return this.isBehindText
      ? positionAfter("", this.lastText.line, this.lastText.column)
      : { line: this.markLine, column: this.markColumn };
  }

  /** Line ends must be LF, and no surrogate pair be cut in two. */
  write(text: string): void {
    this.chunk = text;
    this.saxes.write(text);
    const since = this.markAt - this.written;
    this.pending = since >= 0 ? text.slice(since) : this.pending + text;
    this.written += text.length;
    this.chunk = "";
    if (this.pending.length > this.longest) this.refuseLength();
  }

  end(): void {
    this.saxes.close();
  }

  /** Between tags: nothing but blanks has been read since the last event. */
  get isResting(): boolean {
    return /^[ \t\n]*$/.test(this.pending);
  }

  /** Goes on behind a part of the document that another has read. Only while resting. */
  skipTo({ line, column }: Position): void {
    this.pending = "";
    this.markAt = this.written;
    this.markLine = line;
    this.markColumn = column - 1;
    this.saxes.line = line;
    this.saxes.column = column - 1;
  }

  /** Of the character that comes next. */
  get next(): Position {
    return this.placeAt(this.written);
  }

  private mark(): void {
    const { saxes } = this;
    this.markAt = saxes.position;
    this.markLine = saxes.line;
    this.markColumn = saxes.column;
    this.longest = LONGEST_TOKEN;
    this.isBehindText = false;
  }

  private begin(name: string): void {
    const { line, column } = this.saxes;
    // The parser stands behind `<name` and one character more; if that was a line end, the column is gone.
    const isOnSameLine = column > name.length + 1;
    this.start = isOnSameLine
      ? { line, column: column - name.length - 1 }
      : this.placeAt(this.saxes.position - name.length - 2);
    this.mark();
    this.longest = LONGEST_TAG;
    this.attributes = 0;
  }

  private opened(tag: SaxesTagNS): OpenTag {
    const { line, column } = this.start;
    // saxes types the namespace of an attribute as it is before it was looked up.
    const attributes =
      this.attributes === 0 ? NO_ATTRIBUTES : (Object.values(tag.attributes) as XmlAttribute[]);
    return { name: tag.local, prefix: tag.prefix, namespace: tag.uri, attributes, line, column };
  }

  /** Of a character that stands behind the last event, or just before it. */
  private placeAt(position: number): Position {
    if (position < this.markAt) {
      return { line: this.markLine, column: this.markColumn - (this.markAt - position) + 1 };
    }
    return positionAfter(this.sinceMark().slice(0, position - this.markAt), this.markLine, this.markColumn);
  }

  private sinceMark(): string {
    const since = this.markAt - this.written;
    return since >= 0 ? this.chunk.slice(since) : this.pending + this.chunk;
  }

  /** What the parser has read since the last event. Between writes its own position is not to be trusted. */
  private consumed(): string {
    return this.chunk === "" ? this.pending : this.sinceMark().slice(0, this.saxes.position - this.markAt);
  }

  /** saxes goes on after an error; a feed does not. */
  private fail(message: string): never {
    const reference = this.badReference();
    if (reference) this.refuse(reference.reason, reference.place);
    const { line, column } = this.saxes;
    const here = this.chunk === "" ? this.next : { line, column: Math.max(column, 1) };
    const unclosed = /^unclosed tag: (.*)$/s.exec(message)?.[1];
    if (unclosed !== undefined) {
      this.refuse(`not well-formed: the feed ends inside <${printable(unclosed)}>`, here);
    }
    switch (message) {
      case "unexpected end.":
        return this.refuse("not well-formed: the feed ends inside a tag or comment", here);
      case "unexpected close tag.":
        return this.refuseClosing(here);
      case "documents may contain only one root.":
        return this.refuse("not well-formed: a second root element", this.start);
      case "document must contain a root element.":
        return this.refuse("not well-formed: no root element", here);
      case "text data outside of root node.": {
        // Told at the end of the text, or of the chunk.
        const { text, line, column } = this.isBehindText
          ? this.lastText
          : { text: this.consumed(), line: this.markLine, column: this.markColumn };
        const place = positionAfter(text.slice(0, Math.max(0, text.search(/[^ \t\n]/))), line, column);
        return this.refuse("not well-formed: text outside the root element", place);
      }
      default: {
        const isOfTag = /^(?:duplicate attribute|unbound namespace prefix|malformed name)/.test(message);
        return this.refuse(
          `not well-formed: ${printable(message.replace(/\.$/, ""))}`,
          isOfTag ? this.start : here,
        );
      }
    }
  }

  private refuseLength(): never {
    const reference = this.badReference();
    if (reference) this.refuse(reference.reason, reference.place);
    const what =
      this.longest === LONGEST_TAG ? "a tag of more than 1 MB" : "a text or comment of more than 4 MB";
    this.refuse(what, this.placeAt(this.markAt));
  }

  private refuseClosing(here: Position): never {
    // `pending` is still what it was before this chunk, so that the tag is whole in them.
    const read = this.pending + this.chunk.slice(0, this.saxes.position - this.written);
    // Its `<` may have been told with the text before it, and be gone.
    const [tag, name] = /\/([^<>/\s]*)[ \t\n]*>$/.exec(read) ?? ["", ""];
    const place = tag.includes("\n")
      ? here
      : { line: here.line, column: here.column - Array.from(tag).length };
    this.refuse(`not well-formed: </${printable(name!)}> where </${printable(this.closed)}> is due`, place);
  }

  /** saxes notices a bare `&` only at the next `;`, which may be in another book. */
  private badReference(): { readonly reason: string; readonly place: Position } | undefined {
    if (this.isBehindText) return undefined;
    const text = this.consumed();
    const tag = text.indexOf("<");
    for (let at = text.indexOf("&"); at >= 0 && (tag < 0 || at < tag); at = text.indexOf("&", at + 1)) {
      const reason = whyNoReference(text.slice(at, at + 200));
      if (reason !== undefined) return { reason, place: this.placeAt(this.markAt + at) };
    }
    return undefined;
  }

  private refuse(reason: string, place: Position): never {
    throw new FeedError(reason, place.line, place.column);
  }
}

const NO_ATTRIBUTES: readonly XmlAttribute[] = [];
