/** Chooses the format of a response: by the parameter `format`, else by `Accept`, else JSON. */
import { FORMATS, type Format, MEDIA_TYPES } from "../../catalog/formats/format.ts";
import { joinNames } from "../../lib/text.ts";
import type { TagNames } from "../../onix/writer/message.ts";
import { ApiError, badRequest } from "../errors.ts";
import { notAllowed, oneOf } from "../parameters/kinds.ts";
import {
  inQuery,
  type Kind,
  type Parameter,
  type RouteParameters,
  readParameter,
} from "../parameters/parameter.ts";
import type { Query } from "../parameters/query.ts";
import type { AcceptedTypes } from "../response/negotiation.ts";

export interface FormatChoice {
  readonly format: Format;
  /** Of XML. */
  readonly tags: TagNames;
  /** The parameters of the choice, for the URL of the next page. Is empty when `Accept` has decided. */
  readonly parameters: string;
  /** `Accept` has decided, so it is in `Vary` (RFC 9110 §12.5.5). */
  readonly variesByAccept: boolean;
  /** A part of the key of a cached response. The target has the rest. */
  readonly cacheKey: string;
}

/** The formats of books: records or summaries. */
export const BOOK_FORMATS: readonly Format[] = FORMATS;

/** The formats of lists that have no record, and so no product of ONIX. */
export const LIST_FORMATS: readonly Format[] = FORMATS.filter((format) => format !== "xml");

/** Returns the parameters of an endpoint with these formats. */
export function formatParameters(offered: readonly Format[]): RouteParameters {
  const format = formatParameter(offered);
  return offered.includes("xml") ? { format, shorttags: SHORT_TAGS } : { format };
}

function formatParameter(offered: readonly Format[]): Parameter<Format | undefined> {
  const kind: Kind<Format> = {
    // A format that other endpoints have is 406, as it is in Accept.
    parse: (value, name) => FORMATS.find((each) => each === value) ?? notAllowed(name, offered),
    schema: { type: "string", enum: [...offered] },
    wrong: { "Other format": "pdf" },
  };
  return inQuery(kind, {
    description:
      "The format of the response, whatever `Accept` says. Without it, `Accept` decides; without a wish there, it is " +
      "JSON. Errors are always JSON.",
  });
}

const SHORT_TAGS = inQuery(oneOf(["true", "false"]), {
  description: "With XML: short tags (`b203`) instead of reference names (`TitleText`). Default: `false`.",
  default: "false",
});

/** Returns undefined when the request leaves the choice to us: most of them get JSON, as the specification says. */
export function chooseFormat(
  offered: readonly Format[],
  accepted: AcceptedTypes,
  query: Query,
): FormatChoice | undefined | ApiError {
  if (!accepted.namesFormats && query.values("format").length === 0) return undefined;
  const parameter = readParameter("format", formatParameter(offered), query);
  if (parameter instanceof ApiError) return parameter;
  const format = parameter ?? preferredFormat(offered, accepted);
  if (format === undefined) return undefined;
  if (!offered.includes(format)) return formatNotOffered(offered);
  const tags = format === "xml" ? readParameter("shorttags", SHORT_TAGS, query) : "false";
  if (tags instanceof ApiError) return tags;
  const shortTags = tags === "true";
  const conflict = offered.includes("xml") && viewConflict(query, format);
  if (conflict) return conflict;
  const variesByAccept = parameter === undefined;
  return {
    format,
    tags: shortTags ? "short" : "reference",
    parameters: parameterText(parameter, shortTags),
    variesByAccept,
    cacheKey: variesByAccept ? `${format}~ ` : "",
  };
}

/** JSON is preferred where the client gives it the same weight. Is undefined when the header does not name a format. */
function preferredFormat(offered: readonly Format[], accepted: AcceptedTypes): Format | undefined {
  if (!accepted.namesFormats) return undefined;
  const preferred = accepted.beforeJson.find((format) => offered.includes(format));
  return preferred ?? (accepted.json ? "json" : undefined);
}

/** CSV has summaries, and XML has records. A view that is wrong, or given twice, is an error of the endpoint. */
function viewConflict(query: Query, format: Format): ApiError | undefined {
  const views = query.values("view");
  const view = views.length === 1 ? views[0] : undefined;
  if (format === "csv" && view === "record") return csvOfRecords;
  if (format === "xml" && view === "summary") return xmlOfSummaries;
  return undefined;
}

function parameterText(parameter: Format | undefined, shortTags: boolean): string {
  if (parameter === undefined) return shortTags ? "shorttags=true" : "";
  return `format=${parameter}${shortTags ? "&shorttags=true" : ""}`;
}

export const csvOfRecords = badRequest("CSV has summaries; leave out view=record, or choose another format.");
export const xmlOfSummaries = badRequest(
  "XML has records; leave out view=summary, or choose another format.",
);

export function formatNotOffered(offered: readonly Format[]): ApiError {
  const types = offered.map((format) => MEDIA_TYPES[format]);
  return new ApiError(
    "notAcceptable",
    `Responses are ${joinNames(types, "or")}; let the Accept header allow one of them, or choose it with the parameter format.`,
  );
}
