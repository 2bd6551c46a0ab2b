/** Requests with a token that could take long: with parameters as long as they can be, and with the longest responses. */
import { isbnAt } from "../../bench/product-xml.ts";
import { randomText } from "../../bench/vocabulary.ts";
import { MAX_ISBNS } from "../../src/api/parameters/kinds.ts";
import { ROUTES } from "../../src/api/routes.ts";
import { MAX_QUERY_PREFIXES } from "../../src/catalog/search/query-parser.ts";
import { randomBelow } from "../../src/lib/testing/random.ts";
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

interface HostileRequest {
  readonly title: string;
  readonly head: Buffer;
  /** Of the response. When omitted, it can be an error. */
  readonly status?: number;
}

/** Values of these lengths, in bytes of the target: limits are somewhere between. */
const LENGTHS = [400, 2400, MAX_TARGET_BYTES];

/** `isShort`: each value has one of the lengths, in turn. */
export function* hostileRequests(token: string, isShort: boolean): Generator<HostileRequest> {
  yield* longParameters(token, isShort);
  yield* longResponses(token);
}

/** All endpoints and parameters, with values of one Unicode class each. */
function* longParameters(token: string, isShort: boolean): Generator<HostileRequest> {
  let values = 0;
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
        for (const bytes of isShort ? [LENGTHS[values++ % LENGTHS.length]!] : LENGTHS)
          yield request(`${id} ${target} ${title}`, target, encodeURIComponent(piece), bytes);
    }
    for (const piece of RAW_PIECES)
      yield request(`${id} ? ${piece}`, `${exampleOf(path)}?`, piece, MAX_TARGET_BYTES);
  }

  function request(title: string, target: string, piece: string, bytes: number): HostileRequest {
    const room = bytes - target.length;
    const value = piece.repeat(Math.floor(room / piece.length));
    return { title: `${title} (${bytes} bytes)`, head: headOf(token, target + value) };
  }
}

/** A book that has thousands of subjects, in the same imprint as the generated ones. */
export const LARGE_BOOK = isbnAt(99_999_999);

const BOOK_SHAPES = [
  ...["json", "ndjson", "xml", "xml&shorttags=true"].map((format) => `view=record&format=${format}`),
  ...["format=csv", "labels=spa", "fields=isbn,title,prices"].map((shape) => `view=summary&${shape}`),
];

/** All endpoints with the most books that the measured catalog has. */
function* longResponses(token: string): Generator<HostileRequest> {
  const words = [...new Set(randomText(randomBelow(31), 2000).split(" "))];
  const [first, ...others] = words.filter((word) => word.length > 3);
  const queries = [
    words[0]!,
    `"${words.slice(0, 3).join(" ")}"`,
    [first, ...others.slice(0, 19).map((word) => `-${word}`)].join(" "),
    others
      .slice(0, MAX_QUERY_PREFIXES)
      .map((word) => `${word.slice(0, 3)}*`)
      .join(" "),
    // They are corrected.
    others
      .slice(-8)
      .map((word) => `${word.slice(1)}x`)
      .join(" "),
  ].map(encodeURIComponent);
  const isbns = Array.from({ length: MAX_ISBNS }, (_, number) => isbnAt(number)).join();
  const lists = [
    `/api/isbns/${isbns}?`,
    "/api/imprint/gran-sello?",
    `/api/isbn/${LARGE_BOOK}?`,
    `/api/search?q=${queries[0]}&limit=1000&`,
  ];
  const targets = [
    ...[`/api/isbn/${isbnAt(0)}?`, ...lists].flatMap((start) => BOOK_SHAPES.map((shape) => start + shape)),
    ...queries.flatMap((q) => [`/api/search?q=${q}&highlight=1&group=work&limit=1000`, `/api/facets?q=${q}`]),
    ...queries.flatMap((q) => [
      `/api/facets?q=${q}&language=spa&form=BC&price=EUR+15`,
      `/api/suggest?q=${q}`,
    ]),
    ...["relevance", "newest", "oldest", "title"].map((sort) => `/api/search?sort=${sort}&limit=1000`),
    ...["/api/changes?limit=1000&view=record", "/api/changes?limit=1000&view=summary"],
    ...["/api/news?date=19000101", "/api/news?date=19000101&limit=1000", "/api/skus", "/api/skus?limit=1000"],
    ...["/api/imprints", "/api/facets", "/api/quality", "/api/subjects", "/api/translations", "/api/imports"],
    ...[`/api/work/${isbnAt(0)}`, `/api/origin/${isbnAt(0)}`, "/api/imports/1"],
  ];
  for (const target of targets)
    yield {
      title: target.slice(0, 200),
      head: headOf(token, target, "Accept-Encoding: identity"),
      status: 200,
    };
  for (const coding of ["gzip", "br", "zstd"]) {
    for (const target of [
      "/api/translations",
      "/api/skus",
      "/api/imprint/gran-sello",
      `/api/isbn/${isbnAt(0)}`,
      `${lists[0]}format=xml`,
    ])
      yield {
        title: `${target.slice(0, 200)} as ${coding}`,
        head: headOf(token, target, `Accept-Encoding: ${coding}`),
        status: 200,
      };
  }
}

function headOf(token: string, target: string, ...fields: readonly string[]): Buffer {
  return head(`GET ${target} HTTP/1.1`, "Host: x", `Authorization: Bearer ${token}`, ...fields);
}

function exampleOf(path: string): string {
  return path
    .replace(/\{isbns?\}/, "9788400000007")
    .replace(/\{number\}/, "1")
    .replace(/\{\w+\}/, "a");
}
