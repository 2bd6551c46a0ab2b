/** The header fields of a request: RFC 9112 §5. Refuses what two parsers could read differently. */
import { MAX_CONNECTION_FIELD_CHARS, MAX_HEADER_FIELDS } from "./limits.ts";

/** One line with the CRLF before it: a token, a colon, and no control character (RFC 9110 §5.5, §5.6.2). */
const FIELD_LINE = /\r\n([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)/y;

export class RequestHeaders {
  readonly #values: ReadonlyMap<string, string>;
  /** The length of the request body in bytes. Is undefined when only the end of the connection bounds it. */
  readonly bodyBytes: number | undefined;
  /** The client wants the connection closed after the response. */
  readonly closesConnection: boolean;

  private constructor(values: ReadonlyMap<string, string>, bodyLength: number | undefined) {
    this.#values = values;
    // RFC 9110 §10.1.1: a client that waits for 100 gets the final response instead, and may not send the body then.
    this.bodyBytes = values.has("expect") && bodyLength !== 0 ? undefined : bodyLength;
    const options = values.get("connection")?.toLowerCase().split(",") ?? [];
    this.closesConnection = options.some((option) => option.trim() === "close");
  }

  /** Returns the value of a field, one character a byte. The name is in lower case; repeated fields are one list. */
  get(name: string): string | null {
    return this.#values.get(name) ?? null;
  }

  /** Parses lines that each follow a CRLF. */
  static parse(lines: string): RequestHeaders | "malformed" | "too large" {
    const values = new Map<string, string>();
    let count = 0;
    FIELD_LINE.lastIndex = 0;
    for (let offset = 0; offset < lines.length; offset = FIELD_LINE.lastIndex) {
      const line = FIELD_LINE.exec(lines);
      if (!line) return "malformed";
      if (++count > MAX_HEADER_FIELDS) return "too large";
      const name = line[1]!.toLowerCase();
      const value = trimTrailingWhitespace(line[2]!);
      const before = values.get(name);
      values.set(name, before === undefined ? value : `${before}, ${value}`);
    }
    if ((values.get("connection")?.length ?? 0) > MAX_CONNECTION_FIELD_CHARS) return "too large";
    const bodyLength = parseBodyBytes(values);
    return bodyLength === "malformed" ? "malformed" : new RequestHeaders(values, bodyLength);
  }
}

/** RFC 9110 §5.6.3: spaces and tabs. `String.trimEnd` would also remove the byte 0xA0, which is part of a value. */
function trimTrailingWhitespace(value: string): string {
  let end = value.length;
  while (end > 0 && isSpaceOrTab(value.charCodeAt(end - 1))) end--;
  return end === value.length ? value : value.slice(0, end);
}

function isSpaceOrTab(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** RFC 9112 §6.3. The end of a body without a Content-Length is not looked for: the connection closes instead. */
function parseBodyBytes(values: ReadonlyMap<string, string>): number | undefined | "malformed" {
  const length = values.get("content-length");
  const coding = values.get("transfer-encoding");
  if (coding !== undefined)
    return length === undefined && /^chunked$/i.test(coding) ? undefined : "malformed";
  if (length === undefined) return 0;
  return /^[0-9]{1,15}$/.test(length) ? Number(length) : "malformed";
}
