import { afterAll, describe, expect, test } from "bun:test";
import { openSync } from "node:fs";
import { countListenersLike, listeningSocketOf } from "./listening-sockets.ts";

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
