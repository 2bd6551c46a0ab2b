/** A thread that writes large books as products of ONIX, rows of CSV or summaries in a shape, in the order of the requests. */
import { summaryCsvLine } from "../../catalog/formats/csv.ts";
import { ByteOutput } from "../../catalog/formats/list-writer.ts";
import { type OnixEntry, type OnixOptions, productText } from "../../catalog/formats/onix.ts";
import type { SearchQuery } from "../../catalog/search/query.ts";
import { type StoredTables, SubjectReader } from "../../catalog/subjects/subject-labels.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { type SummaryShape, SummaryWriter } from "../summaries/summary-shape.ts";

declare const self: Worker;

export type BookRequest =
  | { readonly entry: OnixEntry; readonly options: OnixOptions }
  | { readonly summary: Uint8Array; readonly shaping?: Shaping };

interface Shaping {
  readonly shape: Omit<SummaryShape, "words">;
  readonly query: SearchQuery | undefined;
  readonly subjects: StoredTables;
}

export type BookReply =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly bytes?: undefined; readonly failure: string };

const encoder = new TextEncoder();
/** The subjects of the request that is being written. */
let tables: StoredTables = {};
const subjects = new SubjectReader({
  digests: () => ({ eng: tables.eng?.digest, spa: tables.spa?.digest }),
  read: (language) => tables[language],
});

let last = Promise.resolve();
self.onmessage = ({ data }: MessageEvent<BookRequest>) => {
  last = last.then(async () => {
    const reply = await replyTo(data);
    self.postMessage(reply, reply.bytes ? [reply.bytes.buffer] : []);
  });
};

async function replyTo(request: BookRequest): Promise<BookReply> {
  try {
    return { bytes: await written(request) };
  } catch (error) {
    return { failure: errorMessage(error) };
  }
}

async function written(request: BookRequest): Promise<Uint8Array<ArrayBuffer>> {
  if ("entry" in request) return encoder.encode(productText(request.entry, request.options));
  const { summary, shaping } = request;
  if (!shaping) return encoder.encode(summaryCsvLine(summary));
  tables = shaping.subjects;
  const { shape, query } = shaping;
  const words = shape.labels && (await subjects.in(shape.labels));
  const output = new ByteOutput();
  new SummaryWriter({ ...shape, words }, query).write(summary, output);
  return output.take().slice();
}
