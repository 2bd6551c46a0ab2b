/** One client: reads its requests, and writes the answers in their order, at its pace. */
import type { Maybe } from "../../catalog/port.ts";
import { ApiError, requestTimeout } from "../errors.ts";
import { Ready, Reply, type Streamed, statusAndDate } from "../reply.ts";
import { BlockBody, type Body, WholeBody } from "./body.ts";
import { httpDate } from "./date.ts";
import { HeadReader, MOST_HEAD, type WireRequest } from "./head.ts";
import { Outbox, type Sender } from "./outbox.ts";

/** What a connection needs of a socket. `write` gives the number of bytes that were taken, or less than 0. */
export interface Wire {
  write(bytes: Uint8Array): number;
  end(): void;
  /** No more is written; what the client still sends is let go by. */
  shutdown(): void;
  terminate(): void;
  pause(): void;
  resume(): void;
}

/** How an answer went out. */
export interface Sent {
  readonly status: number;
  /** Of the body. */
  readonly bytes: number;
  /** False: it was broken off, by us or by the client. */
  readonly whole: boolean;
  /** From the request's head to the last byte that the system took. */
  readonly seconds: number;
}

export interface Service {
  readonly answer: (request: WireRequest) => Maybe<Reply | Ready>;
  /** For what is no request. */
  readonly refuse: (error: ApiError) => Reply;
  /** For what even the app could not answer. */
  readonly failed: (error: unknown) => Reply;
  /** Undefined: nobody wants to know. */
  readonly sent: ((request: WireRequest, sent: Sent) => void) | undefined;
}

/** In rounds, of which there is one a second. */
export interface Patience {
  /** For all of a request, from its first byte. */
  readonly head: number;
  /** For the next request. */
  readonly idle: number;
  /** For a client that takes nothing of its answer. */
  readonly stalled: number;
}

/** No endpoint reads a body: one of this size is skipped, a larger one costs the connection. */
const MOST_BODY = 16 * 1024;

/** Requests that wait for an answer that is under way, in bytes. */
const MOST_WAITING = 2 * MOST_HEAD;

/** How long what a client still sends is let go by, in rounds, before it is cut off. */
const LINGER = 3;

/** A body up to this size goes out with its head. */
const SHORT = 64 * 1024;

const outbox = new Outbox();

export class Connection implements Sender {
  readonly #wire: Wire;
  readonly #service: Service;
  readonly #heads = new HeadReader();
  /** What has come and is not answered, a character for each byte. */
  #text = "";
  /** Bytes of a body that are still to come. */
  #skip = 0;
  #paused = false;
  /** The request that is being answered. */
  #request: WireRequest | undefined;
  /** An answer is being made or sent. */
  #busy = false;
  #began = 0;
  #status = 0;
  /** Bytes of the body that have gone out. */
  #bytes = 0;
  /** The connection is to end with the next answer. */
  #last = false;
  /** The answer that is going out says that it is the last: else the client may have sent its next request already. */
  #saysLast = false;
  /** The client has said that it sends no more. */
  #heardAll = false;
  /** There is more to come of this client that nobody will read. */
  #unread = false;
  /** What the socket has not taken yet of a piece that it was given. */
  #left: Uint8Array | undefined;
  #body: Body | undefined;
  /** Nothing more is read or written. */
  #over = false;
  /** Rounds since anything moved, and since the first byte of a request came of which the last has not. */
  #still = 0;
  #coming = 0;

  constructor(wire: Wire, service: Service) {
    this.#wire = wire;
    this.#service = service;
  }

  received(bytes: Buffer): void {
    if (this.#over) return;
    this.#still = 0;
    const text = bytes.toString("latin1");
    this.#text = this.#text === "" ? text : this.#text + text;
    if (!this.#busy) this.#goOn();
    else if (this.#text.length > MOST_WAITING) this.#pause();
  }

  /** The client sends no more; it may still read the answers to what it has sent. */
  ended(): void {
    this.#heardAll = true;
    if (!this.#busy && this.#text === "") this.#end();
  }

  /** The socket has room again. */
  drained(): void {
    const left = this.#left;
    if (left === undefined) return;
    this.#still = 0;
    this.#left = undefined;
    if (this.#put(left, true)) this.#written();
  }

  /** The socket is gone, whoever closed it. */
  closed(): void {
    this.#over = true;
    this.#text = "";
    this.#left = undefined;
    this.#body?.close();
    this.#body = undefined;
    if (this.#busy && this.#status !== 0) this.#tell(false);
  }

  /** The server stops: the answer that is under way, or the next one, is the last. */
  leave(): void {
    this.#last = true;
  }

  /** The answer to whatever comes: nothing is read any more. */
  refuse(reply: Reply): void {
    this.#text = "";
    this.#busy = true;
    this.#last = true;
    this.#unread = true;
    this.#sendReply(reply, false, false, "");
  }

  /** Called once in a round. */
  round(patience: Patience): void {
    this.#still++;
    const idle = this.#text === "" && this.#skip === 0;
    this.#coming = this.#busy || idle ? 0 : this.#coming + 1;
    if (this.#over) {
      if (this.#still > LINGER) this.#wire.terminate();
    } else if (this.#busy) {
      // Without a byte to send, it is the store that is waited for.
      if (this.#left !== undefined && this.#still > patience.stalled) this.#wire.terminate();
    } else if (this.#coming > patience.head) {
      if (this.#skip > 0) this.#end();
      else this.#refuse(requestTimeout);
    } else if (idle && this.#still > (this.#last ? 0 : patience.idle)) {
      this.#end();
    }
  }

  /**
   * Answers the next request, when all of it has come. Only the first of several that come together is answered in
   * the turn of the loop in which they were read, as of the others it is not sure that they began before that turn:
   * see `turn.ts`.
   */
  #goOn(): void {
    if (this.#busy || this.#over) return;
    if (this.#skip > 0) {
      const skipped = Math.min(this.#skip, this.#text.length);
      this.#skip -= skipped;
      this.#text = this.#text.slice(skipped);
      if (this.#text !== "") this.#goOnLater();
      return;
    }
    const request = this.#heads.read(this.#text);
    if (request === undefined) {
      if (this.#heardAll) this.#end();
      else this.#resume();
      return;
    }
    if (request instanceof ApiError) {
      this.#refuse(request);
      return;
    }
    this.#text = this.#heads.end === this.#text.length ? "" : this.#text.slice(this.#heads.end);
    this.#answer(request);
  }

  #goOnLater(): void {
    setImmediate(() => this.#goOn());
  }

  #answer(request: WireRequest): void {
    const { bodyLength, last } = request.headers;
    const skips = bodyLength !== undefined && bodyLength <= MOST_BODY;
    this.#skip = skips ? bodyLength : 0;
    this.#unread = !skips;
    if (last || request.old || !skips) this.#last = true;
    this.#request = request;
    this.#busy = true;
    this.#status = 0;
    this.#began = performance.now();
    let reply: Maybe<Reply | Ready>;
    try {
      reply = this.#service.answer(request);
    } catch (error) {
      reply = this.#service.failed(error);
    }
    if (!(reply instanceof Promise)) {
      this.#send(reply, request);
      return;
    }
    reply
      .catch((error) => this.#service.failed(error))
      .then((late) => {
        if (!this.#over) this.#send(late, request);
        else if (late instanceof Reply && isStreamed(late.body)) late.body.blocks?.close();
      });
  }

  #refuse(error: ApiError): void {
    this.refuse(this.#service.refuse(error));
  }

  #send(reply: Reply | Ready, request: WireRequest): void {
    const { method, old, more } = request;
    const bodiless = method === "HEAD";
    if (reply instanceof Ready) this.#sendReady(reply, bodiless, more);
    else this.#sendReply(reply, bodiless, old, more);
  }

  #sendReady(ready: Ready, bodiless: boolean, fields: string): void {
    const date = httpDate();
    this.#status = ready.status;
    this.#bytes = bodiless || ready.long ? 0 : ready.length;
    if (ready.long && !bodiless) this.#body = new WholeBody(ready.long);
    this.#saysLast = this.#last;
    const more = this.#last ? `${fields}${CLOSE}` : fields;
    if (more !== "") outbox.put(this, ready.beginWith(more, date, bodiless));
    else outbox.put(this, bodiless ? ready.head(date) : ready.begin(date));
  }

  #sendReply({ status, fields, body }: Reply, bodiless: boolean, old: boolean, more: string): void {
    this.#status = status;
    this.#bytes = 0;
    this.#saysLast = this.#last;
    const begin = `${statusAndDate(status, httpDate())}${fields}${more}${this.#last ? CLOSE : ""}`;
    if (body === undefined) outbox.put(this, outbox.together(`${begin}\r\n`, undefined));
    else if (isStreamed(body)) this.#stream(begin, body, bodiless, old);
    else this.#whole(`${begin}Content-Length: ${body.length}\r\n\r\n`, bodiless ? undefined : body);
  }

  #whole(head: string, body: Uint8Array | undefined): void {
    const short = body !== undefined && body.length <= SHORT;
    if (short) this.#bytes = body.length;
    else if (body) this.#body = new WholeBody([body]);
    outbox.put(this, outbox.together(head, short ? body : undefined));
  }

  #stream(begin: string, { blocks, failed }: Streamed, bodiless: boolean, old: boolean): void {
    if (bodiless) blocks?.close();
    else if (blocks) this.#body = new BlockBody(blocks, !old, failed);
    const head = old ? `${begin}\r\n` : `${begin}Transfer-Encoding: chunked\r\n\r\n`;
    outbox.put(this, outbox.together(head, undefined));
  }

  /** From the outbox. */
  send(bytes: Uint8Array): void {
    if (!this.#over) this.#write(bytes, false);
  }

  #write(bytes: Uint8Array, steady: boolean): void {
    if (this.#put(bytes, steady)) this.#written();
  }

  /** False: the socket is full, and `drained` goes on. Bytes that are not steady are another's in the next turn. */
  #put(bytes: Uint8Array, steady: boolean): boolean {
    const taken = this.#wire.write(bytes);
    if (taken >= bytes.length) return true;
    if (taken < 0) this.#wire.terminate();
    else this.#left = steady ? bytes.subarray(taken) : bytes.slice(taken);
    return false;
  }

  /** All that there was has gone out: now the next piece of the body, or the next request. */
  #written(): void {
    if (this.#body) {
      this.#pump(this.#body);
      return;
    }
    this.#tell(true);
    this.#busy = false;
    if (this.#saysLast || (this.#heardAll && this.#text === "")) this.#end();
    else if (this.#text !== "") this.#goOnLater();
    else this.#resume();
  }

  #pump(body: Body): void {
    body.next(
      (piece) => {
        if (this.#body !== body) return;
        this.#still = 0;
        if (piece === undefined) {
          this.#body = undefined;
          this.#written();
        } else {
          this.#bytes += piece.length;
          this.#write(piece, true);
        }
      },
      () => {
        if (this.#body !== body) return;
        this.#body = undefined;
        // The client sees that it is not all: a body that ends well is a complete one.
        this.#wire.terminate();
      },
    );
  }

  #tell(whole: boolean): void {
    const request = this.#request;
    this.#request = undefined;
    if (request === undefined || this.#service.sent === undefined) return;
    const seconds = (performance.now() - this.#began) / 1000;
    this.#service.sent(request, { status: this.#status, bytes: this.#bytes, whole, seconds });
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#still = 0;
    // RFC 9112, 9.6: a close on a client that is still sending could take the answer from it.
    const unread = this.#unread || this.#text !== "";
    this.#text = "";
    this.#resume();
    if (unread) this.#wire.shutdown();
    else this.#wire.end();
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#wire.pause();
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#wire.resume();
  }
}

const CLOSE = "Connection: close\r\n";

function isStreamed(body: Reply["body"]): body is Streamed {
  return body !== undefined && !(body instanceof Uint8Array);
}
