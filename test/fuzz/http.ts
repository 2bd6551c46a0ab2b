/** The HTTP surface of the real program under requests of every kind, each answer held against its description. */
import fc from "fast-check";
import { decode } from "../../src/api/testing/decode.ts";
import { ResponseValidator } from "../../src/api/testing/response-validator.ts";
import { parseIsbn } from "../../src/onix/isbn.ts";
import type { ServeProcess } from "../process.ts";
import { savingFailingInput } from "./failing-input.ts";
import { type Ask, type Described, type Known, requestsFor, written11 } from "./requests.ts";
import { type Answer, exchange } from "./raw-http.ts";

export interface Target {
  readonly server: ServeProcess;
  readonly port: number;
  readonly token: string;
  readonly validator: ResponseValidator;
  readonly requests: fc.Arbitrary<Ask>;
}

/** A server with the sample catalog, and the requests that its own description leads to. */
export async function aim(server: ServeProcess): Promise<Target> {
  void drain(server.process.stderr);
  const token = server.token!;
  const get = async (path: string) => {
    const response = await fetch(server.url + path, { headers: { Authorization: `Bearer ${token}` } });
    return { json: await response.json(), etag: response.headers.get("etag") ?? '""' };
  };
  const description = (await get("/openapi.json")).json as Described;
  const skus = await get("/api/skus");
  const imprints = await get("/api/imprints");
  const known: Known = {
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

/** Whoever logs into a pipe that nobody reads comes to a stop when it is full. */
export async function drain(stream: ReadableStream<Uint8Array>): Promise<void> {
  if (stream.locked) return;
  for await (const _ of stream);
}

/** Throws what is wrong with the answer, or with its not being there. */
export async function ask(target: Target, asked: Ask): Promise<void> {
  const { method } = asked;
  const { answers, rest } = await exchange(target.port, written11(asked, target.token), {
    methods: [method],
  });
  if (rest.length > 0) throw new Error(`bytes that are no answer: ${Buffer.from(rest).toString("latin1")}`);
  const [answer] = answers;
  if (!answer) throw new Error("no answer");
  judge(target, asked, answer);
}

/** The same; an input that it fails on is kept. */
export function askKeeping(target: Target, asked: Ask): Promise<void> {
  return savingFailingInput("request", Buffer.from(JSON.stringify(asked)), () => ask(target, asked));
}

function judge({ validator, server }: Target, asked: Ask, answer: Answer): void {
  const { method, target, token } = asked;
  const { status, headers } = answer;
  const coding = method === "HEAD" ? null : headers.get("content-encoding");
  const body = decode(answer.body, coding);
  validator.check({ method, path: target, status, headers, body });
  need(status < 500, `${status}, and the service is well`);
  need(server.process.exitCode === null, "the process has ended");
  if (token !== "good") need(status !== 200 && status !== 304, `${status} without a token`);
  if (status === 304)
    need(
      asked.headers.some(([name]) => name === "If-None-Match"),
      "304, and none asked",
    );
  if (method !== "GET" || status !== 200) return;
  const isbn = /^\/api\/isbn\/([^?]*)/.exec(target)?.[1];
  if (isbn !== undefined) {
    const { RecordReference } = JSON.parse(Buffer.from(body).toString());
    need(RecordReference === parseIsbn(decodeURIComponent(isbn)), `${RecordReference} for ${isbn}`);
  }
}

/** A request with bytes changed in it, so that it may be none: no failure, and no more answers than there can be. */
export async function askWildly(target: Target, bytes: Uint8Array): Promise<void> {
  const { answers } = await exchange(target.port, bytes, { end: true, answers: 2, orNone: true });
  need(target.server.process.exitCode === null, "the process has ended");
  for (const { status } of answers) {
    need(status < 500 || status === 501 || status === 505, `${status}, and the service is well`);
  }
}

/** The same; an input that it fails on is kept. */
export function askWildlyKeeping(target: Target, bytes: Uint8Array): Promise<void> {
  const kept = replaced(bytes, target.token, TOKEN);
  return savingFailingInput("bytes", kept, () => askWildly(target, bytes));
}

/** A kept input, with the token of the server that it is asked again. */
export function askWildlyAgain(target: Target, kept: Uint8Array): Promise<void> {
  return askWildly(target, replaced(kept, TOKEN, target.token));
}

/** What stands for the token in what is kept: each server has its own. */
const TOKEN = "{the token}";

function replaced(bytes: Uint8Array, text: string, by: string): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll(text, by), "latin1");
}

export interface Change {
  readonly at: number;
  readonly removed: number;
  readonly put: string;
}

const PIECES = [
  "\r\n",
  "\n",
  "\r",
  "\0",
  " ",
  "\t",
  ":",
  ",",
  ";",
  "%",
  "?",
  "/",
  "HTTP/1.1",
  "GET ",
  "\r\n\r\n",
];
const FIELDS = [
  "Content-Length: 5\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Host: y\r\n",
  "Expect: x\r\n",
  " x\r\n",
];

/** A well-formed request, and what is done to its bytes. */
export function wildBytes({ requests, token }: Target): fc.Arbitrary<Uint8Array> {
  const change: fc.Arbitrary<Change> = fc.record({
    at: fc.nat(4000),
    removed: fc.oneof(fc.constant(0), fc.nat(5)),
    put: fc.oneof(
      fc.constantFrom("", ...PIECES, ...FIELDS),
      fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
    ),
  });
  return fc.tuple(requests, fc.array(change, { minLength: 1, maxLength: 4 })).map(([asked, changes]) => {
    let text = written11(asked, token);
    for (const { at, removed, put } of changes) {
      const place = at % (text.length + 1);
      text = text.slice(0, place) + put + text.slice(place + removed);
    }
    return Uint8Array.from(Buffer.from(text, "latin1"));
  });
}

function need(right: boolean, message: string): void {
  if (!right) throw new Error(message);
}
