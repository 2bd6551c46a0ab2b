/** Generates requests from the OpenAPI document: valid, nearly valid, and arbitrary. */
import fc from "fast-check";

export interface GeneratedRequest {
  readonly method: string;
  /** Path and query as in the request line. */
  readonly target: string;
  readonly token: "valid" | "none" | "malformed" | "truncated" | "other-scheme";
  readonly headers: readonly (readonly [name: string, value: string])[];
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly example?: string;
  readonly schema: { readonly type?: string; readonly enum?: readonly string[]; readonly maximum?: number };
}

/** The part of an OpenAPI document that requests are generated from. */
export interface ApiDescription {
  readonly paths: Readonly<Record<string, { readonly get: { readonly parameters: readonly Parameter[] } }>>;
}

/** Values of the served catalog, so that some requests find something. */
export interface KnownValues {
  readonly isbns: readonly string[];
  readonly slugs: readonly string[];
  readonly etags: readonly string[];
}

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "PURGE"];

/** Texts that parsers often handle wrongly. */
const TRICKY_TEXTS = [
  ...`0 -1 null undefined NaN __proto__ constructor toString ' " \\ % %25 %00 <script> {{7*7}} $(id) ../.. , ,,`.split(
    " ",
  ),
  ..."ſ K İ ß 𝟗𝟕𝟖 ٩٧٨ e\u0301 👩‍🚀 \uFEFF \uFFFD \u202E \uD800 \0 \r\n".split(" "),
  ..."20240229 20230229 00000000 99991231 eng SPA zzz 9789999901116 843760494X 978-84-376-0494-7".split(" "),
  ...["", " ", "' OR '1'='1", "; DROP TABLE records; --", "9".repeat(13), "9".repeat(2000)],
];

/** Percent-encodes a text for a request target. A lone surrogate becomes invalid UTF-8. */
function percentEncode(text: string): string {
  const bytes = Buffer.from(text.isWellFormed() ? text : `${text.toWellFormed()}\u{10FFFF}`);
  return [...bytes]
    .map((byte) => (isUnescaped(byte) ? String.fromCharCode(byte) : percentByte(byte)))
    .join("");
}

function isUnescaped(byte: number): boolean {
  return /[\w.~!$'()*+,:@-]/.test(String.fromCharCode(byte));
}

function percentByte(byte: number): string {
  return `%${byte.toString(16).padStart(2, "0")}`;
}

const arbitraryText = fc.oneof(
  fc.constantFrom(...TRICKY_TEXTS),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.stringMatching(/^[0-9X,-]{0,60}$/),
  fc.array(fc.constantFrom(...TRICKY_TEXTS), { maxLength: 5 }).map((parts) => parts.join("")),
);

/** Generates values with one mutation. */
function nearlyValid(valid: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(
      valid,
      fc.nat(),
      fc.nat(3),
      fc.oneof(fc.constantFrom(...TRICKY_TEXTS), fc.string({ maxLength: 1 })),
    )
    .map(([text, offset, removed, inserted]) => {
      const start = offset % (text.length + 1);
      return text.slice(0, start) + inserted + text.slice(start + removed);
    });
}

/** Encodes values for the request target. Appends invalid UTF-8 or an invalid escape to some. */
function encoded(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const invalidEscape = fc.constantFrom(
    "%",
    "%2",
    "%zz",
    "%c0%ae",
    "%ff",
    "%ed%a0%80",
    "%u0041",
    "%f8%88%80%80%80",
  );
  return fc.oneof(
    { weight: 9, arbitrary: value.map(percentEncode) },
    {
      weight: 1,
      arbitrary: fc.tuple(value.map(percentEncode), invalidEscape).map(([text, end]) => text + end),
    },
  );
}

function validValues({ name, example, schema }: Parameter, known: KnownValues): fc.Arbitrary<string> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === "integer") return fc.integer({ min: 1, max: schema.maximum! }).map(String);
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
    case "q":
      return fc.oneof(
        fc
          .array(
            fc.constantFrom(
              "la",
              "mar",
              "treasure",
              "mar*",
              '"el mar"',
              "-sea",
              "García",
              "中文",
              '"island"*',
            ),
            { minLength: 1, maxLength: 4 },
          )
          .map((terms) => terms.join(" ")),
        isbn,
      );
    case "language":
      return fc.constantFrom("spa", "eng", "ENG", "cat");
    case "subject":
      return fc.constantFrom("F", "FB", "93:FBA", "JUV001000", "ñ");
    case "below":
    case "codes":
      return fc.constantFrom("F", "fba", "1DSE", "NONE");
    case "contributor":
      return fc.constantFrom("Stevenson", "robert louis", "García", "o'hara");
    case "from":
    case "to":
    case "date":
      return fc
        .date({ min: new Date("2000-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10).replaceAll("-", ""));
    default:
      return fc.constant(example ?? "");
  }
}

function valuesOf(parameter: Parameter, known: KnownValues): fc.Arbitrary<string> {
  const valid = validValues(parameter, known);
  return encoded(
    fc.oneof(
      { weight: 4, arbitrary: valid },
      { weight: 3, arbitrary: nearlyValid(valid) },
      { weight: 2, arbitrary: arbitraryText },
    ),
  );
}

/** A client resolves dot segments (RFC 3986 §5.2.4), and an empty segment makes another path. */
const isSegment = (text: string) => text !== "" && !/^(\.|%2e){1,2}$/i.test(text);

function targetOf(path: string, parameters: readonly Parameter[], known: KnownValues): fc.Arbitrary<string> {
  const inPath = parameters.find((parameter) => parameter.in === "path");
  const segment = inPath ? valuesOf(inPath, known).filter(isSegment) : fc.constant("");
  const named = parameters.filter((parameter) => parameter.in === "query");
  const pair = fc.oneof(
    ...named.map((parameter) => valuesOf(parameter, known).map((value) => `${parameter.name}=${value}`)),
    ...named.map(({ name }) => fc.constant(name)),
    fc.tuple(encoded(arbitraryText), encoded(arbitraryText)).map(([name, value]) => `${name}=${value}`),
  );
  const query = fc.oneof(
    { weight: 3, arbitrary: fc.constant("") },
    { weight: 2, arbitrary: pair.map((one) => `?${one}`) },
    { weight: 1, arbitrary: fc.array(pair, { maxLength: 4 }).map((pairs) => `?${pairs.join("&")}`) },
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

function headerOf(known: KnownValues): fc.Arbitrary<readonly [string, string]> {
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
      list(
        "*/*",
        "application/json",
        "application/*",
        "text/html",
        "application/problem+json",
        "text/csv",
        "application/xml",
        "application/x-ndjson",
      ),
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

/** Generates requests for every operation of the description, and for unknown paths. */
export function requestsFor(description: ApiDescription, known: KnownValues): fc.Arbitrary<GeneratedRequest> {
  const targets = Object.entries(description.paths).map(([path, { get }]) =>
    targetOf(path, get.parameters, known),
  );
  const unknownPath = fc
    .array(encoded(arbitraryText).filter(isSegment), { minLength: 1, maxLength: 3 })
    .map((segments) => `/${segments.join("/")}`);
  return fc.record({
    method: fc.oneof(
      { weight: 6, arbitrary: fc.constant("GET") },
      { weight: 2, arbitrary: fc.constant("HEAD") },
      { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
    ),
    target: fc.oneof(...targets, unknownPath),
    token: fc.oneof(
      { weight: 8, arbitrary: fc.constant("valid" as const) },
      { weight: 1, arbitrary: fc.constantFrom("none", "malformed", "truncated", "other-scheme") },
    ),
    headers: fc.array(headerOf(known), { maxLength: 4 }),
  });
}

/** The options of a server that takes the address of a client from a generated request. */
export const FUZZ_OPTIONS = ["--sample", "--trusted-proxy", "127.0.0.1"];

let requests = 0;

export function serializeRequest(request: GeneratedRequest, token: string): string {
  const { method, target, headers } = request;
  const fields = headers.map(([name, value]) => `${name}: ${value}`);
  const authorization = {
    valid: [`Authorization: Bearer ${token}`],
    none: [],
    malformed: ["Authorization: Bearer a.b.c"],
    truncated: [`Authorization: Bearer ${token.slice(0, -3)}`],
    "other-scheme": [`Authorization: Basic ${token}`],
  }[request.token];
  // One address with many failed tokens would be slowed down: see `FUZZ_OPTIONS`.
  const client = `X-Forwarded-For: 10.0.${(++requests >> 8) & 255}.${requests & 255}`;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    "Host: catalog.example",
    client,
    ...authorization,
    ...fields,
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}
