/** One client: reads its requests, has them answered in their order, and knows when to leave it. */

import { ApiError, requestTimeout } from "../api/errors.ts";
import type { Awaitable } from "../lib/awaitable.ts";
import { HeadReader, MOST_HEAD, type WireRequest } from "./request-parser.ts";
import { type Ready, Reply } from "./response.ts";
import { isStreamed, type Outcome, Sending, type Sink } from "./response-writer.ts";

/** What a connection needs of a socket. */
export interface Wire extends Sink {
  end(): void;
  /** No more is written; what the client still sends is let go by. */
  shutdown(): void;
  pause(): void;
  resume(): void;
}

/** How an answer went out. */
export interface Sent extends Outcome {
  /** False: it was broken off, by us or by the client. */
  readonly whole: boolean;
  /** From the request's head to the last byte that the system took. */
  readonly seconds: number;
}

export interface Service {
  readonly answer: (request: WireRequest) => Awaitable<Reply | Ready>;
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

const CLOSE = "Connection: close\r\n";

export class Connection {
  readonly #wire: Wire;
  readonly #service: Service;
  readonly #heads = new HeadReader();
  readonly #sending: Sending;
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
  /** The connection is to end with the next answer. */
  #last = false;
  /** The answer that is going out says that it is the last: else the client may have sent its next request already. */
  #saysLast = false;
  /** The client has said that it sends no more. */
  #heardAll = false;
  /** There is more to come of this client that nobody will read. */
  #unread = false;
  /** Nothing more is read or written. */
  #over = false;
  /** Rounds in which nothing was asked or answered. */
  #still = 0;
  /** Rounds since the first byte of a request of which the last has not come. */
  #coming = 0;

  constructor(wire: Wire, service: Service) {
    this.#wire = wire;
    this.#service = service;
    this.#sending = new Sending(wire, (outcome) => this.#answered(outcome));
  }

  received(bytes: Buffer): void {
    if (this.#over) return;
    this.#still = 0;
    const text = bytes.toString("latin1");
    this.#text = this.#text === "" ? text : this.#text + text;
    if (!this.#busy) this.#goOn(false);
    else if (this.#text.length > MOST_WAITING) this.#pause();
  }

  /** The client sends no more; it may still read the answers to what it has sent. */
  ended(): void {
    this.#heardAll = true;
    if (!this.#busy) this.#goOnLater();
  }

  /** The socket has room again. */
  drained(): void {
    this.#sending.drained();
  }

  /** The socket is gone, whoever closed it. */
  closed(): void {
    this.#over = true;
    this.#text = "";
    const outcome = this.#sending.stop();
    if (outcome) this.#tell(outcome, false);
  }

  /** The server stops: the answer that is under way, or the next one, is the last. */
  leave(): void {
    this.#last = true;
  }

  /** The answer to whatever comes: nothing is read any more. */
  refuse(reply: Reply): void {
    // RFC 9110, 9.3.2: no body, however little is right about the request.
    const bodiless = /^(?:\r\n)*HEAD /.test(this.#text);
    this.#text = "";
    this.#unread = true;
    this.#last = true;
    this.#busy = true;
    this.#send(reply, bodiless, false, "");
  }

  /** Called once in a round. */
  round(patience: Patience): void {
    this.#still++;
    const idle = this.#text === "" && this.#skip === 0;
    this.#coming = this.#busy || idle ? 0 : this.#coming + 1;
    if (this.#over) {
      if (this.#still > LINGER) this.#wire.terminate();
    } else if (this.#busy) {
      this.#sending.round(patience.stalled);
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
  #goOn(outOfTurn: boolean): void {
    if (this.#busy || this.#over) return;
    if (this.#skip > 0) {
      const skipped = Math.min(this.#skip, this.#text.length);
      this.#skip -= skipped;
      this.#text = this.#text.slice(skipped);
      if (this.#text !== "") {
        this.#goOnLater();
        return;
      }
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
    request.outOfTurn = outOfTurn;
    this.#answer(request);
  }

  #goOnLater(): void {
    setImmediate(() => this.#goOn(true));
  }

  #answer(request: WireRequest): void {
    const { bodyLength, last } = request.headers;
    const skips = bodyLength !== undefined && bodyLength <= MOST_BODY;
    this.#skip = skips ? bodyLength : 0;
    this.#unread = !skips;
    if (last || request.old || !skips) this.#last = true;
    this.#request = request;
    this.#busy = true;
    this.#began = performance.now();
    let reply: Awaitable<Reply | Ready>;
    try {
      reply = this.#service.answer(request);
    } catch (error) {
      reply = this.#service.failed(error);
    }
    if (!(reply instanceof Promise)) {
      this.#reply(reply, request);
      return;
    }
    reply
      .catch((error) => this.#service.failed(error))
      .then((late) => {
        if (!this.#over) this.#reply(late, request);
        else if (late instanceof Reply && isStreamed(late.body)) late.body.blocks?.close();
      });
  }

  #refuse(error: ApiError): void {
    this.refuse(this.#service.refuse(error));
  }

  #reply(reply: Reply | Ready, { method, old, more }: WireRequest): void {
    this.#send(reply, method === "HEAD", old, more);
  }

  #send(reply: Reply | Ready, bodiless: boolean, old: boolean, more: string): void {
    this.#saysLast = this.#last;
    this.#sending.answer(reply, { bodiless, old, more: this.#last ? more + CLOSE : more });
  }

  #answered(outcome: Outcome): void {
    this.#tell(outcome, true);
    this.#busy = false;
    this.#still = 0;
    if (this.#saysLast || (this.#heardAll && this.#text === "")) this.#end();
    else if (this.#text !== "") this.#goOnLater();
    else this.#resume();
  }

  #tell({ status, bytes }: Outcome, whole: boolean): void {
    const request = this.#request;
    this.#request = undefined;
    if (request === undefined || this.#service.sent === undefined) return;
    const seconds = (performance.now() - this.#began) / 1000;
    this.#service.sent(request, { status, bytes, whole, seconds });
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#still = 0;
    // RFC 9112, 9.6: a close on a client that is still sending could take the answer from it.
    const unread = !this.#heardAll && (this.#unread || this.#text !== "");
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
