/** Several listeners on one port: who gets a connection, and how a listener leaves. */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { openSync } from "node:fs";
import type { Socket } from "node:net";
import { waitFor } from "../../lib/testing/wait-for.ts";
import { RawClient } from "../testing/raw-client.ts";
import { collect, openSocket } from "../testing/socket.ts";
import { setSocketOption } from "./libc.ts";
import { Listener } from "./listener.ts";
import { countListenersLike, listeningSocketOf } from "./listening-sockets.ts";
import { hasWaitingConnections } from "./port-group.ts";

const CONNECTIONS = 60;
/** ip(7). */
const IPPROTO_IP = 0;
const IP_TTL = 2;

let port = 0;
const opened: { listener: Listener<undefined>; isClosed: boolean }[] = [];
const sockets: Socket[] = [];
/** What all listeners have received. */
let received = "";

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const { listener, isClosed } of opened.splice(0)) if (!isClosed) await listener.close();
  port = 0;
  received = "";
});

/** Opens a listener that greets with its name. */
function open(name: string, hasSuccessor = false) {
  const listener = new Listener<undefined>(
    { host: "127.0.0.1", port, reusePort: true, hasSuccessor, fd: undefined },
    {
      open: (socket) => void socket.write(`${name};`),
      data(_socket, bytes) {
        received += bytes.toString("latin1");
      },
    },
  );
  port = listener.port;
  const entry = { listener, isClosed: false };
  opened.push(entry);
  return {
    listener,
    close() {
      entry.isClosed = true;
      return listener.close();
    },
  };
}

/** Returns the names that new connections are greeted with. */
async function greetings(count = CONNECTIONS): Promise<string[]> {
  const received = Array.from({ length: count }, async () => {
    const socket = await openSocket(port);
    sockets.push(socket);
    const greeting = collect(socket);
    await waitFor("a greeting", () => greeting.text.endsWith(";"));
    return greeting.text.slice(0, -1);
  });
  return (await Promise.all(received)).sort();
}

/** Connects with segments that have a TTL of 255, as those of a handshake that is under way: both pass a close. */
function connectWithMaxTtl(): RawClient {
  const client = new RawClient();
  setTtl(client.fd, 255);
  client.connect(port);
  setTtl(client.fd, 64);
  return client;
}

function setTtl(fd: number, ttl: number): void {
  expect(setSocketOption(fd, IPPROTO_IP, IP_TTL, new Uint8Array(Int32Array.of(ttl).buffer))).toBe(true);
}

describe.skipIf(process.platform !== "linux")("on Linux (skipped elsewhere)", () => {
  test("takeOver directs every new connection to the newest listeners", async () => {
    const [, , newest, other] = [open("old"), open("old"), open("new"), open("new")];
    expect(new Set(await greetings())).toEqual(new Set(["old", "new"]));
    newest.listener.takeOver(2);
    expect(new Set(await greetings())).toEqual(new Set(["new"]));
    await other.close();
  });

  test("takeOver ends when the older listeners are closed", async () => {
    const old = open("old");
    open("new").listener.takeOver(1);
    await old.close();
    // While it lasts, a third listener takes the place of the newest one and gets every connection.
    await waitFor("the listeners share the connections", async () => {
      const third = open("third");
      const names = new Set(await greetings(12));
      await third.close();
      // The takeover is checked once a second, and the third listener prolongs it.
      await Bun.sleep(100);
      return names.size === 2;
    });
  });

  test("takeOver has no effect when there is no older listener", async () => {
    const [first] = [open("first"), open("second")];
    first.listener.takeOver(2);
    expect(new Set(await greetings())).toEqual(new Set(["first", "second"]));
  });

  test("a listener with a successor accepts the connections of its queue before it closes", async () => {
    const old = open("old", true);
    open("new");
    const connecting = greetings();
    // The system completes handshakes on its own. Without an event-loop tick, this process accepts nothing.
    for (let step = 0; step < 1000 && !hasWaitingConnections(old.listener.fd); step++)
      await Promise.resolve();
    expect(hasWaitingConnections(old.listener.fd)).toBe(true);
    await old.close();
    expect(new Set(await connecting)).toEqual(new Set(["old", "new"]));
  });

  test("a connection attempt during the close reaches the successor", async () => {
    const old = open("old", true);
    open("new");
    const closing = old.close();
    // About half of the attempts are ignored, and repeated after a second.
    expect(new Set(await greetings())).toEqual(new Set(["new"]));
    await closing;
  });

  test("a connection whose handshake ends during the close is served", async () => {
    const old = open("old", true);
    const closing = old.close();
    using client = connectWithMaxTtl();
    client.send("request");
    await closing;
    await waitFor("the request is received", () => received === "request");
  });

  test("the newest listener returns new connections to the older ones when it closes first", async () => {
    open("old");
    const newest = open("new", true);
    newest.listener.takeOver(1);
    const closing = newest.close();
    expect(new Set(await greetings())).toEqual(new Set(["old"]));
    await closing;
    expect(new Set(await greetings())).toEqual(new Set(["old"]));
  });
});

const listeners: Bun.TCPSocketListener<undefined>[] = [];
afterAll(() => {
  for (const listener of listeners) listener.stop(true);
});

function listen(hostname: string, port = 0): { readonly fd: number; readonly port: number } {
  const options = { hostname, port, reusePort: true, socket: { data() {} } };
  const listener = Bun.listen<undefined>(options);
  listeners.push(listener);
  return listener as unknown as { readonly fd: number; readonly port: number };
}

describe.skipIf(process.platform !== "linux")("on Linux (skipped elsewhere)", () => {
  test.each(["127.0.0.1", "0.0.0.0", "::1", "::"])("finds the address and the port of %s", (address) => {
    const { fd, port } = listen(address);
    expect(listeningSocketOf(fd)).toMatchObject({ address, port });
  });

  test("returns undefined for a file, a connected socket, and a descriptor that is not open", async () => {
    const { port } = listen("127.0.0.1");
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
    const connectedFd = (socket as unknown as { readonly fd: number }).fd;
    expect(connectedFd).toBeGreaterThan(0);
    for (const fd of [openSync(import.meta.path, "r"), connectedFd, 9999]) {
      expect([fd, listeningSocketOf(fd)]).toEqual([fd, undefined]);
      expect(countListenersLike(fd)).toBe(0);
    }
    socket.end();
  });

  test("counts the listeners on the same address and port", () => {
    const { fd, port } = listen("127.0.0.1");
    listen("127.0.0.1");
    expect(countListenersLike(fd)).toBe(1);
    listen("127.0.0.1", port);
    listen("127.0.0.2", port);
    expect(countListenersLike(fd)).toBe(2);
  });
});
