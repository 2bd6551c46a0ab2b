/** From an answer to the response: validator, coding, and the headers that every answer has. */
import type { Maybe, StoredRecord } from "../catalog/port.ts";
import { Constant } from "./constant.ts";
import { type Cors, EXPOSED_HEADERS, PREFLIGHT } from "./cors.ts";
import { type Coding, encodeWhole, WORTH_ENCODING } from "./encoding.ts";
import { ApiError } from "./errors.ts";
import { type Blocks, EncodedBlocks, List, resume, type Start, start, streamed } from "./list.ts";
import { attempt, then } from "./maybe.ts";
import { type CodingChoice, hasTag } from "./negotiation.ts";

/** What an endpoint answers with: a record of the store, a list, a constant, or an error. */
export type Answer = StoredRecord | List | Constant | ApiError;

/** A list up to this size is one body with a Content-Length. */
const WHOLE = 128 * 1024;

/** The client keeps the body, and asks whether it still holds. */
const CACHE_CONTROL = "private, no-cache";

/** The headers of an answer in JSON. */
interface Template {
  /** To be copied. */
  readonly common: Headers;
  /** To be used as it is, with another ETag each time. */
  readonly lookup: Headers;
}

export class Responder {
  readonly #cors: Cors;
  /** By what Access-Control-Allow-Origin is. */
  readonly #templates = new Map<string | undefined, Template>();

  constructor(cors: Cors) {
    this.#cors = cors;
  }

  respond(
    request: Request,
    answer: Answer,
    choice: CodingChoice,
    failed: (error: unknown) => void,
  ): Maybe<Response> {
    if (answer instanceof ApiError) return this.problem(request, answer);
    if (answer instanceof List) return this.#list(request, answer, choice, failed);
    const coding = answer.body.length < WORTH_ENCODING && choice.identity ? undefined : choice.coding;
    const tag = tagOf(answer.etag, coding);
    if (hasTag(request.headers.get("if-none-match"), tag)) {
      return this.#notModified(request, tag, answer instanceof Constant ? answer.headers : {});
    }
    if (answer instanceof Constant) return this.#constant(request, answer, tag, coding);
    if (coding === undefined) return this.#plain(request, answer.body, tag);
    return new Response(encodeWhole(answer.body, coding) as Uint8Array<ArrayBuffer>, {
      headers: this.#headers(request, tag, coding),
    });
  }

  problem(request: Request, error: ApiError): Response {
    const headers = new Headers(this.#template(request).common);
    headers.set("Content-Type", "application/problem+json");
    headers.set("Cache-Control", "no-store");
    for (const [name, value] of Object.entries(error.headers)) headers.set(name, value);
    return new Response(JSON.stringify(error), { status: error.status, headers });
  }

  /** OPTIONS: what may be done here, and by whom. */
  options(request: Request): Response {
    const headers = new Headers(this.#template(request).common);
    headers.delete("Content-Type");
    headers.delete("Cache-Control");
    for (const [name, value] of Object.entries(PREFLIGHT)) headers.set(name, value);
    return new Response(null, { status: 204, headers });
  }

  /**
   * The way of most lookups. The tag is written into headers that are used again, as a response copies them
   * when it is made: to copy them twice would cost a twentieth of all lookups.
   */
  #plain(request: Request, body: Uint8Array, tag: string): Response {
    const headers = this.#template(request).lookup;
    headers.set("ETag", tag);
    return new Response(body as Uint8Array<ArrayBuffer>, { headers });
  }

  #constant(request: Request, constant: Constant, tag: string, coding: Coding | undefined): Response {
    const headers = this.#headers(request, tag, coding);
    headers.set("Content-Type", constant.type);
    for (const [name, value] of Object.entries(constant.headers)) headers.set(name, value);
    const body = coding === undefined ? constant.body : constant.encoded(coding);
    return new Response(body as Uint8Array<ArrayBuffer>, { headers });
  }

  /**
   * A list is encoded however short it is: its validator, which names the coding, must be known before its
   * body is read, or a 304 would cost as much as a 200.
   */
  #list(
    request: Request,
    list: List,
    { coding }: CodingChoice,
    failed: (error: unknown) => void,
  ): Maybe<Response> {
    const tag = tagOf(list.etag, coding);
    if (hasTag(request.headers.get("if-none-match"), tag)) {
      list.view.close();
      return this.#notModified(request, tag, {});
    }
    const headers = this.#headers(request, tag, coding);
    if (request.method === "HEAD") {
      list.view.close();
      // Never read: a stream, so that no Content-Length of 0 is sent.
      return new Response(new ReadableStream({}, { highWaterMark: 0 }), { headers });
    }
    let blocks: Blocks | undefined;
    return attempt(
      () => {
        const opened = list.open();
        blocks = opened;
        return then(start(opened, WHOLE), (begun) => body(opened, begun, coding, headers, failed));
      },
      (error) => {
        (blocks ?? list.view).close();
        throw error;
      },
    );
  }

  #notModified(request: Request, tag: string, more: Readonly<Record<string, string>>): Response {
    const headers = this.#headers(request, tag, undefined);
    headers.delete("Content-Type");
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    return new Response(null, { status: 304, headers });
  }

  #headers(request: Request, tag: string, coding: Coding | undefined): Headers {
    const headers = new Headers(this.#template(request).common);
    headers.set("ETag", tag);
    if (coding !== undefined) headers.set("Content-Encoding", coding);
    return headers;
  }

  #template(request: Request): Template {
    const allowed = this.#cors.allowed(request);
    let template = this.#templates.get(allowed);
    if (!template) {
      const common = new Headers({
        "Content-Type": "application/json",
        "Cache-Control": CACHE_CONTROL,
        Vary: this.#cors.vary,
        "X-Content-Type-Options": "nosniff",
      });
      if (allowed !== undefined) {
        common.set("Access-Control-Allow-Origin", allowed);
        common.set("Access-Control-Expose-Headers", EXPOSED_HEADERS);
      }
      template = { common, lookup: new Headers(common) };
      this.#templates.set(allowed, template);
    }
    return template;
  }
}

function body(
  blocks: Blocks,
  begun: Start,
  coding: Coding | undefined,
  headers: Headers,
  failed: (error: unknown) => void,
): Response {
  if (begun.whole) {
    blocks.close();
    const bytes = coding === undefined ? begun.bytes : encodeWhole(begun.bytes, coding);
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
  }
  const rest = resume(begun, blocks);
  return new Response(streamed(coding === undefined ? rest : new EncodedBlocks(rest, coding), failed), {
    headers,
  });
}

/** RFC 9110, 8.8.3: strong, so each coding has its own. */
function tagOf(etag: string, coding: Coding | undefined): string {
  return coding === undefined ? `"${etag}"` : `"${etag}-${coding}"`;
}
