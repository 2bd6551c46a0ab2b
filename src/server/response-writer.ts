/** Writes the answers to one client, one after the other, at its pace. */
import { freeBuffer } from "../lib/free-buffer.ts";
import { BlockBody, type Body, WholeBody } from "./body.ts";
import { httpDate } from "./date.ts";
import { type Ready, Reply, type Streamed, statusAndDate } from "./response.ts";
import { Outbox, type Sender } from "./write-batch.ts";

/** Where bytes go. `write` gives the number of them that were taken, or less than 0. */
export interface Sink {
  write(bytes: Uint8Array): number;
  terminate(): void;
}

/** The form that the request asks for. */
export interface Form {
  /** HEAD. */
  readonly bodiless: boolean;
  /** HTTP/1.0. */
  readonly old: boolean;
  /** Header fields for this answer alone, each with its CRLF. */
  readonly more: string;
}

/** What has gone out of an answer. */
export interface Outcome {
  readonly status: number;
  /** Of the body. */
  readonly bytes: number;
}

/** A body up to this size goes out with its head. */
const SHORT = 64 * 1024;

const outbox = new Outbox();

export class Sending implements Sender {
  readonly #sink: Sink;
  readonly #done: (outcome: Outcome) => void;
  /** Of the answer that is going out; 0: none is. */
  #status = 0;
  #bytes = 0;
  /** What the socket has not taken yet of a piece that it was given. */
  #left: Uint8Array | undefined;
  #body: Body | undefined;
  #stopped = false;
  /** Rounds since the socket has taken anything. */
  #still = 0;

  /** `done` is called when all of an answer has gone out. */
  constructor(sink: Sink, done: (outcome: Outcome) => void) {
    this.#sink = sink;
    this.#done = done;
  }

  answer(reply: Reply | Ready, form: Form): void {
    this.#status = reply.status;
    this.#bytes = 0;
    if (reply instanceof Reply) this.#begin(reply, form);
    else this.#beginReady(reply, form);
  }

  /** The socket has room again. */
  drained(): void {
    const left = this.#left;
    if (left === undefined) return;
    this.#left = undefined;
    this.#write(left, true);
  }

  /** Nothing more is written. Gives what has gone out of an answer that is broken off by it. */
  stop(): Outcome | undefined {
    this.#stopped = true;
    this.#left = undefined;
    this.#body?.close();
    this.#body = undefined;
    return this.#status === 0 ? undefined : { status: this.#status, bytes: this.#bytes };
  }

  /** Called once in a round. A client that takes nothing of its answer for more than `patience` rounds is cut off. */
  round(patience: number): void {
    // Without a byte to send, it is the store that is waited for.
    if (this.#left !== undefined && ++this.#still > patience) this.#sink.terminate();
  }

  #beginReady(ready: Ready, { bodiless, more }: Form): void {
    const date = httpDate();
    if (!bodiless && ready.long) this.#body = new WholeBody(ready.long);
    else if (!bodiless) this.#bytes = ready.length;
    if (more !== "") outbox.put(this, ready.beginWith(more, date, bodiless));
    else outbox.put(this, bodiless ? ready.head(date) : ready.begin(date));
  }

  #begin({ status, fields, body, owned }: Reply, { bodiless, old, more }: Form): void {
    const begin = `${statusAndDate(status, httpDate())}${fields}${more}`;
    if (body === undefined) outbox.put(this, outbox.together(`${begin}\r\n`, undefined));
    else if (isStreamed(body)) this.#stream(begin, body, bodiless, old);
    else this.#whole(`${begin}Content-Length: ${body.length}\r\n\r\n`, body, bodiless, owned);
  }

  #whole(head: string, body: Uint8Array, bodiless: boolean, owned: boolean): void {
    const together = !bodiless && body.length <= SHORT;
    if (together) this.#bytes = body.length;
    else if (!bodiless) this.#body = new WholeBody([body]);
    outbox.put(this, outbox.together(head, together ? body : undefined));
    if (owned && this.#body === undefined) freeBuffer(body);
  }

  #stream(begin: string, { blocks, failed }: Streamed, bodiless: boolean, old: boolean): void {
    if (bodiless) blocks?.close();
    else if (blocks) this.#body = new BlockBody(blocks, !old, failed);
    const head = old ? `${begin}\r\n` : `${begin}Transfer-Encoding: chunked\r\n\r\n`;
    outbox.put(this, outbox.together(head, undefined));
  }

  /** From the outbox. */
  send(bytes: Uint8Array): void {
    if (!this.#stopped) this.#write(bytes, false);
  }

  /** What the socket does not take is for `drained`. Bytes that are not steady are another's in the next turn. */
  #write(bytes: Uint8Array, steady: boolean): void {
    this.#still = 0;
    const taken = this.#sink.write(bytes);
    if (taken >= bytes.length) {
      this.#goOn();
    } else if (taken < 0) {
      this.#sink.terminate();
    } else {
      const left = bytes.subarray(taken);
      // Not with `slice`: that of a Buffer does not copy.
      this.#left = steady ? left : new Uint8Array(left);
    }
  }

  /** All that there was has gone out: now the next piece of the body, or the end. */
  #goOn(): void {
    if (this.#body) {
      this.#pump(this.#body);
      return;
    }
    const outcome = { status: this.#status, bytes: this.#bytes };
    this.#status = 0;
    this.#done(outcome);
  }

  #pump(body: Body): void {
    body.next(
      (piece) => {
        if (this.#body !== body) return;
        if (piece === undefined) {
          this.#body = undefined;
          this.#goOn();
        } else {
          this.#bytes += piece.length;
          this.#write(piece, true);
        }
      },
      () => {
        if (this.#body !== body) return;
        this.#body = undefined;
        // The client sees that it is not all: a body that ends well is a complete one.
        this.#sink.terminate();
      },
    );
  }
}

export function isStreamed(body: Reply["body"]): body is Streamed {
  return body !== undefined && !(body instanceof Uint8Array);
}
