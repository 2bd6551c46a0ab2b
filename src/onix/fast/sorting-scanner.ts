/** Reads the children of a composite in the order of the schema when the feed has them in another order. */
import { incomplete, NO_ELEMENT, unsupported } from "./byte-scanner.ts";
import { placementOf } from "./scan-tables.ts";
import { TextScanner } from "./text-scanner.ts";

interface ChildRange {
  readonly placement: number;
  /** Offsets in the input. */
  readonly start: number;
  readonly end: number;
}

export interface SortedChildren {
  readonly children: readonly ChildRange[];
  /** How many children have been read. */
  readCount: number;
  /** The offset of the end tag after the children, and the line feeds before it. */
  readonly end: number;
  readonly lineFeeds: number;
  readonly lastLineFeed: number;
}

export abstract class SortingScanner extends TextScanner {
  /** Finds and sorts the children of a composite whose start tag has been read. */
  protected sortChildren(composite: number): SortedChildren {
    const children: ChildRange[] = [];
    for (;;) {
      const element = this.nextElement();
      if (element === NO_ELEMENT) break;
      const start = this.position;
      this.skipElement();
      children.push({ placement: placementOf(composite, element), start, end: this.position });
    }
    children.sort((a, b) => a.placement - b.placement);
    return {
      children,
      readCount: 0,
      end: this.position,
      lineFeeds: this.lineFeeds,
      lastLineFeed: this.lastLineFeed,
    };
  }

  /** Moves to the next child in order; after the last one, to the end tag of the composite. */
  protected moveToNextChild(sorted: SortedChildren): void {
    const last = sorted.children[sorted.readCount - 1];
    // `skipElement` only counts tags. A child that ends elsewhere is not well-formed.
    if (last && this.position !== last.end) throw unsupported;
    const next = sorted.children[sorted.readCount++];
    if (next) this.position = next.start;
    else {
      [this.position, this.lineFeeds, this.lastLineFeed] = [
        sorted.end,
        sorted.lineFeeds,
        sorted.lastLineFeed,
      ];
    }
  }

  /** Skips the element at `position`. Whether it is well-formed is checked when it is read. */
  private skipElement(): void {
    let depth = 0;
    do {
      const next = this.byteAt(this.position + 1);
      if (next === 0x3f) throw unsupported;
      if (next === 0x21) this.skipCommentOrCdata();
      else {
        const isEmpty = this.skipTag();
        if (next === 0x2f) depth--;
        else if (!isEmpty) depth++;
      }
      if (depth > 0) this.skipText();
    } while (depth > 0);
  }

  private skipText(): void {
    const { input, inputEnd } = this;
    let { position } = this;
    for (; position < inputEnd && input[position] !== 0x3c; position++) {
      if (input[position] === 0x0a) this.countLineFeed(position);
    }
    if (position >= inputEnd) throw incomplete;
    this.position = position;
  }

  /** Returns true for `<Name/>`. */
  private skipTag(): boolean {
    let quote = 0;
    for (let offset = this.position + 1; ; offset++) {
      const byte = this.byteAt(offset);
      if (byte === 0x0a) this.countLineFeed(offset);
      if (quote !== 0) {
        if (byte === quote) quote = 0;
      } else if (byte === 0x22 || byte === 0x27) quote = byte;
      else if (byte === 0x3e) {
        this.position = offset + 1;
        return this.input[offset - 1] === 0x2f;
      }
    }
  }

  private skipCommentOrCdata(): void {
    if (this.isCdataAt(this.position)) {
      const end = this.findCdataEnd(this.position + 9) + 3;
      for (let offset = this.position; offset < end; offset++) {
        if (this.input[offset] === 0x0a) this.countLineFeed(offset);
      }
      this.position = end;
    } else this.skipComment();
  }
}
