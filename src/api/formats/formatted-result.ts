/** Turns the result of an endpoint into the format that was chosen. */
import { etagOf } from "../../catalog/entry.ts";
import { CONTENT_TYPES, FORMAT_VERSIONS, type Format } from "../../catalog/formats/format.ts";
import {
  ByteOutput,
  csvOfImprints,
  csvOfIsbns,
  csvOfSummaries,
  type ListWriter,
  linesOf,
  ndjsonOf,
  ndjsonOfBodies,
} from "../../catalog/formats/list-writer.ts";
import { type OnixEntry, onixOfEntries } from "../../catalog/formats/onix.ts";
import type { Selection } from "../../catalog/selection.ts";
import type { Snapshot } from "../../catalog/store.ts";
import { SnapshotExpired } from "../../catalog/store-errors.ts";
import { type Awaitable, then } from "../../lib/awaitable.ts";
import { freeBuffer } from "../../lib/free-buffer.ts";
import type { Day } from "../../onix/date.ts";
import type { TagNames } from "../../onix/writer/message.ts";
import type { BodyStream } from "../../server/response.ts";
import { type BookList, imprintEntry, JsonArray, type ListContent } from "../response/json-array.ts";
import { type EndpointResult, RecordResult } from "../response/responder.ts";
import { writeProductText, writeSummaryLine } from "./book-thread.ts";
import type { FormatChoice } from "./format-choice.ts";
import { FormattedStream } from "./formatted-stream.ts";

type OtherFormat = Exclude<Format, "json">;

/** The memory that a list takes beyond that of the same list in JSON: a batch that is being converted. */
export const FORMAT_BYTES: Readonly<Record<Format, number>> = {
  json: 0,
  ndjson: 128 * 1024,
  csv: 384 * 1024,
  xml: 384 * 1024,
};

/** Of a list up to this size, the start is converted at once: a few milliseconds. */
const MAX_BUFFERED_BYTES: Readonly<Record<OtherFormat, number>> = {
  ndjson: 256 * 1024,
  csv: 32 * 1024,
  xml: 8 * 1024,
};

/** `today` is SentDateTime of a message: its time of day would change the message from request to request. */
export function inFormat(
  result: EndpointResult,
  choice: FormatChoice,
  today: Day,
  client: string,
): Awaitable<EndpointResult> {
  if (choice.format === "json") return withChoice(result, choice);
  if (result instanceof RecordResult) return formattedRecord(result, choice.format, client);
  if (!(result instanceof JsonArray) || result.content === undefined) return result;
  return formattedList(result, result.content, choice, today, client);
}

/** Rows of large summaries are written on another thread. */
export function csvOfBooks(client: string): ListWriter<Uint8Array> {
  return {
    ...csvOfSummaries,
    write: (body, output) => then(writeSummaryLine(body, client), (line) => output.write(line)),
  };
}

/** Keeps the format for the next page. */
export function withChoice(result: EndpointResult, choice: FormatChoice): EndpointResult {
  return result instanceof JsonArray ? result.with({ headers: headersOf(result, choice) }) : result;
}

/** Records and summaries are converted from their bytes. XML is made by `bookInXml`. */
function formattedRecord(result: RecordResult, format: OtherFormat, client: string): Awaitable<RecordResult> {
  if (format === "xml") return result;
  const { body, etag } = result.record;
  const writer = format === "csv" ? csvOfBooks(client) : ndjsonOfBodies;
  return then(written(writer, body), (converted) => recordIn(format, converted, etag));
}

function recordIn(format: OtherFormat, body: Uint8Array, state: string): RecordResult {
  const etag = `${state}-${FORMAT_VERSIONS[format]}`;
  return new RecordResult({ body, etag }, CONTENT_TYPES[format]);
}

/** The validator of one book is a digest of its message: what a message has is not all in the record's own. */
export function bookInXml(
  entry: OnixEntry,
  { tags }: FormatChoice,
  today: Day,
  client: string,
): Awaitable<RecordResult> {
  const message = written(messageWriter(tags, today, client), entry);
  return then(message, (body) => recordIn("xml", body, etagOf(body)));
}

function messageWriter(tags: TagNames, today: Day, client: string): ListWriter<OnixEntry> {
  return onixOfEntries({ release: "3.1", asRelease31: true, sent: today, tags }, (entry, options) =>
    writeProductText(entry, options, client),
  );
}

/** What a format changes in a list. */
interface FormattedList {
  /** What the bytes depend on, beside the format. */
  readonly state: string;
  readonly open: () => BodyStream;
}

function formattedList(
  array: JsonArray,
  content: ListContent,
  choice: FormatChoice,
  today: Day,
  client: string,
): Awaitable<JsonArray> {
  const format = choice.format as OtherFormat;
  const list =
    content.kind === "books"
      ? listOfBooks(content, choice, array.etag, today, client)
      : { state: array.etag, open: openerOf(content, format, array.snapshot) };
  return then(list, ({ state, open }) =>
    array.with({
      etag: `${state}-${FORMAT_VERSIONS[format]}`,
      open,
      contentType: CONTENT_TYPES[format],
      maxBufferedBytes: Math.min(array.maxBufferedBytes, MAX_BUFFERED_BYTES[format]),
      headers: headersOf(array, choice),
    }),
  );
}

function openerOf(
  content: Exclude<ListContent, { kind: "books" }>,
  format: OtherFormat,
  snapshot: Pick<Snapshot, "close">,
): () => BodyStream {
  if (content.kind === "isbns") {
    const writer = format === "csv" ? csvOfIsbns : ndjsonOf<string>((isbn) => isbn);
    return () => new FormattedStream({ batches: content.batches(), writer, snapshot });
  }
  const writer = format === "csv" ? csvOfImprints : ndjsonOf(imprintEntry);
  return () => new FormattedStream({ batches: content.batches(), writer, snapshot });
}

function listOfBooks(
  { snapshot, selection, view, state, edit }: BookList,
  { format, tags }: FormatChoice,
  etag: string,
  today: Day,
  client: string,
): Awaitable<FormattedList> {
  if (format === "xml") return listInXml(snapshot, selection, state, tags, today, client);
  const isCsv = format === "csv";
  const batches = () => snapshot.bodies(selection, isCsv ? "summary" : view);
  const lines = edit ? linesOf<Uint8Array>((body, output) => output.write(edit(body))) : ndjsonOfBodies;
  const writer = isCsv ? csvOfBooks(client) : lines;
  return {
    state: isCsv ? state : etag,
    open: () => new FormattedStream({ batches: batches(), writer, snapshot, free: freeBuffer }),
  };
}

/**
 * A message has more than records: the sender's references, and the form of the products. An import can change these
 * alone, and the revision stays. So the validator has the last import, and one that ends meanwhile cuts the list off.
 */
function listInXml(
  snapshot: Snapshot,
  selection: Selection,
  state: string,
  tags: TagNames,
  today: Day,
  client: string,
): Awaitable<FormattedList> {
  return then(snapshot.lastImportId(), (lastImport) => ({
    state: `${state}-${etagOf(Buffer.from(lastImport))}-${tags}-${today}`,
    open: () =>
      new FormattedStream<OnixEntry>({
        batches: snapshot.entries(selection),
        writer: messageWriter(tags, today, client),
        snapshot,
        free: ({ body }) => freeBuffer(body),
        beforeEnd: () =>
          then(snapshot.lastImportId(), (current) => {
            if (current !== lastImport) throw new SnapshotExpired();
          }),
      }),
  }));
}

/** The next page has the same format. */
function headersOf({ headers }: JsonArray, { parameters }: FormatChoice): JsonArray["headers"] {
  const { Link: link } = headers;
  if (link === undefined || parameters === "") return headers;
  return { ...headers, Link: link.replace("<?", `<?${parameters}&`) };
}

function written<T>(writer: ListWriter<T>, item: T): Awaitable<Uint8Array> {
  const output = new ByteOutput();
  writer.begin?.(output);
  return then(writer.write(item, output), () => {
    writer.end?.(output);
    // The buffer of the output is larger than what was written.
    return output.take().slice();
  });
}
