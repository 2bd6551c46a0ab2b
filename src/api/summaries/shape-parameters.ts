/** The parameters `fields`, `labels` and `highlight`, and what they change in a response. */
import type { Format } from "../../catalog/formats/format.ts";
import { CONTENT_TYPES, FORMAT_VERSIONS } from "../../catalog/formats/format.ts";
import { arrayOf, ByteOutput, linesOf } from "../../catalog/formats/list-writer.ts";
import { type Awaitable, then } from "../../lib/awaitable.ts";
import { freeBuffer } from "../../lib/free-buffer.ts";
import type { Summary } from "../../onix/summary/summary.ts";
import { ApiError, badRequest } from "../errors.ts";
import { shapedSummaryWriter } from "../formats/book-thread.ts";
import { FormattedStream } from "../formats/formatted-stream.ts";
import { SUMMARY_PROPERTIES } from "../openapi/summary-schema.ts";
import { excerpt, oneOf } from "../parameters/kinds.ts";
import { inQuery, type Kind } from "../parameters/parameter.ts";
import { encodeQuery } from "../parameters/query.ts";
import { labels } from "../parameters/shared-parameters.ts";
import { JsonArray } from "../response/json-array.ts";
import { type EndpointResult, RecordResult } from "../response/responder.ts";
import type { SummaryShape } from "./summary-shape.ts";

const FIELDS = Object.keys(SUMMARY_PROPERTIES) as readonly (keyof Summary)[];

/** The value has the names in the order of the summary, each once. */
const fields: Kind<readonly (keyof Summary)[]> = {
  parse(value) {
    const names = new Set<string>(value.split(",").map((name) => name.trim()));
    const found = FIELDS.filter((field) => names.has(field));
    if (found.length === names.size) return found;
    const detail = `"${excerpt(value)}" has a name that is no member of a summary; give fields as names of "allowed", separated by commas.`;
    return new ApiError("badRequest", detail, { allowed: FIELDS });
  },
  schema: { type: "string", pattern: "^[A-Za-z0-9]+(,[A-Za-z0-9]+)*$" },
  wrong: { "Not a field": "isbn,author" },
};

/** The parameters of all endpoints that have summaries. */
export const SHAPE_PARAMETERS = {
  fields: inQuery(fields, {
    description:
      "Only these members of each summary, separated by commas: `isbn,title,prices`. Needs `view=summary`, in JSON or NDJSON.",
  }),
  labels: inQuery(labels, {
    description:
      "`eng` or `spa`: words beside the codes of each summary, such as `formLabel`. Needs `view=summary`, in JSON or NDJSON.",
  }),
};

export const HIGHLIGHT = inQuery(oneOf(["1"], { "Other highlight": "true" }), {
  description:
    "`1`: each summary has `highlights`, the texts with words of `q` and where they stand. In JSON or NDJSON.",
});

const shapeOfRecords = badRequest(
  "fields, labels and highlight are for summaries; add view=summary, or leave them out.",
);
const shapeOfFormat = badRequest(
  "fields, labels and highlight are for JSON and NDJSON; leave them out, or choose another format.",
);

/** Returns the shape that a request wants: undefined for that of the stored summaries, as nearly all want. */
export function shapeOf(
  values: Readonly<Record<string, unknown>>,
  format: Format,
): SummaryShape | undefined | ApiError {
  const { view, fields, labels, highlight } = values;
  if (fields === undefined && labels === undefined && highlight === undefined) return undefined;
  if (!("fields" in values)) return undefined;
  if (format === "csv" || format === "xml") return shapeOfFormat;
  if (view !== "summary") return shapeOfRecords;
  return { fields, labels, highlight: highlight === "1" } as SummaryShape;
}

/** The start of a list up to this size is converted at once, in about a millisecond. */
const MAX_BUFFERED_BYTES = 32 * 1024;

/** Returns a result in a shape. `labelsVersion` changes with the labels, `client` is the token that it is written for. */
export function shaped(
  result: EndpointResult,
  shape: SummaryShape,
  format: "json" | "ndjson",
  labelsVersion: string,
  client: string,
): Awaitable<EndpointResult> {
  const { fields, labels, highlight } = shape;
  const etagOf = (etag: string) => {
    const parts = [etag, labels && `${labels}${labelsVersion}`, highlight && "h", fields && digestOf(fields)];
    if (format === "ndjson") parts.push(FORMAT_VERSIONS.ndjson);
    return parts.filter(Boolean).join("-");
  };
  if (result instanceof RecordResult) {
    const output = new ByteOutput();
    return then(shapedSummaryWriter(shape, undefined, client)(result.record.body, output), () => {
      if (format === "ndjson") output.write("\n");
      const record = { body: output.take().slice(), etag: etagOf(result.record.etag) };
      return new RecordResult(record, CONTENT_TYPES[format]);
    });
  }
  if (!(result instanceof JsonArray) || result.content?.kind !== "books") return result;
  const { snapshot, selection, query, edit } = result.content;
  const write = shapedSummaryWriter(shape, query, client);
  const writeItem = edit ? (body: Uint8Array, output: ByteOutput) => write(edit(body), output) : write;
  const parameters = encodeQuery({ fields: fields?.join(), labels, highlight: highlight ? "1" : undefined });
  const { Link: link, ...headers } = result.headers;
  return result.with({
    etag: etagOf(result.etag),
    contentType: CONTENT_TYPES[format],
    maxBufferedBytes: Math.min(result.maxBufferedBytes, MAX_BUFFERED_BYTES),
    headers: link === undefined ? headers : { ...headers, Link: link.replace("<?", `<?${parameters}&`) },
    open: () =>
      new FormattedStream({
        batches: snapshot.bodies(selection, "summary"),
        writer: format === "json" ? arrayOf(writeItem) : linesOf(writeItem),
        snapshot,
        free: freeBuffer,
      }),
  });
}

function digestOf(fields: readonly string[]): string {
  return Bun.hash.xxHash32(fields.join()).toString(36);
}
