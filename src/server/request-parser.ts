/** Parses the head of a request from text with one character a byte: RFC 9112 §2 and §3. */
import {
  MAX_HEAD_BYTES,
  MAX_HOST_CHARS,
  MAX_METHOD_CHARS,
  MAX_REMEMBERED_HEAD_BYTES,
  MAX_TARGET_BYTES,
} from "./limits.ts";
import { ProtocolError, type ProtocolErrorKind, Request, RequestHeaders } from "./request.ts";

/** The text after the target of a GET, and the headers that it was parsed to. */
interface ParsedTail {
  readonly text: string;
  readonly headers: RequestHeaders;
}

/** The tail that was parsed last, on any connection: hundreds of connections of one client send the same. */
let latestTail: ParsedTail | undefined;

/** The parser of one connection, whose requests mostly differ in their target alone. */
export class RequestParser {
  /** Where the request head ended: its body, or the next request, begins here. */
  end = 0;
  /** The tail of the last GET on this connection. */
  #lastTail: ParsedTail | undefined;
  /** No head ends before this offset. */
  #searched = 0;

  /** Parses the request at the beginning of the text. Returns undefined until the whole head has arrived. */
  parse(text: string, isDeferred = false): Request | ProtocolError | undefined {
    return this.#parseRepeated(text, isDeferred) ?? this.#parseHead(text, isDeferred);
  }

  /**
   * Handles a GET whose header fields are, byte for byte, those of the GET before: only the target is read. For the first
   * request of a connection, that is the GET before on any connection.
   */
  #parseRepeated(text: string, isDeferred: boolean): Request | undefined {
    const tail = this.#lastTail ?? latestTail;
    if (tail === undefined || !text.startsWith("GET /") || !text.endsWith(tail.text)) return undefined;
    const target = text.slice(4, text.length - tail.text.length);
    // A space or a line end means that the text holds more than one request. With the longest target and the longest
    // remembered head, the whole is still shorter than MAX_HEAD_BYTES.
    if (target.length > MAX_TARGET_BYTES || !TARGET.test(target)) return undefined;
    this.#searched = 0;
    this.end = text.length;
    this.#lastTail = tail;
    return new Request("GET", target, tail.headers, false, isDeferred);
  }

  #parseHead(text: string, isDeferred: boolean): Request | ProtocolError | undefined {
    let start = 0;
    // RFC 9112 §2.2: ignore empty lines before the request line.
    while (text.startsWith("\r\n", start) && start < 4) start += 2;
    if (isOtherProtocol(text, start)) return new ProtocolError("malformed");
    const headEnd = text.indexOf("\r\n\r\n", Math.max(start, this.#searched));
    const length = (headEnd < 0 ? text.length : headEnd) - start;
    // The last 3 bytes may be the beginning of the empty line at the end.
    if (headEnd < 0 && length <= MAX_HEAD_BYTES + 3) {
      this.#searched = Math.max(0, text.length - 3);
      return undefined;
    }
    this.#searched = 0;
    this.end = headEnd + 4;
    if (length > MAX_HEAD_BYTES) {
      const lineEnd = text.indexOf("\r\n", start);
      const isTarget = lineEnd < 0 || lineEnd - start > MAX_TARGET_BYTES;
      return new ProtocolError(isTarget ? "uri-too-long" : "headers-too-large");
    }
    const request = this.#parseLines(text, start, headEnd, isDeferred);
    return typeof request === "string" ? new ProtocolError(request) : request;
  }

  #parseLines(
    text: string,
    start: number,
    headEnd: number,
    isDeferred: boolean,
  ): Request | ProtocolErrorKind {
    this.#lastTail = undefined;
    const lineEnd = text.indexOf("\r\n", start);
    const line = REQUEST_LINE.exec(text.slice(start, lineEnd));
    if (!line) return "malformed";
    const [, method = "", sentTarget = "", major, minor] = line;
    if (major !== "1") return "version-not-supported";
    if (sentTarget.length > MAX_TARGET_BYTES) return "uri-too-long";
    const target = originForm(sentTarget);
    if (target === undefined) return "bad-target";
    const headers = RequestHeaders.parse(text.slice(lineEnd, headEnd));
    if (headers === "too large") return "headers-too-large";
    if (headers === "malformed") return "malformed";
    const isHttp10 = minor === "0";
    const host = headers.get("host");
    // RFC 9112 §3.2: exactly one Host in HTTP/1.1. Two of them were joined with a comma, which is no host.
    if (host === null ? !isHttp10 : !isHost(host)) return "bad-host";
    // A substring keeps the whole text alive: it must be this one request, and short.
    const isAlone = headEnd + 4 === text.length && text.length <= MAX_REMEMBERED_HEAD_BYTES;
    if (isAlone && method === "GET" && !isHttp10 && headers.bodyBytes === 0) {
      latestTail = { text: text.slice(lineEnd - " HTTP/1.1".length, headEnd + 4), headers };
      this.#lastTail = latestTail;
    }
    return new Request(method, target, headers, isHttp10, isDeferred);
  }
}

const METHOD_AND_SPACE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ /;
/** A method of more than MAX_METHOD_CHARS is refused before the line is complete, and so also when it is. */
const REQUEST_LINE = new RegExp(
  `^([!#$%&'*+.^_\`|~0-9A-Za-z-]{1,${MAX_METHOD_CHARS}}) ([!-~\\x80-\\xff]+) HTTP/([0-9])\\.([0-9])$`,
);
/** RFC 3986 §3.2.2 and §3.2.3; it may be empty. Another value is 400 (RFC 9112 §3.2). */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[!$&'()*+;=\w.~%-]*)(?::[0-9]*)?$/;

/**
 * The origin form (RFC 9112 §3.2.1), of visible ASCII characters. A fragment is never sent (RFC 9110 §7.1). URL parsers
 * turn a backslash in a path into a slash, and other programs do not.
 */
const TARGET = /^\/[!"$->@-[\]-~]*(?:\?[!"$-~]*)?$/;

/** The absolute form (RFC 9112 §3.2.2). The authority is not empty and has no user info (RFC 9110 §4.2.1, §4.2.4). */
const SCHEME_AND_AUTHORITY =
  /^https?:\/\/(?:\[[0-9A-Fa-f:.]+\]|[!$&'()*+,;=\w.~%-]+)(?::[0-9]{0,5})?(?=[/?]|$)/i;

/** The greeting of another protocol, such as TLS, never becomes a request: there is no need to wait for its end. */
function isOtherProtocol(text: string, start: number): boolean {
  return (
    text.length - start > MAX_METHOD_CHARS &&
    !METHOD_AND_SPACE.test(text.slice(start, start + MAX_METHOD_CHARS + 1))
  );
}

function isHost(host: string): boolean {
  return host.length <= MAX_HOST_CHARS && HOST.test(host);
}

/**
 * Returns path and query as they were sent, or undefined when two programs could disagree on them. Nothing is
 * decoded, resolved or replaced. A proxy in front has judged these bytes, and must not have judged another path.
 */
function originForm(sent: string): string | undefined {
  if (TARGET.test(sent)) return sent;
  const authority = SCHEME_AND_AUTHORITY.exec(sent);
  if (!authority) return undefined;
  const rest = sent.slice(authority[0].length);
  const target = rest.startsWith("/") ? rest : `/${rest}`;
  return TARGET.test(target) ? target : undefined;
}
