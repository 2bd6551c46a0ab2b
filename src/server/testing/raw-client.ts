/** A TCP client on the system's own functions. It reads exactly as much as it is told, which streams of the runtime do not. */
import { dlopen, ptr } from "bun:ffi";

/** socket(2), recv(2). */
const AF_INET = 2;
const SOCK_STREAM = 1;
const MSG_DONTWAIT = 0x40;

const SYMBOLS = {
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
  connect: { args: ["i32", "ptr", "u32"], returns: "i32" },
  send: { args: ["i32", "ptr", "u64", "i32"], returns: "i64" },
  recv: { args: ["i32", "ptr", "u64", "i32"], returns: "i64" },
  close: { args: ["i32"], returns: "i32" },
} as const;

let functions: ReturnType<typeof dlopen<typeof SYMBOLS>>["symbols"] | undefined;

function load() {
  functions ??= dlopen("libc.so.6", SYMBOLS).symbols;
  return functions;
}

export class RawClient implements Disposable {
  readonly #functions = load();
  readonly fd = this.#functions.socket(AF_INET, SOCK_STREAM, 0);

  connect(port: number): void {
    const address = new Uint8Array(16);
    new DataView(address.buffer).setUint16(0, AF_INET, true);
    new DataView(address.buffer).setUint16(2, port);
    address.set([127, 0, 0, 1], 4);
    if (this.#functions.connect(this.fd, ptr(address), address.length) !== 0)
      throw new Error(`No connection to port ${port}`);
  }

  send(text: string): void {
    this.#functions.send(this.fd, ptr(Buffer.from(text)), text.length, 0);
  }

  /** Returns how many bytes were there, 0 after the end, and -1 when there are none yet or the connection is cut. */
  receive(buffer: Uint8Array): number {
    return Number(this.#functions.recv(this.fd, ptr(buffer), buffer.length, MSG_DONTWAIT));
  }

  [Symbol.dispose](): void {
    this.#functions.close(this.fd);
  }
}
