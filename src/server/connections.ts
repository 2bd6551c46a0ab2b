/** The open connections of a server. */
import type { Socket, SocketHandler } from "bun";
import { atMost } from "../lib/awaitable.ts";
import type { App } from "./app.ts";
import { ClientAddresses } from "./client-addresses.ts";
import { Connection, type ConnectionEvents, type ConnectionSocket } from "./connection.ts";
import { MAX_CONNECTIONS, NEARLY_FULL, type Timeouts } from "./limits.ts";
import { ProtocolError, type ProtocolErrorKind } from "./request.ts";

export interface ConnectionLimits {
  readonly maxConnections?: number | undefined;
  /** The sockets that the system's limit of open files has room for. Default: no limit. */
  readonly maxSockets?: number | undefined;
  /** Default: a tenth of all connections. */
  readonly maxPerAddress?: number | undefined;
  /** Addresses and CIDR ranges of proxies: see `ClientAddresses`. Their own connections are not limited. */
  readonly trustedProxies?: readonly string[] | undefined;
}

export class Connections<Info> {
  readonly #app: App<Info>;
  readonly #events: ConnectionEvents<Info>;
  readonly #max: number;
  readonly #maxSockets: number;
  readonly #addresses: ClientAddresses;
  readonly #open = new Set<Socket<Connection<Info>>>();
  /** The connections that count for the address of their other end. */
  readonly #counted = new Set<Connection<Info>>();
  #stopping = false;
  #onEmpty = () => {};

  constructor(app: App<Info>, events: ConnectionEvents<Info>, limits: ConnectionLimits = {}) {
    this.#app = app;
    this.#events = events;
    this.#max = limits.maxConnections ?? MAX_CONNECTIONS;
    this.#maxSockets = limits.maxSockets ?? Number.POSITIVE_INFINITY;
    this.#addresses = new ClientAddresses({
      maxPerAddress: limits.maxPerAddress ?? Math.ceil(this.#max / 10),
      trustedProxies: limits.trustedProxies,
    });
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
      const connection = new Connection(
        socket as unknown as ConnectionSocket,
        this.#app,
        this.#events,
        this.#addresses,
      );
      socket.data = connection;
      this.#open.add(socket);
      if (this.#stopping) connection.stop();
      const isNearlyFull = this.#open.size > NEARLY_FULL * this.#max;
      if (isNearlyFull) this.#closeOldestIdle();
      const error = this.#admit(connection);
      if (error === undefined) return;
      // A client that is refused can stay for `lingerSeconds`. When places are scarce, it gets no response.
      const isCut =
        error === "out-of-descriptors" || (isNearlyFull && error === "too-many-connections-of-client");
      if (!isCut) connection.refuse(new ProtocolError(error));
      else {
        this.#open.delete(socket);
        connection.cut(new ProtocolError(error));
      }
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
      if (this.#counted.delete(socket.data)) this.#addresses.leave(socket.data.peer);
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

  /** Returns why a connection is refused, or counts it. */
  #admit(connection: Connection<Info>): ProtocolErrorKind | undefined {
    if (this.#open.size > this.#maxSockets) return "out-of-descriptors";
    if (this.#open.size > this.#max) return "too-many-connections";
    if (connection.isProxied) return undefined;
    if (!this.#addresses.enter(connection.peer)) return "too-many-connections-of-client";
    this.#counted.add(connection);
    return undefined;
  }

  /** A set is in the order of insertion, so the oldest connections come first. */
  #closeOldestIdle(): void {
    for (const socket of this.#open) if (socket.data.closeIdle()) return;
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
    if (this.#open.size > 0) await atMost(timeoutMs, promise);
    const cut = this.#open.size;
    for (const socket of this.#open) socket.terminate();
    return cut;
  }
}
