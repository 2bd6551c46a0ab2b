/** The head of a request, from the text that has come: RFC 9112, 2 and 3. */

import {
  type ApiError,
  headersTooLarge,
  malformedRequest,
  uriTooLong,
  versionNotSupported,
  wrongHost,
} from "../api/errors.ts";
import { Fields } from "./headers.ts";
import { Asked } from "./request.ts";

export class WireRequest extends Asked {
  constructor(
    method: string,
    target: string,
    override readonly headers: Fields,
    /** HTTP/1.0: no chunks, and the connection ends with the answer. */
    readonly old: boolean,
  ) {
    super(method, target, headers);
  }
}

/** The request line and all fields: 1,000 ISBNs have 14 kB, and a token may have several. */
export const MOST_HEAD = 64 * 1024;
/** 1,000 ISBNs with hyphens and encoded blanks have 30 kB. */
const MOST_TARGET = 32 * 1024;

/** Reads the heads of one connection: its requests mostly differ in their target alone. */
export class HeadReader {
  /** Where the body, or the next request, begins. */
  end = 0;
  /** Of the last GET: all that stood behind its target, and what it was read as. */
  #tail = "";
  #fields: Fields | undefined;
  /** Up to here there is no end of a head. */
  #searched = 0;

  /** From the beginning of the text. Undefined: there is no whole head yet. */
  read(text: string): WireRequest | ApiError | undefined {
    return this.#again(text) ?? this.#anew(text);
  }

  /** The shorter way: a client that asks for one record after the other sends the same fields each time. */
  #again(text: string): WireRequest | undefined {
    if (this.#fields === undefined || !text.startsWith("GET /") || !text.endsWith(this.#tail))
      return undefined;
    const target = text.slice(4, text.length - this.#tail.length);
    // Where blanks and line ends are, there is more than one request in the text.
    if (!PLAIN.test(target) || target.length > MOST_TARGET) return undefined;
    this.#searched = 0;
    this.end = text.length;
    return new WireRequest("GET", target, this.#fields, false);
  }

  #anew(text: string): WireRequest | ApiError | undefined {
    let begin = 0;
    // RFC 9112, 2.2: an empty line before a request is a leftover of an old client.
    while (text.startsWith("\r\n", begin) && begin < 4) begin += 2;
    const blank = text.indexOf("\r\n\r\n", Math.max(begin, this.#searched));
    const length = (blank < 0 ? text.length : blank) - begin;
    if (blank < 0 && length <= MOST_HEAD) {
      this.#searched = Math.max(0, text.length - 3);
      return this.#hopeless(text, begin);
    }
    this.#searched = 0;
    this.end = blank + 4;
    if (length > MOST_HEAD) {
      const line = text.indexOf("\r\n", begin);
      return line < 0 || line - begin > MOST_TARGET ? uriTooLong : headersTooLarge;
    }
    return this.#request(text, begin, blank);
  }

  /** What cannot become a request is not waited for: another protocol's greeting may be all that comes. */
  #hopeless(text: string, begin: number): ApiError | undefined {
    return text.length - begin > LONGEST_METHOD &&
      !METHOD_AND_BLANK.test(text.slice(begin, begin + LONGEST_METHOD + 1))
      ? malformedRequest
      : undefined;
  }

  #request(text: string, begin: number, blank: number): WireRequest | ApiError {
    this.#fields = undefined;
    const lineEnd = text.indexOf("\r\n", begin);
    const line = REQUEST_LINE.exec(text.slice(begin, lineEnd));
    if (!line) return malformedRequest;
    const [, method = "", sent = "", major, minor] = line;
    if (major !== "1") return versionNotSupported;
    if (sent.length > MOST_TARGET) return uriTooLong;
    const headers = Fields.parse(text.slice(lineEnd, blank));
    if (headers === "too many") return headersTooLarge;
    const target = readTarget(sent);
    if (headers === "malformed" || target === undefined) return malformedRequest;
    const old = minor === "0";
    const host = headers.get("host");
    // RFC 9112, 3.2: exactly one Host in a request of HTTP/1.1. Two were joined with a comma.
    if (host === null ? !old : !HOST.test(host)) return wrongHost;
    // A part of the text keeps all of it in memory: only of a text that has no more than this.
    if (method === "GET" && !old && headers.bodyLength === 0 && blank + 4 === text.length) {
      this.#fields = headers;
      this.#tail = text.slice(lineEnd - " HTTP/1.1".length, blank + 4);
    }
    return new WireRequest(method, target, headers, old);
  }
}

const LONGEST_METHOD = 32;
const METHOD_AND_BLANK = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ /;
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([^\0-\x20\x7f]+) HTTP\/([0-9])\.([0-9])$/;
/** RFC 3986, 3.2.2 and 3.2.3; it may be empty. */
const HOST = /^[!$&'()*+;=\w.~:%[\]-]*$/;

/** A path in which a URL parser would find nothing to decode or to resolve: no percent sign, dot or backslash. */
const PLAIN = /^\/[!-$&-\-/-[\]-~]*$/;

/**
 * RFC 9112, 3.2.2: the form for proxies, which every server understands. Its host counts, not that of the field; we
 * have but one site. RFC 9110, 4.2.1 and 4.2.4: it is not empty, and has no password before it.
 */
const SITE = /^https?:\/\/(?!:)[!$&'()*+;=\w.~:%[\]-]+(?=[/?#]|$)/i;

/** The path and the query, as a URL has them; undefined when they cannot stand in one. */
function readTarget(sent: string): string | undefined {
  if (PLAIN.test(sent)) return sent;
  const path = sent.replace(SITE, "");
  if (!path.startsWith("/") && path === sent) return undefined;
  const text = Buffer.from(path.startsWith("/") ? path : `/${path}`, "latin1").toString("utf8");
  const url = `http://x${text}`;
  return URL.canParse(url) ? new URL(url).href.slice("http://x".length) : undefined;
}
