/** Listens on an address, accepts connections, sweeps them for timeouts, and stops in order. */
import type { Socket, SocketHandler } from "bun";
import { httpUrl } from "../lib/http-url.ts";
import type { App } from "./app.ts";
import { Connection, type ConnectionEvents, type ConnectionSocket } from "./connection.ts";
import {
  DEFAULT_TIMEOUTS,
  MAX_CONNECTIONS,
  STOP_TIMEOUT_MS,
  SWEEP_INTERVAL_MS,
  type Timeouts,
} from "./limits.ts";
import { ProtocolError } from "./protocol-error.ts";

export interface ServerOptions<Info> {
  readonly app: App<Info>;
  readonly host: string;
  /** With 0, the system chooses a free port. */
  readonly port: number;
  /** Lets several processes listen on the port; the system distributes the connections. */
  readonly reusePort?: boolean | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  readonly maxConnections?: number | undefined;
  /** Is called with what the app threw, and with what fails outside of it. */
  readonly onError: (error: unknown) => void;
  /** Is called for every response that was sent or cut off. */
  readonly onSent?: ConnectionEvents<Info>["onSent"];
  /** Is called for bytes that are not a request, and for connections beyond the limit. */
  readonly onRefused?: ConnectionEvents<Info>["onRefused"];
}

export interface RunningServer {
  /** Has no slash at its end. */
  readonly url: string;
  readonly port: number;
  /** The number of open connections. */
  readonly connections: number;
  /** The number of requests whose response is not sent completely. */
  readonly requestsInFlight: number;
  /** Accepts no more connections and waits for responses in flight. Returns how many connections were cut. */
  stop(timeoutMs?: number): Promise<number>;
}

/** Throws the system's error when the address is not available. */
export function startServer<Info>(options: ServerOptions<Info>): RunningServer {
  const { app, host, onError, onSent, onRefused, reusePort = false } = options;
  const connections = new Connections(app, { onError, onSent, onRefused }, options.maxConnections);
  const listener = Bun.listen<Connection<Info>>({
    hostname: host,
    port: options.port,
    // A client that has closed its sending half may still read.
    allowHalfOpen: true,
    // Bun's types do not know the option.
    ...({ reusePort } as object),
    socket: connections.handler,
  });
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const sweeps = setInterval(() => connections.sweep(timeouts), SWEEP_INTERVAL_MS);
  sweeps.unref();
  return {
    url: httpUrl(host, listener.port),
    port: listener.port,
    get connections() {
      return connections.size;
    },
    get requestsInFlight() {
      return connections.requestsInFlight;
    },
    async stop(timeoutMs = STOP_TIMEOUT_MS) {
      listener.stop(false);
      const cut = await connections.stop(timeoutMs);
      clearInterval(sweeps);
      listener.stop(true);
      return cut;
    },
  };
}

/** The open connections. */
class Connections<Info> {
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
      if (this.#stopping) socket.data.closeAfterResponse();
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

  /** Closes idle connections with the next sweep, busy ones after their response, and all after the timeout. */
  async stop(timeoutMs: number): Promise<number> {
    this.#stopping = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty = resolve;
    const timer = setTimeout(resolve, timeoutMs);
    for (const socket of this.#open) socket.data.closeAfterResponse();
    if (this.#open.size > 0) await promise;
    clearTimeout(timer);
    const cut = this.#open.size;
    for (const socket of this.#open) socket.terminate();
    return cut;
  }
}
