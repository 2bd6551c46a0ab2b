/** The most expensive heads that are known, by name. Each is almost as long as allowed, and none has a valid token. */
const LINE = "GET /openapi.json HTTP/1.1";
const HOST = "Host: x";

/** Below the limits of `src/server/limits.ts`. */
const FIELD_CHARS = 62_000;
const TARGET_CHARS = 55_000;
const MAX_REPEATED_FIELDS = 98;

export function head(...lines: readonly string[]): Buffer {
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

/** Returns an ordinary request of about this many bytes. */
export function plainHead(bytes: number): Buffer {
  return head(LINE, HOST, "Accept-Encoding: gzip, br", `X-Filler: ${"a".repeat(Math.max(0, bytes - 80))}`);
}

function fill(text: string, chars = FIELD_CHARS): string {
  return text.repeat(Math.ceil(chars / text.length)).slice(0, chars);
}

function withField(name: string, text: string): Buffer {
  return head(LINE, HOST, `${name}: ${fill(text)}`);
}

function withFields(line: string): Buffer {
  return head(LINE, HOST, ...Array<string>(MAX_REPEATED_FIELDS).fill(line));
}

function withTarget(path: string, text: string): Buffer {
  return head(`GET ${path}${fill(text, TARGET_CHARS)} HTTP/1.1`, HOST);
}

function withCredentials(value: string): Buffer {
  return head("GET /api/skus HTTP/1.1", HOST, `Authorization: ${value}`);
}

export const HOSTILE_HEADS: Readonly<Record<string, Buffer>> = {
  "Accept-Encoding: a;b,a;b,…": withField("Accept-Encoding", "a;b,"),
  "Accept-Encoding: ,,,…": withField("Accept-Encoding", ","),
  "Accept-Encoding: ;q=;q=…": withField("Accept-Encoding", ";q="),
  "98 times Accept-Encoding: a;b,…": withFields(`Accept-Encoding: ${fill("a;b,", 600)}`),
  "Accept: a;b,a;b,…": withField("Accept", "a;b,"),
  "Connection: ,,,…": withField("Connection", ","),
  "98 times Connection: a,…": withFields(`Connection: ${fill("a,", 600)}`),
  'If-None-Match: "","",…': withField("If-None-Match", '"",'),
  'If-None-Match: """"…': withField("If-None-Match", '"'),
  "If-None-Match: spaces": withField("If-None-Match", "\t a"),
  "X-Request-Id: aaa…": withField("X-Request-Id", "a"),
  "Host: a.a.…": head(LINE, `Host: ${fill("a.")}`),
  "Origin: http://a,…": withField("Origin", "http://a,"),
  "Content-Length: 111…": withField("Content-Length", "1"),
  "98 fields": head(
    LINE,
    HOST,
    ...Array.from({ length: MAX_REPEATED_FIELDS }, (_, at) => `X-${at}: ${fill("a", 600)}`),
  ),
  "spaces after a value": withField("X", "a ".padEnd(FIELD_CHARS)),
  "a field without a colon": head(LINE, HOST, fill("a")),
  "Authorization: Bearer aaa…": withCredentials(`Bearer ${fill("a")}`),
  "Authorization: Bearer and spaces": withCredentials(`Bearer${fill(" ")}!`),
  "Authorization: Bearer a===…!": withCredentials(`Bearer a${fill("=")}!`),
  "target of %ff": withTarget("/api/imprint/", "%ff"),
  "target of ..%2f": withTarget("/api/imprint/", "..%2f"),
  "target of x%2f": withTarget("/api/imprint/", "x%2f"),
  "target of /..": withTarget("/api", "/.."),
  "target of backslashes": withTarget("/api", "\\"),
  "target of bytes 0xff": withTarget("/api/imprint/", "\xff"),
  "target in absolute form": withTarget("http://a.b:80", "/../a"),
  "query of date=%ff&": withTarget("/api/news?", "date=%ff&"),
  "method of 55 kB": head(`${fill("A", TARGET_CHARS)} / HTTP/1.1`, HOST),
};
