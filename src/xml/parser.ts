/**
 * A strict XML parser: text in, tags and texts out, each with its position.
 *
 * saxes does the parsing. It fetches nothing and expands no entity of a DTD. This class adds positions, size limits
 * and error messages that the sender of a feed can act on.
 */
import { SaxesParser, type SaxesTagNS } from "saxes";
import { FeedError, printable } from "../feed/feed-error.ts";
import { HTML_ENTITIES } from "./html-entities.ts";
import { type Position, positionAfter } from "./position.ts";
import { referenceError } from "./references.ts";

/** Limits of one token, which must fit in memory, in UTF-16 units. Real feeds stay far below them. */
const MAX_TOKEN_UNITS = 4 << 20;
const MAX_TAG_UNITS = 1 << 20;
const MAX_ATTRIBUTES = 100;

export interface OpenTag {
  /** Without the prefix. */
  readonly name: string;
  readonly prefix: string;
  readonly namespace: string;
  readonly attributes: readonly XmlAttribute[];
  readonly line: number;
  readonly column: number;
}

export interface XmlAttribute {
  /** With the prefix, as written. */
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
  readonly uri: string;
  readonly value: string;
}

export interface XmlHandler {
  doctype(text: string): void;
  open(tag: OpenTag): void;
  /** May be called several times between two tags. The calls do not depend on how the input was split. */
  text(text: string): void;
  close(): void;
}

const NO_ATTRIBUTES: readonly XmlAttribute[] = [];

export class XmlParser {
  private readonly saxes = new SaxesParser({ xmlns: true, position: false });
  /** UTF-16 units written before `chunk`. */
  private unitsWritten = 0;
  /** The text that `write` is passing to saxes; empty between writes. */
  private chunk = "";
  /** The text after the last event, up to `chunk`: the beginning of a token that is not complete. */
  private pending = "";
  /** The offset, line and column at which the last event ended. */
  private eventOffset = 0;
  private eventLine = 1;
  private eventColumn = 0;
  /** The last event was a text. saxes reports a text only after it has read the `<` that follows. */
  private isAfterText = false;
  /** The last text, with the position at which it begins. */
  private readonly lastText = { text: "", line: 1, column: 0 };
  private maxTokenUnits = MAX_TOKEN_UNITS;
  /** Attributes of the current tag so far. */
  private attributeCount = 0;
  /** The name of the element that saxes expects to be closed. */
  private closingName = "";
  /** The position of the current tag. */
  private tagPosition: Position = { line: 1, column: 1 };

  constructor(handler: XmlHandler) {
    const { saxes } = this;
    for (const [name, character] of HTML_ENTITIES) saxes.ENTITIES[name] = character;
    saxes.on("error", (error) => this.rejectSaxesError(error.message));
    saxes.on("xmldecl", () => this.markEvent());
    saxes.on("processinginstruction", () => this.markEvent());
    saxes.on("comment", () => {
      this.markEvent();
      // saxes reports a comment at its `--`, before the `>`.
      this.eventOffset++;
      this.eventColumn++;
    });
    saxes.on("doctype", (text) => {
      this.markEvent();
      handler.doctype(text);
    });
    saxes.on("opentagstart", (tag) => this.beginTag(tag.name));
    saxes.on("attribute", () => {
      if (++this.attributeCount > MAX_ATTRIBUTES) {
        this.reject(`an element has more than ${MAX_ATTRIBUTES} attributes`, this.tagPosition);
      }
    });
    saxes.on("opentag", (tag) => {
      this.markEvent();
      handler.open(this.openTag(tag));
    });
    saxes.on("closetag", (tag) => {
      this.closingName = tag.name;
      this.markEvent();
      handler.close();
    });
    saxes.on("text", (text) => {
      this.lastText.text = text;
      this.lastText.line = this.eventLine;
      this.lastText.column = this.eventColumn;
      this.markEvent();
      this.isAfterText = true;
      handler.text(text);
    });
    saxes.on("cdata", (text) => {
      this.markEvent();
      handler.text(text);
    });
  }

  /** UTF-16 units parsed so far. Only valid within an event. */
  get offset(): number {
    return this.saxes.position;
  }

  /** The start of the text that is being reported; for CDATA, its end. */
  get textPosition(): Position {
    return this.isAfterText
      ? positionAfter("", this.lastText.line, this.lastText.column)
      : { line: this.eventLine, column: this.eventColumn };
  }

  /** Expects LF as the only line end, and no surrogate pair that is split between two calls. */
  write(text: string): void {
    this.chunk = text;
    this.saxes.write(text);
    const eventInChunk = this.eventOffset - this.unitsWritten;
    this.pending = eventInChunk >= 0 ? text.slice(eventInChunk) : this.pending + text;
    this.unitsWritten += text.length;
    this.chunk = "";
    if (this.pending.length > this.maxTokenUnits) this.rejectLongToken();
  }

  end(): void {
    this.saxes.close();
  }

  /** Only whitespace has been written since the last event. */
  get isBetweenTags(): boolean {
    return /^[ \t\n]*$/.test(this.pending);
  }

  /** Continues after a part of the document that was read elsewhere. Only allowed between tags. */
  skipTo({ line, column }: Position): void {
    this.pending = "";
    this.eventOffset = this.unitsWritten;
    this.eventLine = line;
    this.eventColumn = column - 1;
    this.saxes.line = line;
    this.saxes.column = column - 1;
  }

  /** The position of the character that will be written next. */
  get nextPosition(): Position {
    return this.positionAt(this.unitsWritten);
  }

  private markEvent(): void {
    const { saxes } = this;
    this.eventOffset = saxes.position;
    this.eventLine = saxes.line;
    this.eventColumn = saxes.column;
    this.maxTokenUnits = MAX_TOKEN_UNITS;
    this.isAfterText = false;
  }

  private beginTag(name: string): void {
    const { line, column } = this.saxes;
    // saxes has read `<name` and one more character. When that is a line feed, its column no longer tells the start.
    const isOnSameLine = column > name.length + 1;
    this.tagPosition = isOnSameLine
      ? { line, column: column - name.length - 1 }
      : this.positionAt(this.saxes.position - name.length - 2);
    this.markEvent();
    this.maxTokenUnits = MAX_TAG_UNITS;
    this.attributeCount = 0;
  }

  private openTag(tag: SaxesTagNS): OpenTag {
    const { line, column } = this.tagPosition;
    // The types of saxes do not say that the namespaces of attributes are resolved here.
    const attributes =
      this.attributeCount === 0 ? NO_ATTRIBUTES : (Object.values(tag.attributes) as XmlAttribute[]);
    return { name: tag.local, prefix: tag.prefix, namespace: tag.uri, attributes, line, column };
  }

  /** Works for offsets after the last event, and for those before it on the same line. */
  private positionAt(offset: number): Position {
    if (offset < this.eventOffset) {
      return { line: this.eventLine, column: this.eventColumn - (this.eventOffset - offset) + 1 };
    }
    const text = this.textSinceEvent().slice(0, offset - this.eventOffset);
    return positionAfter(text, this.eventLine, this.eventColumn);
  }

  private textSinceEvent(): string {
    const eventInChunk = this.eventOffset - this.unitsWritten;
    return eventInChunk >= 0 ? this.chunk.slice(eventInChunk) : this.pending + this.chunk;
  }

  /** The text that saxes has parsed since the last event. Between writes, `saxes.position` is not reliable. */
  private parsedSinceEvent(): string {
    return this.chunk === ""
      ? this.pending
      : this.textSinceEvent().slice(0, this.saxes.position - this.eventOffset);
  }

  /** Turns an error of saxes, which would continue after it, into a FeedError. */
  private rejectSaxesError(message: string): never {
    const reference = this.findBadReference();
    if (reference) this.reject(reference.reason, reference.position);
    const { line, column } = this.saxes;
    const here = this.chunk === "" ? this.nextPosition : { line, column: Math.max(column, 1) };
    const unclosed = /^unclosed tag: (.*)$/s.exec(message)?.[1];
    if (unclosed !== undefined) {
      this.reject(`not well-formed: the feed ends inside <${printable(unclosed)}>`, here);
    }
    switch (message) {
      case "unexpected end.":
        return this.reject("not well-formed: the feed ends inside a tag or comment", here);
      case "unexpected close tag.":
        return this.rejectEndTag(here);
      case "documents may contain only one root.":
        return this.reject("not well-formed: a second root element", this.tagPosition);
      case "document must contain a root element.":
        return this.reject("not well-formed: no root element", here);
      case "text data outside of root node.": {
        // saxes reports it at the end of the text or of the chunk; the position is that of its first character.
        const { text, line, column } = this.isAfterText
          ? this.lastText
          : { text: this.parsedSinceEvent(), line: this.eventLine, column: this.eventColumn };
        const start = positionAfter(text.slice(0, Math.max(0, text.search(/[^ \t\n]/))), line, column);
        return this.reject("not well-formed: text outside the root element", start);
      }
      default: {
        const concernsTag = /^(?:duplicate attribute|unbound namespace prefix|malformed name)/.test(message);
        return this.reject(
          `not well-formed: ${printable(message.replace(/\.$/, ""))}`,
          concernsTag ? this.tagPosition : here,
        );
      }
    }
  }

  private rejectLongToken(): never {
    const reference = this.findBadReference();
    if (reference) this.reject(reference.reason, reference.position);
    const reason =
      this.maxTokenUnits === MAX_TAG_UNITS
        ? "a tag is larger than 1 MB"
        : "a text or comment is larger than 4 MB";
    this.reject(reason, this.positionAt(this.eventOffset));
  }

  private rejectEndTag(here: Position): never {
    // During a write, `pending` still ends where `chunk` begins, so that the two together contain the whole tag.
    const parsed = this.pending + this.chunk.slice(0, this.saxes.position - this.unitsWritten);
    // The `<` may be missing: it may have been consumed with the text before it.
    const [tag, name] = /\/([^<>/\s]*)[ \t\n]*>$/.exec(parsed) ?? ["", ""];
    const position = tag.includes("\n")
      ? here
      : { line: here.line, column: here.column - Array.from(tag).length };
    const expected = printable(this.closingName);
    this.reject(`not well-formed: </${printable(name!)}> found where </${expected}> is expected`, position);
  }

  /** Finds a bare `&` in the current token. saxes notices it only at the next `;`, which may be much later. */
  private findBadReference(): { readonly reason: string; readonly position: Position } | undefined {
    if (this.isAfterText) return undefined;
    const text = this.parsedSinceEvent();
    const tagStart = text.indexOf("<");
    const end = tagStart < 0 ? text.length : tagStart;
    for (let index = text.indexOf("&"); index >= 0 && index < end; index = text.indexOf("&", index + 1)) {
      const reason = referenceError(text.slice(index, index + 200));
      if (reason !== undefined) return { reason, position: this.positionAt(this.eventOffset + index) };
    }
    return undefined;
  }

  private reject(reason: string, position: Position): never {
    throw new FeedError(reason, position.line, position.column);
  }
}
