/**
 * Compares the parser of request heads with itself. A stream of requests has one reading: however its bytes are cut
 * into pieces, and whether a head is parsed in full or by its difference to the one before.
 */
import fc from "fast-check";
import { MAX_HEAD_BYTES, MAX_TARGET_BYTES } from "../../src/server/limits.ts";
import { ProtocolError } from "../../src/server/request.ts";
import { RequestParser } from "../../src/server/request-parser.ts";

const FIELD_NAMES = ["host", "connection", "accept", "content-length", "x"];

/** Reads a stream as a connection does. With `isFresh`, every head gets a parser that knows no other head. */
function readStream(pieces: readonly string[], isFresh: boolean): string[] {
  const readings: string[] = [];
  let parser = new RequestParser();
  let unparsed = "";
  let bodyToSkip = 0;
  for (const piece of pieces) {
    unparsed += piece;
    for (;;) {
      const skipped = Math.min(bodyToSkip, unparsed.length);
      bodyToSkip -= skipped;
      unparsed = unparsed.slice(skipped);
      const request = parser.parse(unparsed);
      if (request === undefined) break;
      if (request instanceof ProtocolError) return [...readings, request.kind];
      const { method, target, isHttp10, headers } = request;
      const fields = FIELD_NAMES.map((name) => headers.get(name));
      const { bodyBytes, closesConnection } = headers;
      readings.push(JSON.stringify({ method, target, isHttp10, bodyBytes, closesConnection, fields }));
      if (bodyBytes === undefined) return readings;
      unparsed = unparsed.slice(parser.end);
      bodyToSkip = bodyBytes;
      if (isFresh) parser = new RequestParser();
    }
  }
  return readings;
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const ordered = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  return ordered.slice(1).map((end, index) => text.slice(ordered[index], end));
}

function headEnds(text: string): number[] {
  return [...text.matchAll(/\r\n\r\n/g)].map(({ index }) => index + 4);
}

/** Returns what differs between two ways to read the stream, or undefined. */
export function differenceInReadings(
  text: string,
  cuts: readonly number[],
  expected = readStream([text], true),
): string | undefined {
  // A head is compared with the one before only when it arrives alone.
  const allCuts = [...cuts, ...headEnds(text)];
  for (const [isFresh, places] of [
    [false, cuts],
    [true, cuts],
    [false, allCuts],
  ] as const) {
    const readings = readStream(cutAt(text, places), isFresh);
    if (Bun.deepEquals(readings, expected)) continue;
    const parsers = isFresh ? "a parser for each head" : "one parser";
    return `whole: ${expected.join(" ")}\ncut at ${places}, with ${parsers}: ${readings.join(" ")}`;
  }
  return undefined;
}

/** Returns what differs when the stream is cut once, at any byte, or undefined. */
export function differenceInAnyCut(text: string): string | undefined {
  const expected = readStream([text], true);
  for (let cut = 0; cut <= text.length; cut++) {
    const difference = differenceInReadings(text, [cut], expected);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

const METHODS = [..."GET GET GET GET HEAD POST get G@T".split(" "), "A".repeat(32), "A".repeat(33), ""];
const TARGETS = [
  ..."/ /api/skus /api/isbn/9789999901116 /api/../skus /%2e%2e/?a#b http://x/a http://u@x/a *".split(" "),
  ...["/a\\b", "/a b", "/\xff", ""],
];
const VERSIONS = ["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "http/1.1", ""];
const FIELDS = [
  ...(
    "Host: x|Host: y|host:x|Accept: */*|X:|Connection: close|Connection: keep-alive|" +
    "Content-Length: 3|Content-Length: 3, 3|Transfer-Encoding: chunked|Expect: 100-continue| folded|no colon|X : y"
  ).split("|"),
  "X: \xa0 ",
];
const USUAL_FIELDS = [["Host: x"], ["Host: x", "Accept: */*"], ["Host: x", "Content-Length: 3"]];
const LINE_ENDS = ["\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r", "\r\n\r\n", "\r\n "];

const lineEnd = fc.constantFrom(...LINE_ENDS);
const requestText = fc
  .record({
    before: fc.constantFrom("", "", "", "", "\r\n", "\r\n\r\n", "\r\n\r\n\r\n", "\n"),
    method: fc.constantFrom(...METHODS),
    // Several requests that differ in their target alone: the later ones are read by their difference.
    targets: fc.array(fc.constantFrom(...TARGETS), { minLength: 1, maxLength: 3 }),
    version: fc.constantFrom(...VERSIONS),
    // Most have a Host and nothing unusual, so that the heads after them are read too.
    fields: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...USUAL_FIELDS) },
      { weight: 1, arbitrary: fc.array(fc.constantFrom(...FIELDS), { maxLength: 4 }) },
    ),
    lineEnd: fc.oneof({ weight: 6, arbitrary: fc.constant("\r\n") }, { weight: 1, arbitrary: lineEnd }),
    body: fc.constantFrom("", "", "", "abc", "\r\n", "\r\n\r\n"),
  })
  .map(({ before, method, targets, version, fields, lineEnd, body }) => {
    const requests = targets.map((target) => {
      const lines = [`${method} ${target} ${version}`, ...fields];
      return `${before}${lines.join(lineEnd)}\r\n\r\n${body}`;
    });
    return requests.join("");
  });

/** Streams of a few requests. */
export const shortStreams: fc.Arbitrary<string> = fc
  .array(requestText, { minLength: 1, maxLength: 3 })
  .map((texts) => texts.join(""));

/** Returns a request whose head, or whose target, has this many bytes more than allowed, or fewer. */
export function longRequest(part: "head" | "target", over: number): string {
  const filler = (limit: number, used: number) => "y".repeat(limit + over - used);
  if (part === "target") return `GET /${filler(MAX_TARGET_BYTES, 1)} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const start = "GET / HTTP/1.1\r\nHost: x\r\nX-Filler: ";
  return `${start}${filler(MAX_HEAD_BYTES, start.length)}\r\n\r\n`;
}

/** Streams with a head that is about as long as allowed, and requests around it. */
export const longStreams: fc.Arbitrary<string> = fc
  .record({
    before: fc.constantFrom("", "\r\n", "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"),
    part: fc.constantFrom("head" as const, "target" as const),
    over: fc.integer({ min: -8, max: 8 }),
    after: fc.constantFrom("", "GET /b HTTP/1.1\r\nHost: x\r\n\r\n"),
  })
  .map(({ before, part, over, after }) => before + longRequest(part, over) + after);

/** Cuts at any bytes, most of them near the ends of a stream of this length. */
export function cutsOf(length: number): fc.Arbitrary<number[]> {
  const near = fc.nat(40);
  return fc.array(
    fc.oneof(
      fc.nat(length),
      near,
      near.map((distance) => Math.max(0, length - distance)),
      near.map((distance) => Math.max(0, Math.min(length, MAX_HEAD_BYTES + 20 - distance))),
    ),
    { maxLength: 6 },
  );
}
