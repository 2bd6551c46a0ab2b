/** Starts the real program as systemd does for a .socket unit: with a listening socket as descriptor 3. */
import { dlopen, ptr } from "bun:ffi";
import { COMMAND } from "./process.ts";

/** A listening socket of which nothing accepts connections. They wait in its queue. */
export interface HeldSocket {
  readonly fd: number;
  readonly port: number;
  close(): void;
}

/** True where the C library can be called. */
export const canHoldSocket = process.platform === "linux";

/** socket(2), listen(2), netinet/in.h. Bun has no way to listen without accepting. */
const AF_INET = 2;
const SOCK_STREAM = 1;
const BACKLOG = 1024;

export function holdSocket(): HeldSocket {
  const { symbols: libc } = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    listen: { args: ["i32", "i32"], returns: "i32" },
    getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
    close: { args: ["i32"], returns: "i32" },
  });
  const fd = libc.socket(AF_INET, SOCK_STREAM, 0);
  // struct sockaddr_in: family, port, address.
  const address = new Uint8Array(16);
  address.set([AF_INET, 0, 0, 0, 127, 0, 0, 1]);
  const results = [
    libc.bind(fd, ptr(address), address.length),
    libc.listen(fd, BACKLOG),
    libc.getsockname(fd, ptr(address), ptr(new Uint32Array([address.length]))),
  ];
  if (fd < 0 || results.some((result) => result !== 0)) throw new Error("cannot listen");
  const port = new DataView(address.buffer).getUint16(2);
  return { fd, port, close: () => void libc.close(fd) };
}

/** Runs the command with LISTEN_FDS and LISTEN_PID, as sd_listen_fds(3) describes. */
export function startWithSocket(
  { fd }: HeldSocket,
  args: readonly string[],
): Bun.Subprocess<"ignore", "pipe", "pipe"> {
  // The shell becomes the program, so its process id is the right one.
  const script = 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" "$@"';
  return Bun.spawn(["sh", "-c", script, COMMAND, ...args], {
    stdio: ["ignore", "pipe", "pipe", fd],
  }) as unknown as Bun.Subprocess<"ignore", "pipe", "pipe">;
}
