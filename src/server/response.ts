/** The responses of an app. Header fields are text with CRLFs already, so that sending costs next to nothing. */
import type { Awaitable } from "../lib/awaitable.ts";
import { freeBuffer } from "../lib/free-buffer.ts";

/** The Date of responses (RFC 9110 §6.6.1), formatted once a second. */
let formattedSecond = 0;
let formatted = "";

export function httpDate(now = Date.now()): string {
  const second = Math.trunc(now / 1000);
  if (second !== formattedSecond) {
    formattedSecond = second;
    formatted = new Date(now).toUTCString();
  }
  return formatted;
}

/** A body that is produced while it is sent. */
export interface BodyStream {
  /** Returns the next chunk, or undefined at the end. A chunk is valid until the next call, or that of `release`. */
  next(): Awaitable<Uint8Array | undefined>;
  /** Gives the memory of the chunk back early: the client may take long to read it. */
  release?(): void;
  /** Called once the stream has ended, or is abandoned. */
  close(): void;
}

export interface StreamedBody {
  /** Undefined for HEAD. */
  readonly stream: BodyStream | undefined;
  /** Reports that the stream failed. The connection is cut, so that the client notices. */
  readonly onFailure: (error: unknown) => void;
}

export class Response {
  constructor(
    readonly status: Status,
    /** Header lines, each with its CRLF, without those of the server: Date, Content-Length, Transfer-Encoding, Connection. */
    readonly headers: string,
    /** Undefined for a status without a body. */
    readonly body: Uint8Array | StreamedBody | undefined,
    /** Nothing else refers to the body: its memory is freed once it is sent or copied. */
    readonly ownsBody = false,
  ) {}
}

export function isStreamed(body: Response["body"]): body is StreamedBody {
  return body !== undefined && !(body instanceof Uint8Array);
}

/** RFC 9110 §15. */
export const REASON_PHRASES = {
  200: "OK",
  204: "No Content",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  410: "Gone",
  414: "URI Too Long",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
  505: "HTTP Version Not Supported",
} as const;

export type Status = keyof typeof REASON_PHRASES;

/** Returns the status line and the Date field. The date comes first, so that its offset only depends on the status. */
export function statusAndDate(status: Status, date: string): string {
  return `HTTP/1.1 ${status} ${REASON_PHRASES[status]}\r\nDate: ${date}\r\n`;
}

/** RFC 9110 §5.6.7: every date has the length of this one. */
const PLACEHOLDER_DATE = "Thu, 01 Jan 1970 00:00:00 GMT";

/** A body up to this size follows its head directly, and both are one write. What a client does not read of it is copied. */
const MAX_INLINE_BODY_BYTES = 16 * 1024;

/** A response that is sent many times: all of its bytes but the date are made once. */
export class SerializedResponse {
  readonly status: 200 | 304;
  /** The length of the body; 0 for a 304. */
  readonly bodyBytes: number;
  /** A body that is too long to follow its head in one buffer, in chunks. */
  readonly longBody: readonly Uint8Array[] | undefined;
  /** The head, with a short body after it. */
  readonly #bytes: Buffer;
  readonly #headBytes: number;
  readonly #dateOffset: number;
  #date = PLACEHOLDER_DATE;

  /** `body` is a list of chunks, and undefined for a 304. */
  constructor(status: 200 | 304, headers: string, body: readonly Uint8Array[] | undefined) {
    this.status = status;
    this.bodyBytes = body?.reduce((sum, chunk) => sum + chunk.length, 0) ?? 0;
    this.longBody = this.bodyBytes > MAX_INLINE_BODY_BYTES ? body : undefined;
    const contentLength = body === undefined ? "" : `Content-Length: ${this.bodyBytes}\r\n`;
    const head = `${statusAndDate(status, PLACEHOLDER_DATE)}${headers}${contentLength}\r\n`;
    this.#headBytes = head.length;
    this.#dateOffset = head.indexOf(PLACEHOLDER_DATE);
    this.#bytes = Buffer.allocUnsafeSlow(head.length + (this.longBody ? 0 : this.bodyBytes));
    let offset = this.#bytes.write(head, "latin1");
    if (this.longBody || !body) return;
    for (const chunk of body) {
      this.#bytes.set(chunk, offset);
      offset += chunk.length;
    }
  }

  /** The memory that the response takes. */
  get sizeBytes(): number {
    return this.#bytes.length + (this.longBody ? this.bodyBytes : 0);
  }

  /** Returns all but a long body. The bytes are written at once or copied: the next call changes their date. */
  start(date: string): Uint8Array {
    this.#setDate(date);
    return this.#bytes;
  }

  /** Returns the head alone, for HEAD, with the same care. */
  head(date: string): Uint8Array {
    this.#setDate(date);
    return this.#bytes.subarray(0, this.#headBytes);
  }

  /** Returns a copy of `start` or `head` with more header lines. */
  startWith(extraHeaders: string, date: string, omitBody: boolean): Uint8Array {
    this.#setDate(date);
    const fieldsEnd = this.#headBytes - 2;
    const end = omitBody ? this.#headBytes : this.#bytes.length;
    return Buffer.concat([
      this.#bytes.subarray(0, fieldsEnd),
      Buffer.from(extraHeaders, "latin1"),
      this.#bytes.subarray(fieldsEnd, end),
    ]);
  }

  /** Frees the memory of all but a long body. The response must not be written again. */
  free(): void {
    freeBuffer(this.#bytes);
  }

  #setDate(date: string): void {
    if (this.#bytes.length === 0) throw new Error("A response is written after its memory was freed");
    if (date === this.#date) return;
    this.#bytes.write(date, this.#dateOffset, "latin1");
    this.#date = date;
  }
}
