/**
 * saxes as the oracle of the tokenizer: an independent, strict XML parser.
 *
 * saxes reports some errors where it notices them, long after the place that the sender must correct. The rules of
 * `SaxesOracle.place` name these errors, and the place that the tokenizer reports instead.
 */
import { SaxesParser } from "saxes";
import { HTML_ENTITIES } from "../html-entities.ts";
import { referenceError } from "../references.ts";
import { EventList, type ReadAttribute, type Reading } from "./reading.ts";

/** Members of saxes that its types do not show. */
interface SaxesInternals {
  /** The offset in the current chunk of the character that was read last, and the offset of the chunk. */
  readonly prevI: number;
  readonly chunkPosition: number;
  readonly tags: readonly { readonly name: string }[];
}

/** Characters that may be in a name, but not begin it (XML 1.0 §2.3). */
const NOT_AT_NAME_START = /^(?:[-.0-9\u00b7\u203f\u2040]|[\u0300-\u036f])/;

class Rejection extends Error {}

/** Returns why saxes is wrong about a document; undefined when it can be the oracle for it. */
export function defectOfSaxes(text: string): string | undefined {
  const doctype = text.indexOf("<!DOCTYPE");
  return doctype >= 0 && /<\?(?:(?!\?>).)*\?[^?>]/s.test(text.slice(doctype))
    ? "saxes ends a processing instruction of a DTD at a `>` that is not directly behind a `?`"
    : undefined;
}

/** Reads a whole document. */
export function readWithSaxes(text: string): Reading {
  return new SaxesOracle(text).read();
}

class SaxesOracle {
  // The tokenizer reads every version as 1.0, as XML 1.0 §2.8 demands of a processor of 1.0.
  private readonly saxes = new SaxesParser({ xmlns: true, defaultXMLVersion: "1.0", forceXMLVersion: true });
  private readonly list = new EventList();
  /** The offset at which the last event ended; for a text, the offset of the `<` behind it. */
  private eventOffset = 0;
  /** The start of the last text, while no other event has followed. */
  private textStart: number | undefined;
  /** The offset of the `<` of the last start tag. */
  private tagOffset = 0;
  private error: Reading["error"];

  constructor(private readonly document: string) {
    const { saxes, list } = this;
    for (const [name, character] of HTML_ENTITIES) saxes.ENTITIES[name] = character;
    saxes.on("error", (error) => this.reject(error.message.replace(/^\d+:\d+: /, "")));
    saxes.on("xmldecl", () => this.markEvent(this.lastOffset + 1));
    saxes.on("processinginstruction", () => this.markEvent(this.lastOffset + 1));
    // saxes reports a comment at its `--`, before the `>`.
    saxes.on("comment", () => this.markEvent(this.lastOffset + 2));
    saxes.on("doctype", (text) => {
      this.markEvent(this.lastOffset + 1);
      list.doctype(text);
    });
    saxes.on("opentagstart", ({ name }) => {
      this.tagOffset = this.lastOffset - name.length - 1;
      this.markEvent(this.lastOffset);
    });
    // The types of saxes do not say that the name of an attribute is split here.
    saxes.on("attribute", (attribute) => this.checkLocalName(attribute as ReadAttribute));
    saxes.on("opentag", (tag) => {
      this.markEvent(this.lastOffset + 1);
      // The types of saxes do not say that the namespaces of attributes are resolved here.
      const attributes = Object.values(tag.attributes) as ReadAttribute[];
      this.checkLocalName(tag);
      const { line, column } = positionIn(this.document, this.tagOffset);
      list.start(tag.name, tag.local, tag.uri, line, column, attributes);
    });
    saxes.on("closetag", (tag) => {
      this.markEvent(this.lastOffset + 1);
      // The end tag that is expected is also reported when another one stands there.
      if (tag.isSelfClosing || this.isClosedBy(tag.name)) list.end(tag.name);
    });
    saxes.on("text", (text) => {
      const start = this.eventOffset;
      this.markEvent(this.lastOffset);
      this.textStart = start;
      if (this.internals.tags.length > 0) list.text(text);
    });
    saxes.on("cdata", (text) => {
      this.markEvent(this.lastOffset + 1);
      list.text(text);
    });
  }

  read(): Reading {
    try {
      // saxes skips a byte order mark. Here the decoder has removed it, and another one is a character.
      if (this.document.startsWith("\ufeff")) this.rejectAt("text data outside of root node.", 0);
      this.saxes.write(this.document);
      this.saxes.close();
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
    }
    return { events: this.list.events, error: this.error };
  }

  private get internals(): SaxesInternals {
    return this.saxes as unknown as SaxesInternals;
  }

  /** The offset of the character that saxes has read last. */
  private get lastOffset(): number {
    return this.internals.chunkPosition + this.internals.prevI;
  }

  /** saxes has read all characters. Without more input it holds back a CR at the end. */
  private get isAtEnd(): boolean {
    return this.internals.chunkPosition >= this.document.length;
  }

  private markEvent(offset: number): void {
    this.eventOffset = offset;
    this.textStart = undefined;
  }

  /** saxes accepts a local name that does not begin like a name (Namespaces in XML §4). */
  private checkLocalName({ name, local }: { readonly name: string; readonly local: string }): void {
    if (local === name || !NOT_AT_NAME_START.test(local)) return;
    this.rejectAt(`malformed name: ${name}`, this.tagOffset);
  }

  private isClosedBy(name: string): boolean {
    const tag = this.document.slice(this.document.lastIndexOf("</", this.lastOffset), this.lastOffset);
    return tag.slice(2).replace(/[ \t\r\n]+$/, "") === name;
  }

  private reject(message: string): never {
    const { reason = message, offset } = this.place(message);
    this.rejectAt(reason, offset);
  }

  private rejectAt(reason: string, offset: number): never {
    this.error = { reason, ...positionIn(this.document, offset) };
    throw new Rejection();
  }

  /** Returns the offset to report for an error of saxes. */
  private place(message: string): { readonly reason?: string; readonly offset: number } {
    const { document, eventOffset } = this;
    const here = this.isAtEnd ? document.length : this.lastOffset;
    const pending = document.slice(eventOffset, here + 1);

    // Rule 1: errors about the names and namespaces of a tag, found at the `>` or a closing quote: the tag's `<`.
    if (
      /^(?:duplicate attribute|unbound namespace|malformed name|documents may contain only one root)/.test(
        message,
      )
    )
      return { offset: this.tagOffset };
    if (/prefix|namespace|may not assign/.test(message)) return { offset: this.tagOffset };

    // Rule 2: a `<` that begins no tag, found at the next character (in these words without a full stop): the `<`.
    if (message === "disallowed character in tag name") return { offset: here - 1 };

    // Rule 3: an end tag that does not match, found at its `>`: its `<`.
    if (/^(?:unexpected close tag|unmatched closing tag|weird empty close tag)/.test(message))
      return { offset: document.lastIndexOf("</", here) };

    // Rule 4: markup that begins with `<!` and is unknown or misplaced, found after seven characters: its `<`.
    const declaration = /^([ \t\r\n]*)<!(.*)$/s.exec(pending);
    if (declaration !== null) {
      const [, whitespace, rest] = declaration;
      const known = ["--", "[CDATA[", "DOCTYPE"];
      const isKnown = known.some((start) => rest!.startsWith(start));
      const mayBeKnown = this.isAtEnd && known.some((start) => start.startsWith(rest!));
      const isMisplaced = /^(?:inappropriately located|text data outside)/.test(message);
      if (isMisplaced || !(isKnown || mayBeKnown)) return { offset: eventOffset + whitespace!.length };
    }

    // Rule 5: text outside the root, found at its end: its first character that is not whitespace.
    if (this.internals.tags.length === 0 && !/^unclosed tag/.test(message)) {
      const start =
        this.textStart !== undefined && message.startsWith("text data") ? this.textStart : eventOffset;
      const isTag = start === eventOffset && eventOffset > this.tagOffset && this.isInTag();
      const index = document.slice(start, here + 1).search(/[^ \t\r\n]/);
      if (!isTag && index >= 0 && document[start + index] !== "<") return { offset: start + index };
    }

    // Rule 6: a `&` that begins no valid reference, found at the next `;` or at the end of the document: the `&`.
    const markup = pending.indexOf("<");
    const text = markup < 0 ? pending : pending.slice(0, markup);
    for (let index = text.indexOf("&"); index >= 0; index = text.indexOf("&", index + 1)) {
      const reason = referenceError(document.slice(eventOffset + index, eventOffset + index + 200));
      if (reason !== undefined) return { reason, offset: eventOffset + index };
    }

    return { offset: here };
  }

  /** The last start tag has not ended. */
  private isInTag(): boolean {
    const { tag } = this.saxes as unknown as { readonly tag: { readonly isSelfClosing?: boolean } | null };
    return tag !== null && tag.isSelfClosing === undefined;
  }
}

/** Returns the line and column of an offset in UTF-16 units. Columns are code points. */
function positionIn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split(/\r\n?|\n/);
  return { line: lines.length, column: Array.from(lines.at(-1)!).length + 1 };
}
