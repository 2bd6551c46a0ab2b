/** One client: parses its requests, has them handled in order, and knows when to close. */
import type { Awaitable } from "../lib/awaitable.ts";
import type { App, Handled, ResponseLease } from "./app.ts";
import { ClientAddresses, unmapped } from "./client-addresses.ts";
import { MAX_PIPELINED_BYTES, MAX_SKIPPED_BODY_BYTES, STOP_TIMEOUTS, type Timeouts } from "./limits.ts";
import { type ByteSink, ResponseWriter, type Written } from "./output/response-writer.ts";
import { ProtocolError, type Request } from "./request.ts";
import { RequestParser } from "./request-parser.ts";
import { isStreamed, Response, type SerializedResponse } from "./response.ts";

/** The part of a socket that a connection uses. */
export interface ConnectionSocket extends ByteSink {
  /** Undefined when the system does not tell it. */
  readonly remoteAddress?: string | undefined;
  end(): void;
  /** Closes the sending half; what the client still sends is discarded. */
  shutdown(): void;
  pause(): void;
  resume(): void;
}

/** How a response was sent. */
export interface Sent extends Omit<Written, "firstByteAtMs"> {
  /** False when the response was cut off, by the server or by the client. */
  readonly complete: boolean;
  /** From the head of the request to the last byte that the system took. */
  readonly seconds: number;
  /** From the head of the request to the first byte that the system took. Undefined when it took none. */
  readonly firstByteSeconds: number | undefined;
}

export interface ConnectionEvents<Info> {
  /** Undefined when nobody listens. `info` is undefined when the app threw. */
  readonly onSent: ((request: Request, info: Info | undefined, sent: Sent) => void) | undefined;
  /** `id` is the one in the response. Undefined when the connection was cut without one. */
  readonly onRefused: ((error: ProtocolError, peer: string, id: string | undefined) => void) | undefined;
  /** The app threw. */
  readonly onError: (error: unknown) => void;
}

const CONNECTION_CLOSE = "Connection: close\r\n";

export class Connection<Info> {
  readonly #socket: ConnectionSocket;
  readonly #app: App<Info>;
  readonly #events: ConnectionEvents<Info>;
  readonly #addresses: ClientAddresses;
  readonly #parser = new RequestParser();
  readonly #writer: ResponseWriter;
  /** Bytes that are not parsed yet, one character each. */
  #unparsed = "";
  /** Bytes of a request body that are still to be skipped. */
  #bodyToSkip = 0;
  #paused = false;
  /** The request in flight, until its response is sent and reported. */
  #request: Request | undefined;
  #info: Info | undefined;
  #lease: ResponseLease | undefined;
  /** A response is being made or written. */
  #busy = false;
  #startedMs = 0;
  #peer: string | undefined;
  /** The other end is a trusted proxy, so each request may come from another client. Undefined until it is known. */
  #isProxied: boolean | undefined;
  /** The client that the request in flight is counted for. */
  #countedClient: string | undefined;
  /** The connection closes after the next response. */
  #closing = false;
  #stopping = false;
  /** The response in flight says `Connection: close`. Without it, the client may have sent its next request already. */
  #saysClose = false;
  /** The client has closed its sending half. */
  #clientEnded = false;
  /** The client is sending bytes that are never read. */
  #hasUnread = false;
  /** Nothing more is read or written. */
  #over = false;
  /** Sweeps without a request or a response. */
  #idleSweeps = 0;
  /** Sweeps since the first byte of an incomplete request. */
  #requestSweeps = 0;

  constructor(
    socket: ConnectionSocket,
    app: App<Info>,
    events: ConnectionEvents<Info>,
    addresses = new ClientAddresses({ maxPerAddress: Number.POSITIVE_INFINITY }),
  ) {
    this.#socket = socket;
    this.#app = app;
    this.#events = events;
    this.#addresses = addresses;
    this.#writer = new ResponseWriter(socket, (written) => this.#written(written));
  }

  receive(bytes: Buffer): void {
    if (this.#over) return;
    this.#idleSweeps = 0;
    const text = bytes.toString("latin1");
    this.#unparsed = this.#unparsed === "" ? text : this.#unparsed + text;
    if (!this.#busy) this.#next(false);
    else if (this.#unparsed.length > MAX_PIPELINED_BYTES) this.#pause();
  }

  /** The client has closed its sending half; it may still read responses. */
  end(): void {
    this.#clientEnded = true;
    if (!this.#busy) this.#nextLater();
  }

  /** The socket has room again. */
  drain(): void {
    this.#writer.drain();
  }

  /** The socket is closed, by either side. */
  closed(): void {
    this.#over = true;
    this.#unparsed = "";
    const written = this.#writer.stop();
    this.#request?.abandon();
    this.#releaseLease();
    if (written) this.#report(written, false);
  }

  /** The server stops: lets the response in flight, or the next one, be the last, and waits only for a short time. */
  stop(): void {
    this.#closing = true;
    this.#stopping = true;
    this.#requestSweeps = 0;
    if (this.#isIdle && this.#idleSweeps > STOP_TIMEOUTS.idleSeconds) this.#close();
  }

  /** Responds to whatever arrives, and reads nothing any more. */
  refuse(error: ProtocolError): void {
    const { response, id } = this.#app.refuse(error, this.#unparsed);
    this.#events.onRefused?.(error, this.peer, id);
    // RFC 9110 §9.3.2: no body for HEAD, however malformed the request.
    const omitBody = /^(?:\r\n)*HEAD /.test(this.#unparsed);
    this.#unparsed = "";
    this.#hasUnread = true;
    this.#closing = true;
    this.#busy = true;
    this.#write(response, omitBody, false, "");
  }

  /** Closes the connection at once: a response would need a descriptor for longer. */
  cut(error: ProtocolError): void {
    this.#events.onRefused?.(error, this.peer, undefined);
    this.#over = true;
    this.#socket.terminate();
  }

  /** Checks the timeouts, once a second. */
  sweep(timeouts: Timeouts): void {
    this.#idleSweeps++;
    const hasPartOfRequest = !this.#busy && !this.#isIdle;
    this.#requestSweeps = hasPartOfRequest ? this.#requestSweeps + 1 : 0;
    const { lingerSeconds, requestSeconds, idleSeconds } = this.#stopping ? STOP_TIMEOUTS : timeouts;
    if (this.#over) {
      if (this.#idleSweeps > lingerSeconds) this.#socket.terminate();
    } else if (this.#busy) {
      const isWaiting = this.#writer.sweep();
      const isRecalled = isWaiting && this.#lease?.isRecalled(this.#writer);
      if (isRecalled || this.#writer.stalledSeconds > timeouts.stalledSeconds) this.#socket.terminate();
    } else if (this.#requestSweeps > requestSeconds) {
      if (this.#bodyToSkip > 0) this.#close();
      else this.refuse(new ProtocolError("timeout"));
    } else if (this.#isIdle && this.#idleSweeps > idleSeconds) {
      this.#close();
    }
  }

  /** True until the response is sent, or cut off. */
  get hasRequest(): boolean {
    return this.#request !== undefined;
  }

  /** The address of the other end. It is read once, which costs as much as parsing a repeated head. */
  get peer(): string {
    this.#peer ??= unmapped(this.#socket.remoteAddress ?? "");
    return this.#peer;
  }

  get isProxied(): boolean {
    this.#isProxied ??= this.#addresses.isTrustedProxy(this.peer);
    return this.#isProxied;
  }

  /** Closes the connection when it has been idle for a second, or has its last response. Returns whether it does. */
  closeIdle(): boolean {
    if (this.#over) this.#socket.terminate();
    else if (this.#isIdle && this.#idleSweeps > 0) this.#close();
    return this.#over;
  }

  /** No request is in flight, and nothing of the next one has arrived. */
  get #isIdle(): boolean {
    return !this.#busy && this.#unparsed === "" && this.#bodyToSkip === 0;
  }

  /** Finds out the client behind a trusted proxy, and counts its request. */
  #identifyClient(request: Request): void {
    request.client = this.#addresses.forwardedClient(this.peer, request.headers.get("x-forwarded-for"));
    if (this.#addresses.enter(request.client)) this.#countedClient = request.client;
    else request.isBeyondLimit = true;
  }

  /**
   * Handles the next request, once its head is complete. Of several requests that arrive together, only the first is
   * handled in the tick that read it. The others are deferred: see `Request.isDeferred`.
   */
  #next(isDeferred: boolean): void {
    if (this.#busy || this.#over) return;
    if (this.#bodyToSkip > 0) {
      const skipped = Math.min(this.#bodyToSkip, this.#unparsed.length);
      this.#bodyToSkip -= skipped;
      this.#unparsed = this.#unparsed.slice(skipped);
      if (this.#unparsed !== "") {
        this.#nextLater();
        return;
      }
    }
    const request = this.#parser.parse(this.#unparsed, isDeferred);
    if (request === undefined) {
      if (this.#clientEnded) this.#close();
      else this.#resume();
      return;
    }
    if (request instanceof ProtocolError) {
      this.refuse(request);
      return;
    }
    const { end } = this.#parser;
    this.#unparsed = end === this.#unparsed.length ? "" : this.#unparsed.slice(end);
    this.#handle(request);
  }

  #nextLater(): void {
    setImmediate(() => this.#next(true));
  }

  #handle(request: Request): void {
    const { bodyBytes: bodyLength, closesConnection } = request.headers;
    const skipsBody = bodyLength !== undefined && bodyLength <= MAX_SKIPPED_BODY_BYTES;
    this.#bodyToSkip = skipsBody ? bodyLength : 0;
    this.#hasUnread = !skipsBody;
    if (closesConnection || request.isHttp10 || !skipsBody) this.#closing = true;
    if (this.isProxied) this.#identifyClient(request);
    else request.client = this.peer;
    this.#request = request;
    this.#busy = true;
    this.#startedMs = performance.now();
    let handled: Awaitable<Handled<Info>>;
    try {
      handled = this.#app.handle(request);
    } catch (error) {
      this.#fail(request, error);
      return;
    }
    if (!(handled instanceof Promise)) {
      this.#respond(request, handled);
      return;
    }
    handled.then(
      (late) => {
        if (!this.#over) this.#respond(request, late);
        else {
          const { response, lease } = late;
          if (response instanceof Response && isStreamed(response.body)) response.body.stream?.close();
          lease?.release();
        }
      },
      (error) => this.#fail(request, error),
    );
  }

  #respond({ method, isHttp10 }: Request, { response, extraHeaders, info, lease }: Handled<Info>): void {
    this.#info = info;
    this.#lease = lease;
    this.#write(response, method === "HEAD", isHttp10, extraHeaders);
  }

  #fail({ method, isHttp10 }: Request, error: unknown): void {
    this.#events.onError(error);
    if (!this.#over) this.#write(this.#app.fail(), method === "HEAD", isHttp10, "");
  }

  #write(
    response: Response | SerializedResponse,
    omitBody: boolean,
    isHttp10: boolean,
    extraHeaders: string,
  ): void {
    this.#saysClose = this.#closing;
    const headers = this.#closing ? extraHeaders + CONNECTION_CLOSE : extraHeaders;
    const client = this.#lease?.client ?? "";
    this.#writer.write(response, { omitBody, isHttp10, extraHeaders: headers, client });
  }

  #written(written: Written): void {
    this.#releaseLease();
    this.#report(written, true);
    this.#busy = false;
    this.#idleSweeps = 0;
    if (this.#saysClose || (this.#clientEnded && this.#unparsed === "")) this.#close();
    else if (this.#unparsed !== "") this.#nextLater();
    else this.#resume();
  }

  /** Gives back what the request in flight holds. */
  #releaseLease(): void {
    const lease = this.#lease;
    this.#lease = undefined;
    lease?.release();
    if (this.#countedClient !== undefined) this.#addresses.leave(this.#countedClient);
    this.#countedClient = undefined;
  }

  #report({ status, bodyBytes, firstByteAtMs }: Written, complete: boolean): void {
    const request = this.#request;
    const info = this.#info;
    this.#request = undefined;
    this.#info = undefined;
    if (request === undefined || this.#events.onSent === undefined) return;
    const endedAtMs = performance.now();
    const seconds = (endedAtMs - this.#startedMs) / 1000;
    const startOfResponseMs = firstByteAtMs ?? (complete ? endedAtMs : undefined);
    const firstByteSeconds = startOfResponseMs && (startOfResponseMs - this.#startedMs) / 1000;
    this.#events.onSent(request, info, { status, bodyBytes, complete, seconds, firstByteSeconds });
  }

  #close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#idleSweeps = 0;
    // RFC 9112 §9.6: closing on a client that is still sending could destroy the response before it is read.
    const isSending = !this.#clientEnded && (this.#hasUnread || this.#unparsed !== "");
    this.#unparsed = "";
    this.#resume();
    if (isSending) this.#socket.shutdown();
    else this.#socket.end();
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#socket.pause();
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#socket.resume();
  }
}
