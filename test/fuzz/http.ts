/** Sends generated requests to the real program and checks each response against the OpenAPI document. */

import fc from "fast-check";
import { decode } from "../../src/api/testing/api.ts";
import { ResponseValidator } from "../../src/api/testing/response-validator.ts";
import { parseIsbn } from "../../src/onix/isbn.ts";
import type { ServeProcess } from "../process.ts";
import { fetchAs } from "../process.ts";
import { savingFailingInput } from "./failing-input.ts";
import { exchange, type RawResponse } from "./raw-http.ts";
import {
  type ApiDescription,
  type GeneratedRequest,
  type KnownValues,
  requestsFor,
  serializeRequest,
} from "./requests.ts";

export interface Target {
  readonly server: ServeProcess;
  readonly port: number;
  readonly token: string;
  readonly validator: ResponseValidator;
  readonly requests: fc.Arbitrary<GeneratedRequest>;
}

/** Prepares requests from the OpenAPI document of a server with the sample catalog. */
export async function createTarget(server: ServeProcess): Promise<Target> {
  const token = server.token!;
  const get = async (path: string) => {
    const response = await fetchAs(token, server.url + path);
    return { json: await response.json(), etag: response.headers.get("etag") ?? '""' };
  };
  const description = (await get("/openapi.json")).json as ApiDescription;
  const skus = await get("/api/skus");
  const imprints = await get("/api/imprints");
  const known: KnownValues = {
    isbns: skus.json as string[],
    slugs: (imprints.json as { slug: string }[]).map(({ slug }) => slug),
    etags: [skus.etag, imprints.etag],
  };
  return {
    server,
    port: Number(new URL(server.url).port),
    token,
    validator: new ResponseValidator(description),
    requests: requestsFor(description, known),
  };
}

/** Sends a request. Throws when the response is missing or wrong. */
export async function checkRequest(target: Target, request: GeneratedRequest): Promise<void> {
  const { method } = request;
  const { responses, rest } = await exchange(target.port, serializeRequest(request, target.token), {
    methods: [method],
  });
  if (rest.length > 0) throw new Error(`bytes that are no response: ${Buffer.from(rest).toString("latin1")}`);
  const [response] = responses;
  if (!response) throw new Error("no response");
  checkResponse(target, request, response);
}

/** Like `checkRequest`, and saves a request that fails. */
export function checkRequestSaving(target: Target, request: GeneratedRequest): Promise<void> {
  return savingFailingInput("request", Buffer.from(JSON.stringify(request)), () =>
    checkRequest(target, request),
  );
}

function checkResponse(
  { validator, server }: Target,
  request: GeneratedRequest,
  response: RawResponse,
): void {
  const { method, target, token } = request;
  const { status, headers } = response;
  const coding = method === "HEAD" ? null : headers.get("content-encoding");
  const body = decode(response.body, coding);
  validator.check({ method, path: target, status, headers, body });
  check(status < 500, `${status}, though the service is healthy`);
  check(server.process.exitCode === null, "the process has ended");
  if (token !== "valid") check(status !== 200 && status !== 304, `${status} without a token`);
  if (status === 304)
    check(
      request.headers.some(([name]) => name === "If-None-Match"),
      "304 without If-None-Match",
    );
  if (method !== "GET" || status !== 200) return;
  const isbn = /^\/api\/isbn\/([^?]*)/.exec(target)?.[1];
  if (isbn !== undefined) {
    // A record, or the summary of one.
    const book = JSON.parse(Buffer.from(body).toString());
    const found = book.RecordReference ?? book.isbn;
    check(found === parseIsbn(decodeURIComponent(isbn)), `${found} for ${isbn}`);
  }
}

/** Sends bytes that may be no valid request. Throws when the server fails or responds with a 5xx. */
async function checkMutated(target: Target, bytes: Uint8Array): Promise<void> {
  const { responses } = await exchange(target.port, bytes, { end: true, count: 2, mayBeSilent: true });
  check(target.server.process.exitCode === null, "the process has ended");
  for (const { status } of responses) {
    check(status < 500 || status === 501 || status === 505, `${status}, though the service is healthy`);
  }
}

/** Like `checkMutated`, and saves bytes that fail. */
export function checkMutatedSaving(target: Target, bytes: Uint8Array): Promise<void> {
  const saved = replaceText(bytes, target.token, TOKEN_PLACEHOLDER);
  return savingFailingInput("bytes", saved, () => checkMutated(target, bytes));
}

/** Sends saved bytes again, with the token of this server. */
export function checkSavedBytes(target: Target, saved: Uint8Array): Promise<void> {
  return checkMutated(target, replaceText(saved, TOKEN_PLACEHOLDER, target.token));
}

/** Replaces the token in saved inputs: each server has its own. */
const TOKEN_PLACEHOLDER = "{the token}";

function replaceText(bytes: Uint8Array, text: string, replacement: string): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll(text, replacement), "latin1");
}

interface TextMutation {
  readonly offset: number;
  readonly removed: number;
  readonly inserted: string;
}

const PIECES = [..."\r\n\0 \t:,;%?/", "\r\n", "\r\n\r\n", "HTTP/1.1", "GET "];
const FIELDS = ["Content-Length: 5", "Transfer-Encoding: chunked", "Host: y", "Expect: x", " x"].map(
  (line) => `${line}\r\n`,
);

/** Generates well-formed requests with one to four mutations. */
export function mutatedRequests({ requests, token }: Target): fc.Arbitrary<Uint8Array> {
  const mutation: fc.Arbitrary<TextMutation> = fc.record({
    offset: fc.nat(4000),
    removed: fc.oneof(fc.constant(0), fc.nat(5)),
    inserted: fc.oneof(
      fc.constantFrom("", ...PIECES, ...FIELDS),
      fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
    ),
  });
  return fc
    .tuple(requests, fc.array(mutation, { minLength: 1, maxLength: 4 }))
    .map(([request, mutations]) => {
      let text = serializeRequest(request, token);
      for (const { offset, removed, inserted } of mutations) {
        const start = offset % (text.length + 1);
        text = text.slice(0, start) + inserted + text.slice(start + removed);
      }
      return Uint8Array.from(Buffer.from(text, "latin1"));
    });
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new Error(message);
}
