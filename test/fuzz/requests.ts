/** Requests made from the API's own description: right, nearly right, and wild. */
import fc from "fast-check";

/** One request; `token` says which of the tokens at hand it carries. */
export interface Ask {
  readonly method: string;
  /** Path and query, as they stand in the request line. */
  readonly target: string;
  readonly token: "good" | "none" | "bad" | "cut" | "odd";
  readonly headers: readonly (readonly [name: string, value: string])[];
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly example: string;
}

/** As much of an OpenAPI document as requests are made from. */
export interface Described {
  readonly paths: Readonly<Record<string, { readonly get: { readonly parameters: readonly Parameter[] } }>>;
}

/** Values of the catalog that is asked, so that some requests find something. */
export interface Known {
  readonly isbns: readonly string[];
  readonly slugs: readonly string[];
  readonly etags: readonly string[];
}

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "PURGE"];

/** What parsers stumble over. */
const TRAPS = [
  "",
  " ",
  "0",
  "-1",
  "null",
  "undefined",
  "NaN",
  "__proto__",
  "constructor",
  "toString",
  "'",
  '"',
  "\\",
  "' OR '1'='1",
  "; DROP TABLE records; --",
  "%",
  "%25",
  "%00",
  "\0",
  "\r\n",
  "\uFEFF",
  "\uFFFD",
  "\u202E",
  "ſ",
  "K",
  "İ",
  "ß",
  "𝟗𝟕𝟖",
  "٩٧٨",
  "\uD800",
  "e\u0301",
  "👩‍🚀",
  "<script>",
  "{{7*7}}",
  "$(id)",
  "../..",
  "20240229",
  "20230229",
  "00000000",
  "99991231",
  "eng",
  "SPA",
  "zzz",
  "9789999901116",
  "843760494X",
  "978-84-376-0494-7",
  ",",
  ",,",
  "9".repeat(13),
  "9".repeat(2000),
];

/** Anything, percent-encoded so that it can stand in a target; half a surrogate pair as the bytes it would have. */
function encoded(text: string): string {
  const bytes = Buffer.from(text.isWellFormed() ? text : `${text.toWellFormed()}\u{10FFFF}`);
  return [...bytes].map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : percent(byte))).join("");
}

function isPlain(byte: number): boolean {
  return /[\w.~!$'()*+,:@-]/.test(String.fromCharCode(byte));
}

function percent(byte: number): string {
  return `%${byte.toString(16).padStart(2, "0")}`;
}

const wild = fc.oneof(
  fc.constantFrom(...TRAPS),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.stringMatching(/^[0-9X,-]{0,60}$/),
  fc.array(fc.constantFrom(...TRAPS), { maxLength: 5 }).map((parts) => parts.join("")),
);

/** A value with one thing changed in it. */
function nearly(right: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(right, fc.nat(), fc.nat(3), fc.oneof(fc.constantFrom(...TRAPS), fc.string({ maxLength: 1 })))
    .map(([text, place, removed, put]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + put + text.slice(at + removed);
    });
}

/** What goes into the target for a value: encoded, or bytes that are not even UTF-8, or broken encodings. */
function written(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const broken = fc.constantFrom("%", "%2", "%zz", "%c0%ae", "%ff", "%ed%a0%80", "%u0041", "%f8%88%80%80%80");
  return fc.oneof(
    { weight: 9, arbitrary: value.map(encoded) },
    { weight: 1, arbitrary: fc.tuple(value.map(encoded), broken).map(([text, end]) => text + end) },
  );
}

function rightValue({ name, example }: Parameter, known: Known): fc.Arbitrary<string> {
  const isbn = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...known.isbns) },
    { weight: 1, arbitrary: fc.stringMatching(/^97[89][0-9]{10}$/) },
  );
  switch (name) {
    case "isbn":
      return isbn;
    case "isbns":
      return fc.array(isbn, { minLength: 1, maxLength: 12 }).map((list) => list.join(","));
    case "imprint":
      return fc.constantFrom(...known.slugs);
    case "date":
      return fc
        .date({ min: new Date("2000-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10).replaceAll("-", ""));
    default:
      return fc.constant(example);
  }
}

function valuesOf(parameter: Parameter, known: Known): fc.Arbitrary<string> {
  const right = rightValue(parameter, known);
  return written(
    fc.oneof(
      { weight: 4, arbitrary: right },
      { weight: 3, arbitrary: nearly(right) },
      { weight: 2, arbitrary: wild },
    ),
  );
}

/** A dot segment is for a client to resolve (RFC 3986, 5.2.4), and an empty one makes another path. */
const isSegment = (text: string) => text !== "" && !/^(\.|%2e){1,2}$/i.test(text);

function targetOf(path: string, parameters: readonly Parameter[], known: Known): fc.Arbitrary<string> {
  const inPath = parameters.find((parameter) => parameter.in === "path");
  const segment = inPath ? valuesOf(inPath, known).filter(isSegment) : fc.constant("");
  const named = parameters.filter((parameter) => parameter.in === "query");
  const pair = fc.oneof(
    ...named.map((parameter) => valuesOf(parameter, known).map((value) => `${parameter.name}=${value}`)),
    ...named.map(({ name }) => fc.constant(name)),
    fc.tuple(written(wild), written(wild)).map(([name, value]) => `${name}=${value}`),
  );
  const query = fc.oneof(
    { weight: 3, arbitrary: fc.constant("") },
    { weight: 2, arbitrary: pair.map((one) => `?${one}`) },
    {
      weight: 1,
      arbitrary: fc.array(pair, { maxLength: 4 }).map((pairs) => `?${pairs.join("&")}`),
    },
  );
  return fc
    .tuple(segment, query)
    .map(([text, search]) => path.replace(/\{\w+\}/, () => text) + search.replaceAll("#", "%23"));
}

const fieldValue = fc.oneof(
  fc.constantFrom(
    "",
    "*",
    '"',
    '""',
    "W/",
    ",",
    ";",
    "q=",
    "0",
    "-1",
    "bytes=0-",
    "chunked",
    "a".repeat(500),
  ),
  fc.stringMatching(/^[!-~][ -~]{0,40}[!-~]$/),
);

function headerOf(known: Known): fc.Arbitrary<readonly [string, string]> {
  const tag = fc.constantFrom('"x"', 'W/"x"', "*", ...known.etags, ...known.etags);
  const weight = fc.constantFrom(
    "",
    ";q=0",
    ";q=1",
    ";q=0.5",
    ";q=2",
    ";q=",
    ";q=0.0001",
    "; Q=0.9",
    ";x=y;q=1",
  );
  const list = (...names: string[]) =>
    fc
      .array(fc.tuple(fc.constantFrom(...names), weight), { maxLength: 4 })
      .map((items) => items.map((item) => item.join("")).join(", "));
  const field = (name: string, value: fc.Arbitrary<string>) =>
    value.map((text): readonly [string, string] => [name, text]);
  return fc.oneof(
    field(
      "Accept",
      list("*/*", "application/json", "application/*", "text/html", "application/problem+json"),
    ),
    field("Accept-Encoding", list("gzip", "br", "zstd", "identity", "*", "deflate", "x-gzip")),
    field(
      "If-None-Match",
      fc.array(tag, { maxLength: 3 }).map((tags) => tags.join(", ")),
    ),
    field("Origin", fc.constantFrom("https://shop.example", "null", "x")),
    field("X-Request-Id", fieldValue),
    ...["Range", "If-Match", "If-Modified-Since", "Accept-Language", "Cookie", "TE", "Via", "X-Odd"].map(
      (name) => field(name, fieldValue),
    ),
    ...["Accept", "Accept-Encoding", "If-None-Match"].map((name) => field(name, fieldValue)),
  );
}

/** Every operation of the description gets its share, and so do paths that it does not have. */
export function requestsFor(described: Described, known: Known): fc.Arbitrary<Ask> {
  const targets = Object.entries(described.paths).map(([path, { get }]) =>
    targetOf(path, get.parameters, known),
  );
  const elsewhere = fc
    .array(written(wild).filter(isSegment), { minLength: 1, maxLength: 3 })
    .map((segments) => `/${segments.join("/")}`);
  return fc.record({
    method: fc.oneof(
      { weight: 6, arbitrary: fc.constant("GET") },
      { weight: 2, arbitrary: fc.constant("HEAD") },
      { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
    ),
    target: fc.oneof(...targets, elsewhere),
    token: fc.oneof(
      { weight: 8, arbitrary: fc.constant("good" as const) },
      { weight: 1, arbitrary: fc.constantFrom("none", "bad", "cut", "odd") },
    ),
    headers: fc.array(headerOf(known), { maxLength: 4 }),
  });
}

export function written11(ask: Ask, token: string): string {
  const { method, target, headers } = ask;
  const fields = headers.map(([name, value]) => `${name}: ${value}`);
  const authorization = {
    good: [`Authorization: Bearer ${token}`],
    none: [],
    bad: ["Authorization: Bearer a.b.c"],
    cut: [`Authorization: Bearer ${token.slice(0, -3)}`],
    odd: [`Authorization: Basic ${token}`],
  }[ask.token];
  return [`${method} ${target} HTTP/1.1`, "Host: catalog.example", ...authorization, ...fields, "", ""].join(
    "\r\n",
  );
}
