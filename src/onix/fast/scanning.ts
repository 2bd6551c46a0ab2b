/** Products as the scanner gives them: bodies in one buffer, with what they are found by. */

import type { Position } from "../../xml/position.ts";
import type { Day } from "../day.ts";
import type { Isbn13 } from "../isbn.ts";
import type { Release } from "../release.ts";
import { Columns } from "./columns.ts";
import { DONE, Scanner, UNSURE } from "./scanner.ts";
import type { Window } from "./window.ts";

/** A whole product without anything to remark upon: the bytes of its record, and what it is found by. */
export interface Scanned {
  readonly isbn: Isbn13;
  readonly body: Uint8Array;
  readonly reference: string;
  /** By its name. */
  readonly imprint: string | undefined;
  readonly languages: readonly string[];
  readonly published: Day | undefined;
  /** As JSON. */
  readonly origin: string;
  readonly line: number;
  readonly column: number;
}

/** As long as its batch is not full, its body stands in the scanner's output. */
type Unfinished = { -readonly [Member in keyof Scanned]: Scanned[Member] };

const NO_BODY = new Uint8Array(0);

/** A batch is full when its bodies have this many bytes. The rest of the buffer is room for one more product. */
const FULL = 1 << 18;
const SIZE = FULL + (3 << 20);

export class Scanning {
  release: Release = "3.0";
  /** Blanks before the product that was looked at last. */
  blanks = 0;
  private readonly columns = new Columns();
  private readonly scanner = new Scanner(SIZE, this.columns);
  private waiting: Unfinished[] = [];
  /** Of their bodies, which stand one behind the other. */
  private starts: number[] = [];
  private readonly origins = new Map<string, string>();
  private completed = 0;

  constructor() {
    this.columns.output = this.scanner.output;
    this.scanner.complete = () => {
      const { json, count } = this.columns.missing;
      this.completed = count;
      return json;
    };
  }

  get isFull(): boolean {
    return this.scanner.to >= FULL;
  }

  /** The product that the window begins with, after blanks; `next` is how many bytes it takes. */
  next(
    window: Window,
    from: Position,
  ): { outcome: number; scanned?: Scanned; place: Position; next: number } {
    const { scanner, columns } = this;
    const { buffer, start: first, end } = window;
    scanner.input = buffer;
    scanner.at = first;
    scanner.lines = 0;
    scanner.lineFeedAt = -1;
    const skipped = scanner.skipBlanks(end);
    this.blanks = scanner.at - first;
    if (skipped !== DONE) return { outcome: skipped, place: from, next: 0 };
    const begin = placeAt(from, scanner, first);
    const start = scanner.to;
    this.completed = 0;
    const outcome = scanner.scan(end);
    if (outcome !== DONE) return { outcome, place: from, next: 0 };
    const isbn = columns.book;
    if (isbn === undefined) {
      scanner.to = start;
      return { outcome: UNSURE, place: from, next: 0 };
    }
    scanner.identify(start, isbn);
    const { reference, imprint, languages, published } = columns;
    const { line, column } = begin;
    const origin = this.origin();
    const scanned: Unfinished = {
      isbn,
      reference,
      imprint,
      languages,
      published,
      origin,
      line,
      column,
      body: NO_BODY,
    };
    this.starts.push(start);
    this.waiting.push(scanned);
    return { outcome, scanned, place: placeAt(from, scanner, first), next: scanner.at - first };
  }

  /** The last one was no product after all. */
  forget(): void {
    this.waiting.pop();
    this.scanner.to = this.starts.pop()!;
  }

  /** Gives what was scanned its body, in a buffer of the batch's own. */
  finish(): void {
    const { scanner } = this;
    const bodies = new Uint8Array(scanner.output.subarray(0, scanner.to));
    this.waiting.forEach((each, at) => {
      each.body = bodies.subarray(this.starts[at], this.starts[at + 1] ?? scanner.to);
    });
    this.waiting = [];
    this.starts = [];
    scanner.to = 0;
  }

  /** Mostly the same few. In the order in which `record.ts` has the members. */
  private origin(): string {
    const { set, exceptions } = this.scanner;
    const hasExceptions = Object.keys(exceptions).length > 0;
    const key = `${this.release}${set}${this.completed}`;
    const known = hasExceptions ? undefined : this.origins.get(key);
    if (known !== undefined) return known;
    const origin = JSON.stringify({
      release: this.release,
      ...(set.length > 0 && { set }),
      ...(hasExceptions && { exceptions }),
      ...(this.completed > 0 && { completed: this.completed }),
    });
    if (!hasExceptions) this.origins.set(key, origin);
    return origin;
  }
}

/** Where the scanner is, having begun at `first`. Columns are code points: bytes that begin a character. */
function placeAt(from: Position, { input, at, lines, lineFeedAt }: Scanner, first: number): Position {
  let column = lines === 0 ? from.column : 1;
  for (let each = lines === 0 ? first : lineFeedAt + 1; each < at; each++) {
    if ((input[each]! & 0xc0) !== 0x80) column++;
  }
  return { line: from.line + lines, column };
}
