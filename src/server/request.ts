import { MAX_CONNECTION_FIELD_CHARS, MAX_HEADER_FIELDS } from "./limits.ts";
import type { Status } from "./response.ts";

/** A request, as the parser read it. */
export class Request {
  #isAbandoned = false;
  #abandonment: AbortController | undefined;
  /**
   * The address of the client: the other end of the connection, or what a trusted proxy there names. Empty when the
   * system does not tell it.
   */
  client = "";
  /** The client has as many requests in flight as it may. */
  isBeyondLimit = false;

  constructor(
    readonly method: string,
    /** The path with its query, as they were sent: visible ASCII characters, and no fragment. */
    readonly target: string,
    readonly headers: RequestHeaders,
    /** HTTP/1.0 has no chunked coding, and its connection closes after the response. */
    readonly isHttp10 = false,
    /**
     * True when the request waited behind another one, and is handled in a later event-loop tick than the one that
     * read it. What an app found out earlier in this tick may be older than the request.
     */
    readonly isDeferred = false,
  ) {}

  /** True when the client has left before the response. */
  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Aborted when the client leaves before the response. Few requests need it. */
  get abandoned(): AbortSignal {
    this.#abandonment ??= new AbortController();
    if (this.#isAbandoned) this.#abandonment.abort();
    return this.#abandonment.signal;
  }

  abandon(): void {
    this.#isAbandoned = true;
    this.#abandonment?.abort();
  }
}

/** One line with the CRLF before it: a token, a colon, and no control character (RFC 9110 §5.5, §5.6.2). */
const FIELD_LINE = /\r\n([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)/y;

/** The header fields of a request: RFC 9112 §5. Refuses what two parsers could read differently. */
export class RequestHeaders {
  readonly #values: ReadonlyMap<string, string>;
  /** The length of the request body in bytes. Undefined when only the end of the connection bounds it. */
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

/** Why bytes on a connection are not a request that can be handled. */
const STATUS = {
  malformed: 400,
  "bad-host": 400,
  "bad-target": 400,
  timeout: 408,
  "uri-too-long": 414,
  "too-many-connections-of-client": 429,
  "headers-too-large": 431,
  "too-many-connections": 503,
  "out-of-descriptors": 503,
  "version-not-supported": 505,
} as const satisfies Record<string, Status>;

export type ProtocolErrorKind = keyof typeof STATUS;

/** An error as a value: the parser returns it, and the app renders it. */
export class ProtocolError {
  constructor(readonly kind: ProtocolErrorKind) {}

  get status(): Status {
    return STATUS[this.kind];
  }
}
