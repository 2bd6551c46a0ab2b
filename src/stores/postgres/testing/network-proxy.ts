/**
 * A TCP proxy in front of a PostgreSQL server. It fails as networks do: it becomes silent without closing a connection,
 * cuts connections, or accepts no new ones.
 */
import { createServer, connect as openSocket, type Server, type Socket } from "node:net";

/** Requests go to the server, responses come from it. */
type Direction = "requests" | "responses";

export interface NetworkProxy extends AsyncDisposable {
  /** The URL of the database, through the proxy. */
  readonly url: string;
  /** Stops forwarding, in new connections too. Nothing is closed: clients and server see no error. */
  silence(...directions: readonly Direction[]): void;
  /** Forwards again, beginning with the bytes that were held back. */
  resume(): void;
  /** Closes all connections. */
  cut(): void;
  /** Makes new connections fail at once. */
  refuse(): void;
  /**
   * Calls `act` once, when a connection sends bytes with `text`, such as a statement. They are delivered to the server
   * before the call, unless `isDelivered` is false: then they are lost.
   */
  onSent(text: string, act: (connection: ProxiedConnection) => unknown, isDelivered?: boolean): void;
}

export interface ProxiedConnection {
  silence(...directions: readonly Direction[]): void;
  cut(): void;
}

interface SentTrigger {
  readonly text: Buffer;
  readonly isDelivered: boolean;
  readonly act: (connection: ProxiedConnection) => unknown;
}

export async function startNetworkProxy(databaseUrl: string): Promise<NetworkProxy> {
  const url = new URL(databaseUrl);
  const upstream = { host: url.hostname, port: Number(url.port) };
  const open = new Set<Relay>();
  let silent: readonly Direction[] = [];
  let trigger: SentTrigger | undefined;

  /** Returns the trigger if the bytes contain its text. */
  function takeTrigger(sent: Buffer): SentTrigger | undefined {
    if (trigger === undefined || !sent.includes(trigger.text)) return undefined;
    const taken = trigger;
    trigger = undefined;
    return taken;
  }

  const listener = createServer((client) => {
    const relay = new Relay(client, openSocket(upstream), takeTrigger, () => open.delete(relay));
    open.add(relay);
    relay.silence(...silent);
  });
  url.hostname = "127.0.0.1";
  url.port = String(await listen(listener));

  const silenceAll = (...directions: readonly Direction[]) => {
    silent = directions;
    for (const relay of open) relay.silence(...directions);
  };
  const cut = () => {
    for (const relay of [...open]) relay.cut();
  };
  return {
    url: String(url),
    silence: silenceAll,
    resume: () => silenceAll(),
    cut,
    refuse: () => void listener.close(),
    onSent(text, act, isDelivered = true) {
      trigger = { text: Buffer.from(text), isDelivered, act };
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      cut();
    },
  };
}

/** A text of this length may arrive in two parts. */
const MAX_TRIGGER_BYTES = 100;

/** The two sockets of one connection. */
class Relay implements ProxiedConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  #silent: readonly Direction[] = [];
  #tail: Buffer = Buffer.alloc(0);

  constructor(
    client: Socket,
    server: Socket,
    takeTrigger: (sent: Buffer) => SentTrigger | undefined,
    onEnd: () => void,
  ) {
    this.#client = client;
    this.#server = server;
    client.on("data", (bytes: Buffer) => {
      const trigger = takeTrigger(Buffer.concat([this.#tail, bytes]));
      this.#tail = Buffer.from(bytes.subarray(-MAX_TRIGGER_BYTES));
      if (trigger?.isDelivered !== false) this.#forward(bytes, "requests");
      trigger?.act(this);
    });
    server.on("data", (bytes: Buffer) => this.#forward(bytes, "responses"));
    for (const direction of ["requests", "responses"] as const) {
      const [source] = this.#ends(direction);
      source.on("error", () => {});
      source.on("close", () => {
        // A silent network does not tell one side that the other has gone.
        if (!this.#silent.includes(direction)) this.cut();
        if (client.destroyed && server.destroyed) onEnd();
      });
    }
  }

  silence(...directions: readonly Direction[]): void {
    this.#silent = directions;
    for (const direction of ["requests", "responses"] as const) {
      const [source] = this.#ends(direction);
      if (directions.includes(direction)) source.pause();
      else source.resume();
    }
  }

  /** The server sees an orderly end: a reset could discard bytes that were delivered to it. */
  cut(): void {
    this.#client.destroy();
    if (this.#server.destroyed || this.#server.writableEnded) return;
    this.#server.end();
    this.#server.resume();
  }

  #forward(bytes: Buffer, direction: Direction): void {
    const [source, target] = this.#ends(direction);
    if (target.destroyed || target.writableEnded || target.write(bytes)) return;
    source.pause();
    target.once("drain", () => {
      if (!this.#silent.includes(direction)) source.resume();
    });
  }

  #ends(direction: Direction): readonly [source: Socket, target: Socket] {
    return direction === "requests" ? [this.#client, this.#server] : [this.#server, this.#client];
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
}
