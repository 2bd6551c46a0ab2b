/** Accepts connections on a port, and leaves the port to another server without resetting a connection. */
import type { SocketHandler, TCPSocketListener } from "bun";
import { MAX_UNSENT_BYTES } from "../limits.ts";
import { IPPROTO_TCP, setSocketOption } from "./libc.ts";
import { countListenersLike, listeningSocketOf } from "./listening-sockets.ts";
import {
  acceptSegments,
  directTo,
  directToAll,
  hasWaitingConnections,
  ignoreNewConnections,
} from "./port-group.ts";

interface ListenerOptions {
  readonly host: string;
  /** With 0, the system chooses a free port. */
  readonly port: number;
  /** Lets several listeners use the port; the system distributes the connections. */
  readonly reusePort: boolean;
  /** Another server may listen on the port when this one closes. Closing then takes longer. */
  readonly hasSuccessor: boolean;
  /** The descriptor of a socket that listens already. Host and port are then not used. */
  readonly fd: number | undefined;
}

/** How long handshakes under way may take to complete. It covers the round trip to the other side of the world. */
const HANDSHAKE_MS = 300;
const ACCEPT_TIMEOUT_MS = 1000;
const ACCEPT_CHECK_MS = 10;
const OLDER_LISTENERS_CHECK_MS = 1000;

/** tcp(7), linux/tcp.h. */
const TCP_NOTSENT_LOWAT = 25;
const UNSENT_BYTES = Int32Array.of(MAX_UNSENT_BYTES);

export class Listener<Data> {
  readonly #listener: TCPSocketListener<Data>;
  readonly fd: number;
  readonly #hasSuccessor: boolean;
  #isIgnoringNewConnections = false;
  /** The number of listeners that take all new connections over; 0 when the system distributes them. */
  #takingOver = 0;
  #olderListenersCheck: Timer | undefined;
  readonly port: number;

  /** Throws the system's error when the address is not available. */
  constructor({ host, port, reusePort, hasSuccessor, fd }: ListenerOptions, socket: SocketHandler<Data>) {
    // Others hold an inherited descriptor too. Their connections wait there when this process closes its own.
    this.#hasSuccessor = hasSuccessor && fd === undefined;
    // A client that has closed its sending half may still read. Bun's types do not know the other two options.
    const common = { allowHalfOpen: true, socket: this.#hasSuccessor ? this.#withSegments(socket) : socket };
    this.#listener =
      fd === undefined
        ? Bun.listen<Data>({ ...common, hostname: host, port, ...({ reusePort } as object) })
        : Bun.listen<Data>({ ...common, fd } as unknown as Bun.TCPSocketListenOptions<Data>);
    this.fd = fd ?? (this.#listener as unknown as { readonly fd: number }).fd;
    // Connections inherit it.
    setSocketOption(this.fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, new Uint8Array(UNSENT_BYTES.buffer));
    this.port = fd === undefined ? this.#listener.port : (listeningSocketOf(fd)?.port ?? port);
  }

  /** Directs new connections to the `count` newest listeners on the port, until the older ones are closed. */
  takeOver(count: number): void {
    const size = countListenersLike(this.fd);
    if (size <= count || !directTo(this.fd, size - count, count)) return;
    this.#takingOver = count;
    this.#olderListenersCheck = setInterval(() => {
      if (countListenersLike(this.fd) <= count) this.#endTakeover();
    }, OLDER_LISTENERS_CHECK_MS);
    this.#olderListenersCheck.unref();
  }

  /** Closes when the system has no connection left for this listener. Does not close accepted connections. */
  async close(): Promise<void> {
    if (this.#hasSuccessor) await this.#emptyAcceptQueue();
    clearInterval(this.#olderListenersCheck);
    this.#listener.stop(false);
  }

  /** Where the system does not let this process choose, closing resets the connections that wait in the queue. */
  async #emptyAcceptQueue(): Promise<void> {
    const older = countListenersLike(this.fd) - this.#takingOver;
    if (this.#takingOver > 0 && older > 0) directTo(this.fd, 0, older);
    this.#isIgnoringNewConnections = true;
    if (!ignoreNewConnections(this.fd)) return;
    await Bun.sleep(HANDSHAKE_MS);
    const deadline = performance.now() + ACCEPT_TIMEOUT_MS;
    while (hasWaitingConnections(this.fd) && performance.now() < deadline) await Bun.sleep(ACCEPT_CHECK_MS);
  }

  /** Returns the handler that also repairs the connections whose handshakes were under way when the close began. */
  #withSegments(socket: SocketHandler<Data>): SocketHandler<Data> {
    return {
      ...socket,
      open: (connection) => {
        if (this.#isIgnoringNewConnections)
          acceptSegments((connection as unknown as { readonly fd: number }).fd);
        return socket.open?.(connection);
      },
    };
  }

  #endTakeover(): void {
    clearInterval(this.#olderListenersCheck);
    this.#takingOver = 0;
    directToAll(this.fd);
  }
}
