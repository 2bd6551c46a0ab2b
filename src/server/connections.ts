/** The open connections of a server. */
import type { Socket, SocketHandler } from "bun";
import type { App } from "./app.ts";
import { Connection, type ConnectionEvents, type ConnectionSocket } from "./connection.ts";
import { MAX_CONNECTIONS, type Timeouts } from "./limits.ts";
import { ProtocolError } from "./protocol-error.ts";

export class Connections<Info> {
  readonly #app: App<Info>;
  readonly #events: ConnectionEvents<Info>;
  readonly #max: number;
  readonly #open = new Set<Socket<Connection<Info>>>();
  #stopping = false;
  #onEmpty = () => {};

  constructor(app: App<Info>, events: ConnectionEvents<Info>, max = MAX_CONNECTIONS) {
    this.#app = app;
    this.#events = events;
    this.#max = max;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Counts when it is read, so that requests need not be counted. */
  get requestsInFlight(): number {
    let count = 0;
    for (const socket of this.#open) if (socket.data.hasRequest) count++;
    return count;
  }

  readonly handler: SocketHandler<Connection<Info>> = {
    open: (socket) => {
      socket.data = new Connection(socket as unknown as ConnectionSocket, this.#app, this.#events);
      this.#open.add(socket);
      if (this.#stopping) socket.data.stop();
      if (this.#open.size > this.#max) socket.data.refuse(new ProtocolError("too-many-connections"));
    },
    data(socket, bytes) {
      socket.data.receive(bytes);
    },
    drain(socket) {
      socket.data.drain();
    },
    end(socket) {
      socket.data.end();
    },
    close: (socket) => {
      this.#open.delete(socket);
      socket.data.closed();
      if (this.#open.size === 0) this.#onEmpty();
    },
    // Called for what the handlers above throw. Errors of a socket reach `close`.
    error: (socket, error) => {
      socket.terminate();
      this.#events.onError(error);
    },
  };

  sweep(timeouts: Timeouts): void {
    for (const socket of this.#open) socket.data.sweep(timeouts);
  }

  /** Lets every connection close after its response, also those that are opened later. */
  stop(): void {
    this.#stopping = true;
    for (const socket of this.#open) socket.data.stop();
  }

  /** Resolves when all connections are closed, or cuts them after the timeout. Returns how many were cut. */
  async closed(timeoutMs: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty = resolve;
    const timer = setTimeout(resolve, timeoutMs);
    if (this.#open.size > 0) await promise;
    clearTimeout(timer);
    const cut = this.#open.size;
    for (const socket of this.#open) socket.terminate();
    return cut;
  }
}
