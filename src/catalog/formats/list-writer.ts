/** Writes lists in a format: one mechanism for the API and for `colophon export`. */

import { type Awaitable, then } from "../../lib/awaitable.ts";
import { BYTE_ORDER_MARK, csvLine } from "../../lib/csv-line.ts";
import type { Imprint } from "../store.ts";
import { SUMMARY_CSV_HEAD, summaryCsvLine } from "./csv.ts";

export interface ListWriter<T> {
  /** Writes what precedes the items. */
  begin?(output: ByteOutput): void;
  /** Returns a promise when the item is written later. */
  write(item: T, output: ByteOutput): Awaitable<void>;
  /** Writes what follows the items. */
  end?(output: ByteOutput): void;
}

type WriteItem<T> = ListWriter<T>["write"];

/** One JSON value per line. It contains no line feed, because JSON escapes it. */
export function linesOf<T>(writeItem: WriteItem<T>): ListWriter<T> {
  return {
    write: (item, output) => then(writeItem(item, output), () => output.write("\n")),
  };
}

/** Records or summaries, as they are stored. */
export const ndjsonOfBodies = linesOf<Uint8Array>((body, output) => output.write(body));

/** Other items. */
export function ndjsonOf<T>(toJson: (item: T) => unknown): ListWriter<T> {
  return linesOf((item, output) => output.write(JSON.stringify(toJson(item))));
}

/** A JSON array. */
export function arrayOf<T>(writeItem: WriteItem<T>, end = "]"): ListWriter<T> {
  let isFirst = true;
  return {
    begin: (output) => output.write("["),
    write(item, output) {
      if (!isFirst) output.write(",");
      isFirst = false;
      return writeItem(item, output);
    },
    end: (output) => output.write(end),
  };
}

export const csvOfSummaries: ListWriter<Uint8Array> = {
  begin: (output) => output.write(SUMMARY_CSV_HEAD),
  write: (body, output) => output.write(summaryCsvLine(body)),
};

export const csvOfIsbns: ListWriter<string> = {
  begin: (output) => output.write(BYTE_ORDER_MARK + csvLine(["isbn"])),
  write: (isbn, output) => output.write(csvLine([isbn])),
};

export const csvOfImprints: ListWriter<Imprint> = {
  begin: (output) => output.write(BYTE_ORDER_MARK + csvLine(["slug", "name"])),
  write: ({ slug, name }, output) => output.write(csvLine([slug, name])),
};

/** Collects texts and bytes as UTF-8 in a buffer that is used again for each chunk. */
export class ByteOutput {
  #buffer = new Uint8Array(16 * 1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  write(content: string | Uint8Array): void {
    if (typeof content === "string") {
      // UTF-8 takes at most three bytes for each UTF-16 code unit.
      this.#reserve(content.length * 3);
      this.#length += encoder.encodeInto(content, this.#buffer.subarray(this.#length)).written;
    } else {
      this.#reserve(content.length);
      this.#buffer.set(content, this.#length);
      this.#length += content.length;
    }
  }

  /** Returns what was written since the last call. The bytes are valid until the next write. */
  take(): Uint8Array {
    const taken = this.#buffer.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#buffer.length));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

const encoder = new TextEncoder();
