/** Writes lists in a format: one mechanism for the API and for `colophon export`. */
import type { Awaitable } from "../../lib/awaitable.ts";
import type { Imprint } from "../store.ts";
import type { ByteOutput } from "./byte-output.ts";
import { BYTE_ORDER_MARK, csvLine } from "./csv.ts";
import { SUMMARY_CSV_HEAD, summaryCsvLine } from "./summary-csv.ts";

export interface ListWriter<T> {
  /** Writes what precedes the items. */
  begin(output: ByteOutput): void;
  /** Returns a promise when the item is written later. */
  write(item: T, output: ByteOutput): Awaitable<void>;
  /** Writes what follows the items. */
  end(output: ByteOutput): void;
}

/** Records or summaries: one per line, as they are stored. They contain no line feed, because JSON escapes it. */
export const ndjsonOfBodies: ListWriter<Uint8Array> = {
  begin: () => {},
  write(body, output) {
    output.write(body);
    output.write("\n");
  },
  end: () => {},
};

/** Other items: one JSON value per line. */
export function ndjsonOf<T>(toJson: (item: T) => unknown): ListWriter<T> {
  return {
    begin: () => {},
    write: (item, output) => output.write(`${JSON.stringify(toJson(item))}\n`),
    end: () => {},
  };
}

/** The array that the API responds with, and a line feed. */
export function jsonOfBodies(): ListWriter<Uint8Array> {
  let isFirst = true;
  return {
    begin: (output) => output.write("["),
    write(body, output) {
      if (!isFirst) output.write(",");
      isFirst = false;
      output.write(body);
    },
    end: (output) => output.write("]\n"),
  };
}

export const csvOfSummaries: ListWriter<Uint8Array> = {
  begin: (output) => output.write(SUMMARY_CSV_HEAD),
  write: (body, output) => output.write(summaryCsvLine(body)),
  end: () => {},
};

export const csvOfIsbns: ListWriter<string> = {
  begin: (output) => output.write(BYTE_ORDER_MARK + csvLine(["isbn"])),
  write: (isbn, output) => output.write(csvLine([isbn])),
  end: () => {},
};

export const csvOfImprints: ListWriter<Imprint> = {
  begin: (output) => output.write(BYTE_ORDER_MARK + csvLine(["slug", "name"])),
  write: ({ slug, name }, output) => output.write(csvLine([slug, name])),
  end: () => {},
};
