/** From an answer to the reply: validator, coding, and the fields that every answer has. */
import type { StoredRecord } from "../../catalog/store.ts";
import type { Awaitable } from "../../lib/awaitable.ts";
import { attempt, then } from "../../lib/awaitable.ts";
import type { Asked } from "../../server/request.ts";
import { type Ready, Reply } from "../../server/response.ts";
import { gathering } from "../cache/body-recorder.ts";
import { type Kept, KeptAnswer, type Lasting, type State } from "../cache/response-cache.ts";
import { ApiError } from "../errors.ts";
import { type Coding, encodeWhole, WORTH_ENCODING } from "./content-coding.ts";
import { type Cors, EXPOSED_HEADERS, PREFLIGHT } from "./cors.ts";
import { type Blocks, EncodedBlocks, List, resume, type Start, start } from "./json-array.ts";
import { type CodingChoice, hasTag } from "./negotiation.ts";
import { Constant } from "./static-content.ts";

/** What an endpoint answers with: a record of the store, a list, a constant, or an error. */
export type Answer = StoredRecord | OwnRecord | List | Constant | ApiError;

/** A record that the store has read for this answer, and gives to no other. */
export class OwnRecord implements StoredRecord {
  readonly body: Uint8Array;
  readonly etag: string;

  constructor({ body, etag }: StoredRecord) {
    this.body = body;
    this.etag = etag;
  }
}

/** The client keeps the body, and asks whether it still holds. */
const CACHE_CONTROL = "Cache-Control: private, no-cache\r\n";
const NO_STORE = "Cache-Control: no-store\r\n";
const JSON_TYPE = "Content-Type: application/json\r\n";
const PROBLEM_TYPE = "Content-Type: application/problem+json\r\n";

/** Where an answer goes that is to be given again. */
export interface Keeping {
  readonly kept: Kept;
  readonly key: string;
  /** Before the answer was asked for. */
  readonly state: State;
}

export class Responder {
  readonly #cors: Cors;
  /** The fields of every answer, by what Access-Control-Allow-Origin is. */
  readonly #byOrigin = new Map<string | undefined, string>();

  constructor(cors: Cors) {
    this.#cors = cors;
  }

  respond(
    asked: Asked,
    answer: Answer,
    choice: CodingChoice,
    failed: (error: unknown) => void,
    keeping?: Keeping,
  ): Awaitable<Reply | Ready> {
    if (answer instanceof ApiError) return this.problem(asked, answer);
    if (answer instanceof List) return this.#list(asked, answer, choice, failed, keeping);
    if (answer instanceof Constant) return this.#constant(asked, answer, choice);
    return this.#record(asked, answer, choice, keeping);
  }

  /** All of a request, beside what it is for, that its answer depends on; empty for most. */
  variant(asked: Asked, { coding, identity }: CodingChoice): string {
    const origin = this.#cors.allowed(asked.headers) ?? "-";
    return coding === undefined && origin === "*" ? "" : `${coding ?? ""}${identity ? "" : "!"} ${origin} `;
  }

  problem(asked: Asked, error: ApiError): Reply {
    const fields = this.#everywhere(asked) + PROBLEM_TYPE + NO_STORE + linesOf(error.headers);
    return new Reply(error.status, fields, encoder.encode(JSON.stringify(error)));
  }

  /** OPTIONS: what may be done here, and by whom. */
  options(asked: Asked): Reply {
    return new Reply(204, this.#everywhere(asked) + linesOf(PREFLIGHT), undefined);
  }

  #record(asked: Asked, record: StoredRecord, choice: CodingChoice, keeping?: Keeping): Reply | Ready {
    const { body, etag } = record;
    const coding = codingOf(body, choice);
    const tag = tagOf(etag, coding);
    const fields = this.#validated(asked, tag, CACHE_CONTROL);
    const condition = asked.headers.get("if-none-match");
    if (keeping === undefined && hasTag(condition, tag)) return new Reply(304, fields, undefined);
    const content = JSON_TYPE + encodedAs(coding);
    const encoded = coding === undefined ? body : encodeWhole(body, coding);
    if (keeping === undefined)
      return new Reply(200, fields + content, encoded, encoded !== body || record instanceof OwnRecord);
    return keep(asked, keeping, { tag, fields, content, body: [encoded] }).answer(condition);
  }

  #constant(asked: Asked, constant: Constant, choice: CodingChoice): Reply {
    const coding = codingOf(constant.body, choice);
    const tag = tagOf(constant.etag, coding);
    const { "Cache-Control": caching, ...more } = constant.headers;
    const cacheControl = caching === undefined ? CACHE_CONTROL : `Cache-Control: ${caching}\r\n`;
    const fields = this.#validated(asked, tag, cacheControl) + linesOf(more);
    if (hasTag(asked.headers.get("if-none-match"), tag)) return new Reply(304, fields, undefined);
    const body = coding === undefined ? constant.body : constant.encoded(coding);
    return new Reply(200, `${fields}Content-Type: ${constant.type}\r\n${encodedAs(coding)}`, body);
  }

  /**
   * A list is encoded however short it is: its validator, which names the coding, must be known before its
   * body is read, or a 304 would cost as much as a 200.
   */
  #list(
    asked: Asked,
    list: List,
    { coding }: CodingChoice,
    failed: (error: unknown) => void,
    keeping?: Keeping,
  ): Awaitable<Reply> {
    const tag = tagOf(list.etag, coding);
    const fields = this.#validated(asked, tag, CACHE_CONTROL);
    if (hasTag(asked.headers.get("if-none-match"), tag)) {
      list.view.close();
      return new Reply(304, fields, undefined);
    }
    const content = JSON_TYPE + encodedAs(coding);
    if (asked.method === "HEAD") {
      list.view.close();
      return new Reply(200, fields + content, { blocks: undefined, failed });
    }
    // A list that was opened just after an import is of another state than that of before it.
    const gathered = keeping?.state.revision === list.view.revision && {
      kept: keeping.kept,
      whole: (body: readonly Uint8Array[]) => keep(asked, keeping, { tag, fields, content, body }),
    };
    let blocks: Blocks | undefined;
    return attempt(
      () => {
        const opened = list.open();
        blocks = opened;
        return then(
          start(opened, list.whole),
          (begun) =>
            new Reply(200, fields + content, bodyOf(opened, begun, coding, failed, gathered || undefined)),
        );
      },
      (error) => {
        (blocks ?? list.view).close();
        throw error;
      },
    );
  }

  #validated(asked: Asked, tag: string, cacheControl: string): string {
    return `${this.#everywhere(asked)}${cacheControl}ETag: ${tag}\r\n`;
  }

  #everywhere(asked: Asked): string {
    const allowed = this.#cors.allowed(asked.headers);
    let common = this.#byOrigin.get(allowed);
    if (common === undefined) {
      common = linesOf({
        Vary: this.#cors.vary,
        "X-Content-Type-Options": "nosniff",
        ...(allowed !== undefined && {
          "Access-Control-Allow-Origin": allowed,
          "Access-Control-Expose-Headers": EXPOSED_HEADERS,
        }),
      });
      this.#byOrigin.set(allowed, common);
    }
    return common;
  }
}

function keep(asked: Asked, { kept, key, state }: Keeping, lasting: Lasting): KeptAnswer {
  const answer = new KeptAnswer(lasting, asked.route);
  kept.keep(key, state, answer);
  return answer;
}

interface Gathered {
  readonly kept: Kept;
  readonly whole: (body: readonly Uint8Array[]) => void;
}

function bodyOf(
  blocks: Blocks,
  begun: Start,
  coding: Coding | undefined,
  failed: (error: unknown) => void,
  gathered: Gathered | undefined,
): Reply["body"] {
  if (begun.whole) {
    blocks.close();
    const bytes = coding === undefined ? begun.bytes : encodeWhole(begun.bytes, coding);
    gathered?.whole([bytes]);
    return bytes;
  }
  const rest = resume(begun, blocks);
  const sent = coding === undefined ? rest : new EncodedBlocks(rest, coding);
  if (gathered === undefined) return { blocks: sent, failed };
  const { kept, whole } = gathered;
  return {
    blocks: gathering(sent, { mostBytes: kept.mostBytes, grows: (bytes) => kept.gathering(bytes), whole }),
    failed,
  };
}

const encoder = new TextEncoder();

function linesOf(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

function encodedAs(coding: Coding | undefined): string {
  return coding === undefined ? "" : `Content-Encoding: ${coding}\r\n`;
}

function codingOf(body: Uint8Array, choice: CodingChoice): Coding | undefined {
  return body.length < WORTH_ENCODING && choice.identity ? undefined : choice.coding;
}

/** RFC 9110, 8.8.3: strong, so each coding has its own. */
function tagOf(etag: string, coding: Coding | undefined): string {
  return coding === undefined ? `"${etag}"` : `"${etag}-${coding}"`;
}
