/** What the app answers with: as much of HTTP as it needs, so that an answer costs next to nothing. */
import type { Blocks } from "../api/response/json-array.ts";

/** A body that is read block by block while it is sent, or that HEAD has no use for. */
export interface Streamed {
  /** Undefined: for HEAD. */
  readonly blocks: Blocks | undefined;
  /** The list broke off. */
  readonly failed: (error: unknown) => void;
}

export class Reply {
  constructor(
    readonly status: number,
    /** Header fields, each with its CRLF, without those of the connection: Date, Content-Length and the like. */
    readonly fields: string,
    /** Undefined: a status that has none. */
    readonly body: Uint8Array | Streamed | undefined,
    /** Nobody else has a hold of the body: its memory is given back when it has been copied on its way out. */
    readonly owned = false,
  ) {}
}

/** RFC 9110, 15: the phrases of what we answer with. */
const PHRASES: Readonly<Record<number, string>> = {
  200: "OK",
  204: "No Content",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  414: "URI Too Long",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
  505: "HTTP Version Not Supported",
};

/** The date is in the first place, so that it stands at the same offset in every answer of a status. */
export function statusAndDate(status: number, date: string): string {
  return `HTTP/1.1 ${status} ${PHRASES[status]!}\r\nDate: ${date}\r\n`;
}

/** RFC 9110, 5.6.7: a date has always as many characters as this. */
const NO_DATE = "Thu, 01 Jan 1970 00:00:00 GMT";

/** A body up to this size is kept behind its head, and goes out with it at once. */
const SHORT = 256 * 1024;

/** A reply that is sent often: all of its bytes but the date are made once. */
export class Ready {
  readonly status: 200 | 304;
  /** Of the body, in bytes; 0 for a 304. */
  readonly length: number;
  /** A body that does not stand behind its head, in pieces. It stays as it is. */
  readonly long: readonly Uint8Array[] | undefined;
  /** The head, and a short body behind it. */
  readonly #begin: Buffer;
  readonly #headLength: number;
  readonly #dateAt: number;
  #date = NO_DATE;

  /** `body`, in pieces, is undefined for a 304. */
  constructor(status: 200 | 304, fields: string, body: readonly Uint8Array[] | undefined) {
    this.status = status;
    this.length = body?.reduce((sum, piece) => sum + piece.length, 0) ?? 0;
    this.long = this.length > SHORT ? body : undefined;
    const lengthField = body === undefined ? "" : `Content-Length: ${this.length}\r\n`;
    const head = `${statusAndDate(status, NO_DATE)}${fields}${lengthField}\r\n`;
    this.#headLength = head.length;
    this.#dateAt = head.indexOf(NO_DATE);
    this.#begin = Buffer.allocUnsafeSlow(head.length + (this.long ? 0 : this.length));
    let at = this.#begin.write(head, "latin1");
    if (this.long || !body) return;
    for (const piece of body) {
      this.#begin.set(piece, at);
      at += piece.length;
    }
  }

  /** In bytes, all in all. */
  get size(): number {
    return this.#begin.length + (this.long ? this.length : 0);
  }

  /** All but a long body. To be written at once, or copied: the date in it changes. */
  begin(date: string): Uint8Array {
    this.#stamp(date);
    return this.#begin;
  }

  /** For HEAD; with the same care. */
  head(date: string): Uint8Array {
    this.#stamp(date);
    return this.#begin.subarray(0, this.#headLength);
  }

  /** What `begin` or `head` gives, with more fields. */
  beginWith(fields: string, date: string, bodiless: boolean): Uint8Array {
    this.#stamp(date);
    const end = this.#headLength - 2;
    const rest = bodiless ? this.#headLength : this.#begin.length;
    return Buffer.concat([
      this.#begin.subarray(0, end),
      Buffer.from(fields, "latin1"),
      this.#begin.subarray(end, rest),
    ]);
  }

  #stamp(date: string): void {
    if (date === this.#date) return;
    this.#begin.write(date, this.#dateAt, "latin1");
    this.#date = date;
  }
}
