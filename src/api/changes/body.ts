/** The body of a page of changes: one JSON object, with the bytes of records or summaries as they are stored. */
import type { BookChange } from "../../catalog/changes/change-history.ts";
import { isOfOtherBook } from "../../catalog/entry.ts";
import type { View } from "../../catalog/store.ts";
import { DamagedRecord } from "../../catalog/store-errors.ts";
import { freeBuffer } from "../../lib/free-buffer.ts";
import { bufferOf } from "../../lib/text.ts";
import type { ChunkBuffer } from "../response/batch-reader.ts";

interface ChangesPage {
  readonly changes: readonly BookChange[];
  /** Books that came after this import are added; others are updated. */
  readonly from: number;
  /** The cursor of the next page. */
  readonly next: string;
  readonly hasMore: boolean;
}

const START = '{"changes":[';

/** Writes a page. With a view, `join` takes the bodies of the changes that are no deletions, in their order. */
export class ChangesBody {
  readonly #page: ChangesPage;
  readonly #view: View | undefined;
  /** The changes before it are written. */
  #index = 0;

  constructor(page: ChangesPage, view: View | undefined) {
    this.#page = page;
    this.#view = view;
  }

  readonly join = (bodies: readonly Uint8Array[], _prefix: string, buffer: ChunkBuffer): Uint8Array => {
    const heads = bodies.map((body) => {
      const head = this.#deletions();
      const change = this.#page.changes[this.#index];
      if (change === undefined) throw new Error("The store has returned too many records");
      if (isOfOtherBook(change.isbn, body)) throw new DamagedRecord(change.isbn);
      return `${head}${this.#separator()}${this.#fieldsOf(change)},"${this.#view}":`;
    });
    const size = heads.reduce((sum, head, index) => sum + head.length + bodies[index]!.length + 1, 0);
    const joined = buffer.ofSize(size);
    const text = bufferOf(joined);
    let offset = 0;
    for (const [index, head] of heads.entries()) {
      const body = bodies[index]!;
      // Everything but the bodies is ASCII.
      offset += text.write(head, offset, "latin1");
      joined.set(body, offset);
      offset += body.length;
      offset += text.write("}", offset, "latin1");
      freeBuffer(body);
    }
    return joined;
  };

  /** Returns the rest of the page after the last body. */
  readonly end = (): string => {
    const { next, hasMore } = this.#page;
    const rest = this.#view === undefined ? this.#without(() => true) : this.#deletions();
    const lost = this.#page.changes[this.#index];
    if (lost !== undefined) throw new DamagedRecord(lost.isbn);
    const start = this.#index === 0 ? START : "";
    return `${rest}${start}],"next":"${next}","more":${hasMore}}`;
  };

  /** Returns the deletions up to the next change with a body. */
  #deletions(): string {
    return this.#without(({ added }) => added === undefined);
  }

  /** Returns changes without a body, as long as they match. */
  #without(matches: (change: BookChange) => boolean): string {
    let text = "";
    for (let change = this.#page.changes[this.#index]; change && matches(change); ) {
      text += `${this.#separator()}${this.#fieldsOf(change)}}`;
      change = this.#page.changes[this.#index];
    }
    return text;
  }

  #separator(): string {
    return this.#index === 0 ? START : ",";
  }

  /** Returns the beginning of a change, and goes on to the next one. */
  #fieldsOf({ isbn, added, at }: BookChange): string {
    this.#index++;
    const kind = added === undefined ? "deleted" : added > this.#page.from ? "added" : "updated";
    return `{"isbn":"${isbn}","change":"${kind}","at":"${at}"`;
  }
}
