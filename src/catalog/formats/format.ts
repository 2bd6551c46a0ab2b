/** The formats that books and lists are written in, by the API and by `colophon export`. */
import { SUMMARY_RULES } from "../../onix/summary/summary.ts";

/** The names are the values of the parameter `format`. */
export type Format = "json" | "ndjson" | "xml" | "csv";

export const FORMATS: readonly Format[] = ["json", "ndjson", "xml", "csv"];

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  xml: "application/xml",
  csv: "text/csv",
};

export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  ...MEDIA_TYPES,
  csv: "text/csv; charset=utf-8",
};

/**
 * The versions of what is written, as parts of validators. A change of a format raises its number, or clients would
 * keep the old bytes. CSV depends on the rules of summaries, too.
 */
export const FORMAT_VERSIONS: Readonly<Record<Exclude<Format, "json">, string>> = {
  ndjson: "nd1",
  xml: "xml2",
  csv: `csv4.${SUMMARY_RULES}`,
};
