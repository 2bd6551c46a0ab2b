/** Requests with a token whose parameters are as long as they can be, of one Unicode class each, for all endpoints. */
import { ROUTES } from "../../src/api/routes.ts";
import { MAX_TARGET_BYTES } from "../../src/server/limits.ts";
import { head } from "./hostile-heads.ts";

/** Pieces that are repeated: characters that some step treats in a way of its own. */
const PIECES: Readonly<Record<string, string>> = {
  letters: "a",
  capitals: "AÉ",
  "letters and spaces": "ab ",
  digits: "9",
  "digits and hyphens": "9-",
  ISBNs: "9788400000007,",
  commas: ",",
  quotes: '"a"',
  "open quotes": "“",
  "hyphens and words": "-a ",
  "prefixes and spaces": "abc* ",
  asterisks: "*",
  "percent signs": "%",
  ampersands: "&",
  "combining marks": "\u0345\u0301",
  "letters with marks": "a\u0301\u0323\u0301",
  "characters that are 18 in NFKD": "\ufdfa",
  Hangul: "각",
  Han: "漢",
  "characters beyond the BMP": "𝒳",
  "joiners and soft hyphens": "a\u00ad\u200d",
  "capital I with a dot": "İ",
  "sharp s": "ß",
  "spaces of Unicode": "\u00a0\u2003",
  apostrophes: "o'",
  underscores: "_.",
};

/** As a byte of the target, so that nothing of it is percent-encoded. */
const RAW_PIECES = ["%", "%2", "%ff", "%CD%85%CC%81", "+", "a=&", "&q=a", "limit=1&", "a"];

export interface HostileRequest {
  readonly title: string;
  readonly head: Buffer;
}

/** Values of these lengths, in bytes of the target: limits are somewhere between. */
const LENGTHS = [400, 2400, MAX_TARGET_BYTES];

export function* hostileRequests(token: string): Generator<HostileRequest> {
  for (const { path, allParameters, id } of ROUTES) {
    const names = Object.entries(allParameters);
    const start = path.replace(/\{.*/, "");
    const inPath = names.some(([, parameter]) => parameter.in === "path");
    const targets = [
      ...(inPath ? [start] : []),
      ...names
        .filter(([, { in: place }]) => place === "query")
        .map(([name]) => `${exampleOf(path)}?${name}=`),
    ];
    for (const target of targets) {
      for (const [title, piece] of Object.entries(PIECES))
        for (const bytes of LENGTHS)
          yield request(`${id} ${target} ${title}`, target, encodeURIComponent(piece), bytes);
    }
    for (const piece of RAW_PIECES)
      yield request(`${id} ? ${piece}`, `${exampleOf(path)}?`, piece, MAX_TARGET_BYTES);
  }

  function request(title: string, target: string, piece: string, bytes: number): HostileRequest {
    const room = bytes - target.length;
    const value = piece.repeat(Math.floor(room / piece.length));
    const lines = [`GET ${target}${value} HTTP/1.1`, "Host: x", `Authorization: Bearer ${token}`];
    return { title: `${title} (${bytes} bytes)`, head: head(...lines) };
  }
}

function exampleOf(path: string): string {
  return path
    .replace(/\{isbns?\}/, "9788400000007")
    .replace(/\{number\}/, "1")
    .replace(/\{\w+\}/, "a");
}
