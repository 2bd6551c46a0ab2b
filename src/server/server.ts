/** The process side of the server: address, limits, the last resort, the end. */
import type { Socket, SocketHandler } from "bun";
import type { App } from "../api/app.ts";
import { type ApiError, internal, tooManyConnections } from "../api/errors.ts";
import { Connection, type Patience, type Sent, type Service, type Wire } from "./connection.ts";
import type { WireRequest } from "./request-parser.ts";
import { Reply } from "./response.ts";

export interface ServerOptions {
  readonly app: App;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Several processes listen on one port, and the system deals the connections out. */
  readonly reusePort?: boolean | undefined;
  readonly patience?: Partial<Patience> | undefined;
  /** At once; who comes then is told to try again later. */
  readonly mostConnections?: number | undefined;
  /** What even the app could not answer. */
  readonly onError: (error: unknown) => void;
  /** Told of every answer when it has gone out, or been broken off. */
  readonly onSent?: ((request: WireRequest, sent: Sent) => void) | undefined;
  /** Told of what was no request, and of connections that were too many. */
  readonly onRefused?: ((error: ApiError) => void) | undefined;
}

export interface RunningServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** How many clients are connected. */
  readonly connections: number;
  /**
   * Takes no more connections, and lets answers under way finish for so many milliseconds. Gives the number of
   * connections that were cut off.
   */
  stop(patience?: number): Promise<number>;
}

/**
 * Seconds. The system's buffers hide a slow reader for a while: at 120, one of 20 kB/s is still served.
 */
const PATIENCE: Patience = { head: 15, idle: 75, stalled: 120 };

export const MOST_CONNECTIONS = 10_000;

/** How often connections are looked after, in milliseconds. */
const ROUND = 1000;

/** Throws what the system says when the address cannot be had. */
export function startServer(options: ServerOptions): RunningServer {
  const { host, reusePort = false } = options;
  const clients = new Clients(
    serviceOf(options),
    options.mostConnections ?? MOST_CONNECTIONS,
    options.onRefused,
  );
  const listener = Bun.listen<Connection>({
    hostname: host,
    port: options.port,
    // Who has sent all that it wants to send may still read.
    allowHalfOpen: true,
    // The types do not have it; the runtime does.
    ...({ reusePort } as object),
    socket: clients.handler,
  });
  const patience = { ...PATIENCE, ...options.patience };
  const rounds = setInterval(() => clients.round(patience), ROUND);
  rounds.unref();
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${listener.port}`,
    port: listener.port,
    get connections() {
      return clients.size;
    },
    async stop(patience = 10_000) {
      listener.stop(false);
      const cut = await clients.leave(patience);
      clearInterval(rounds);
      listener.stop(true);
      return cut;
    },
  };
}

function serviceOf({ app, onError, onSent, onRefused }: ServerOptions): Service {
  return {
    answer: app,
    refuse(error) {
      onRefused?.(error);
      return problem(error);
    },
    failed(error) {
      onError(error);
      return problem(internal("-"));
    },
    sent: onSent,
  };
}

/** An error of which no app knows. */
function problem(error: ApiError): Reply {
  let fields = COMMON;
  for (const [name, value] of Object.entries(error.headers)) fields += `${name}: ${value}\r\n`;
  return new Reply(error.status, fields, new TextEncoder().encode(JSON.stringify(error)));
}

const COMMON = [
  "Content-Type: application/problem+json",
  "Cache-Control: no-store",
  "Vary: Accept-Encoding, Authorization",
  "X-Content-Type-Options: nosniff",
  "",
].join("\r\n");

type Client = Socket<Connection>;

/** The connections that are open. */
class Clients {
  readonly #service: Service;
  readonly #most: number;
  readonly #refused: ((error: ApiError) => void) | undefined;
  readonly #open = new Set<Client>();
  #leaving = false;
  #emptied = () => {};

  constructor(service: Service, most: number, refused: ((error: ApiError) => void) | undefined) {
    this.#service = service;
    this.#most = most;
    this.#refused = refused;
  }

  get size(): number {
    return this.#open.size;
  }

  readonly handler: SocketHandler<Connection> = {
    open: (client) => {
      client.data = new Connection(client as unknown as Wire, this.#service);
      this.#open.add(client);
      if (this.#leaving) client.data.leave();
      if (this.#open.size > this.#most) {
        this.#refused?.(tooManyConnections);
        client.data.refuse(problem(tooManyConnections));
      }
    },
    data(client, bytes) {
      client.data.received(bytes);
    },
    drain(client) {
      client.data.drained();
    },
    end(client) {
      client.data.ended();
    },
    close: (client) => {
      this.#open.delete(client);
      client.data.closed();
      if (this.#open.size === 0) this.#emptied();
    },
    // An error of ours, thrown by one of these: what goes wrong with a socket comes to `close`.
    error: (client, error) => {
      client.terminate();
      this.#service.failed(error);
    },
  };

  round(patience: Patience): void {
    for (const client of this.#open) client.data.round(patience);
  }

  /** Who is connected has one more answer, or is idle for a round; who takes longer than `patience` is cut off. */
  async leave(patience: number): Promise<number> {
    this.#leaving = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#emptied = resolve;
    const timer = setTimeout(resolve, patience);
    for (const client of this.#open) client.data.leave();
    if (this.#open.size > 0) await promise;
    clearTimeout(timer);
    const cut = this.#open.size;
    for (const client of this.#open) client.terminate();
    return cut;
  }
}
