/** Makes responses from what endpoints return: validator, content coding, header fields, cache slot. */
import { etagOf } from "../../catalog/entry.ts";
import { CONTENT_TYPES } from "../../catalog/formats/format.ts";
import type { StoredRecord } from "../../catalog/store.ts";
import { type Awaitable, attempt, then } from "../../lib/awaitable.ts";
import { freeBuffer } from "../../lib/free-buffer.ts";
import { encodeJson } from "../../lib/text.ts";
import { type BodyStream, Response, type SerializedResponse } from "../../server/response.ts";
import type { CacheSlot } from "../cache/response-cache.ts";
import type { ConditionalClient } from "../client-headers.ts";
import type { ApiError } from "../errors.ts";
import { type Coding, encodeBuffer, MIN_ENCODED_BYTES, StaticContent } from "./content-coding.ts";
import { headerLines, PREFLIGHT } from "./cors.ts";
import { EncodedStream, JsonArray, prepend, readStart, type StreamStart } from "./json-array.ts";
import { type CodingChoice, matchesEtag } from "./negotiation.ts";

/** One record. */
export class RecordResult {
  constructor(
    readonly record: StoredRecord,
    readonly contentType = CONTENT_TYPES.json,
    readonly headers?: Readonly<Record<string, string>>,
    /** Nothing else refers to the body. */
    readonly ownsBody = false,
  ) {}
}

/** A small document that was made for this request. Its validator is a digest of what is sent. */
export class DocumentResult {
  readonly body: Uint8Array;
  readonly etag: string;

  constructor(
    document: unknown,
    /** The revision of the catalog that the document depends on. */
    readonly revision: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    this.body = encodeJson(document);
    this.etag = etagOf(Buffer.concat([this.body, encodeJson(headers)]));
  }
}

/** Returns a document that depends on more than the records: its validator is a digest of its body. */
export function documentWithDigest(document: unknown): RecordResult {
  const body = encodeJson(document);
  return new RecordResult({ body, etag: etagOf(body) });
}

export type EndpointResult = RecordResult | DocumentResult | JsonArray | StaticContent | ApiError;

/** The request's part in a response. */
interface ResponseContext {
  readonly method: string;
  readonly client: ConditionalClient;
  readonly coding: CodingChoice;
  /** Undefined when the response is not worth caching. */
  readonly slot: CacheSlot | undefined;
  /** Reports that a list failed while it was being sent. */
  readonly onFailure: (error: unknown) => void;
}

/** Clients store the body, and validate it with each request. */
const PRIVATE_NO_CACHE = "Cache-Control: private, no-cache\r\n";
const NO_STORE = "Cache-Control: no-store\r\n";
const PROBLEM_TYPE = "Content-Type: application/problem+json\r\n";

export function respond(
  result: EndpointResult,
  context: ResponseContext,
): Awaitable<Response | SerializedResponse> {
  if (result instanceof RecordResult) return respondWithRecord(result, context);
  if (result instanceof JsonArray) return respondWithArray(result, context);
  if (result instanceof DocumentResult) return respondWithDocument(result, context);
  if (result instanceof StaticContent) return respondWithStatic(result, context.client, context.coding);
  return problem(context.client.commonHeaders, result);
}

/** RFC 9457. */
export function problem(commonHeaders: string, error: ApiError): Response {
  const headers = commonHeaders + PROBLEM_TYPE + NO_STORE + headerLines(error.headers);
  return new Response(error.status, headers, encodeJson(error));
}

/** The response to OPTIONS. */
export function preflight(commonHeaders: string): Response {
  return new Response(204, commonHeaders + headerLines(PREFLIGHT), undefined);
}

export function respondWithStatic(
  content: StaticContent,
  client: ConditionalClient,
  choice: CodingChoice,
): Awaitable<Response> {
  const coding = codingFor(content.body, choice);
  const etag = quotedEtag(content.etag, coding);
  const { "Cache-Control": cacheControl, ...more } = content.headers;
  const caching = cacheControl === undefined ? PRIVATE_NO_CACHE : `Cache-Control: ${cacheControl}\r\n`;
  const headers = validatorHeaders(client, caching, etag) + headerLines(more);
  if (matchesEtag(client.ifNoneMatch, etag)) return new Response(304, headers, undefined);
  const contentHeaders = typeHeader(content.contentType) + codingHeader(coding);
  return then(
    coding === undefined ? content.body : content.encoded(coding),
    (body) => new Response(200, headers + contentHeaders, body),
  );
}

function respondWithRecord(
  { record, contentType, headers: more, ownsBody }: RecordResult,
  { client, coding: choice, slot }: ResponseContext,
): Response | SerializedResponse {
  const { body } = record;
  const coding = codingFor(body, choice);
  const etag = quotedEtag(record.etag, coding);
  const headers = validatorHeaders(client, PRIVATE_NO_CACHE, etag);
  if (slot === undefined && matchesEtag(client.ifNoneMatch, etag))
    return new Response(304, headers, undefined);
  const contentHeaders = typeHeader(contentType) + codingHeader(coding) + (more ? headerLines(more) : "");
  const encoded = coding === undefined ? body : encodeBuffer(body, coding);
  if (ownsBody && encoded !== body) freeBuffer(body);
  if (slot === undefined) return new Response(200, headers + contentHeaders, encoded, ownsBody);
  const cached = slot.store({ etag, headers, contentHeaders, body: [encoded] });
  if (ownsBody && !cached.isLong) freeBuffer(encoded);
  return cached.respond(client.ifNoneMatch);
}

/** A document that was made just after an import does not belong to the slot's state. */
function respondWithDocument(document: DocumentResult, context: ResponseContext) {
  const slot = context.slot?.revision === document.revision ? context.slot : undefined;
  return respondWithRecord(new RecordResult(document, undefined, document.headers), { ...context, slot });
}

/**
 * A list is encoded however short it is. Its ETag names the coding and must be known before the body is read, or a 304
 * would cost as much as a 200.
 */
function respondWithArray(array: JsonArray, context: ResponseContext): Awaitable<Response> {
  const { method, client, slot, onFailure } = context;
  const { coding } = context.coding;
  const etag = quotedEtag(array.etag, coding);
  const headers = validatorHeaders(client, PRIVATE_NO_CACHE, etag);
  const contentHeaders = typeHeader(array.contentType) + codingHeader(coding) + headerLines(array.headers);
  if (matchesEtag(client.ifNoneMatch, etag)) {
    array.snapshot.close();
    return new Response(304, headers, undefined);
  }
  if (method === "HEAD") {
    array.snapshot.close();
    return new Response(200, headers + contentHeaders, { stream: undefined, onFailure });
  }
  // A snapshot that was opened just after an import does not belong to the slot's state.
  const usableSlot = slot?.revision === array.snapshot.revision ? slot : undefined;
  const cacheable = (body: readonly Uint8Array[]) => ({ etag, headers, contentHeaders, body });
  const bodyOf = (stream: BodyStream, start: StreamStart): Response["body"] => {
    if (start.isWhole) {
      stream.close();
      const body = coding === undefined ? start.bytes : encodeBuffer(start.bytes, coding);
      if (body !== start.bytes) freeBuffer(start.bytes);
      usableSlot?.store(cacheable([body]));
      return body;
    }
    const whole = prepend(start, stream);
    const encoded = coding === undefined ? whole : new EncodedStream(whole, coding);
    return { stream: usableSlot ? usableSlot.record(encoded, cacheable) : encoded, onFailure };
  };
  let stream: BodyStream | undefined;
  return attempt(
    () => {
      const opened = array.open();
      stream = opened;
      return then(
        readStart(opened, array.maxBufferedBytes),
        (start) =>
          new Response(200, headers + contentHeaders, bodyOf(opened, start), usableSlot === undefined),
      );
    },
    (error) => {
      (stream ?? array.snapshot).close();
      throw error;
    },
  );
}

function validatorHeaders({ commonHeaders }: ConditionalClient, cacheControl: string, etag: string): string {
  return `${commonHeaders}${cacheControl}ETag: ${etag}\r\n`;
}

function typeHeader(contentType: string): string {
  return `Content-Type: ${contentType}\r\n`;
}

function codingHeader(coding: Coding | undefined): string {
  return coding === undefined ? "" : `Content-Encoding: ${coding}\r\n`;
}

function codingFor(body: Uint8Array, choice: CodingChoice): Coding | undefined {
  return body.length < MIN_ENCODED_BYTES && choice.acceptsIdentity ? undefined : choice.coding;
}

/** RFC 9110 §8.8.3: strong, so each coding has its own. */
function quotedEtag(etag: string, coding: Coding | undefined): string {
  return coding === undefined ? `"${etag}"` : `"${etag}-${coding}"`;
}
