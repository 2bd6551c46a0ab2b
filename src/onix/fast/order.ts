/** The elements of a composite in the order of the schema, where the feed has another. */
import { NO_ELEMENT, short, unsure } from "./cursor.ts";
import { placeOf } from "./tables.ts";
import { TextScanner } from "./texts.ts";

interface Child {
  readonly place: number;
  /** Its bytes. */
  readonly start: number;
  readonly end: number;
}

/** Children that are read in another order than they came in. */
export interface Sorted {
  readonly children: readonly Child[];
  /** How many of them have been read. */
  read: number;
  /** The end tag behind them, and the lines up to it. */
  readonly end: number;
  readonly lines: number;
  readonly lineFeedAt: number;
}

export abstract class OrderScanner extends TextScanner {
  /** Looks over the children of a composite whose start tag has been read. */
  protected sorted(composite: number): Sorted {
    const children: Child[] = [];
    for (;;) {
      const element = this.element();
      if (element === NO_ELEMENT) break;
      const start = this.at;
      this.pass();
      children.push({ place: placeOf(composite, element), start, end: this.at });
    }
    children.sort((a, b) => a.place - b.place);
    return { children, read: 0, end: this.at, lines: this.lines, lineFeedAt: this.lineFeedAt };
  }

  /** Goes to the next child, or behind the last to the end tag, as if all had been read in the order of the feed. */
  protected turnTo(sorted: Sorted): void {
    const last = sorted.children[sorted.read - 1];
    // What was passed over as one element was none.
    if (last && this.at !== last.end) throw unsure;
    const next = sorted.children[sorted.read++];
    if (next) this.at = next.start;
    else [this.at, this.lines, this.lineFeedAt] = [sorted.end, sorted.lines, sorted.lineFeedAt];
  }

  /** To behind the element that begins here. Whether it is well-formed will be seen when it is read. */
  private pass(): void {
    let depth = 0;
    do {
      const next = this.byte(this.at + 1);
      if (next === 0x3f) throw unsure;
      if (next === 0x21) this.passAside();
      else {
        const isEmpty = this.passTag();
        if (next === 0x2f) depth--;
        else if (!isEmpty) depth++;
      }
      if (depth > 0) this.passText();
    } while (depth > 0);
  }

  private passText(): void {
    const { input, end } = this;
    let { at } = this;
    for (; at < end && input[at] !== 0x3c; at++) if (input[at] === 0x0a) this.lineFeed(at);
    if (at >= end) throw short;
    this.at = at;
  }

  /** Says whether it is an element of its own: `<Name/>`. */
  private passTag(): boolean {
    let quote = 0;
    for (let at = this.at + 1; ; at++) {
      const byte = this.byte(at);
      if (byte === 0x0a) this.lineFeed(at);
      if (quote !== 0) {
        if (byte === quote) quote = 0;
      } else if (byte === 0x22 || byte === 0x27) quote = byte;
      else if (byte === 0x3e) {
        this.at = at + 1;
        return this.input[at - 1] === 0x2f;
      }
    }
  }

  private passAside(): void {
    if (this.isCdata(this.at)) {
      const end = this.findCdataEnd(this.at + 9) + 3;
      for (let at = this.at; at < end; at++) if (this.input[at] === 0x0a) this.lineFeed(at);
      this.at = end;
    } else this.comment();
  }
}
