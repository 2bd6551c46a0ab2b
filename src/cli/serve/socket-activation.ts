/** The socket that systemd opened for this process: sd_listen_fds(3). */
import { listeningSocketOf } from "../../server/listener/listening-sockets.ts";
import { CommandError } from "../exit.ts";

export interface InheritedSocket {
  readonly fd: number;
  readonly host: string;
  readonly port: number;
}

const FIRST_FD = 3;

/** Returns undefined when this process was started in another way. Throws when there is not exactly one TCP socket. */
export function inheritedSocket(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  pid: number = process.pid,
): InheritedSocket | undefined {
  const { LISTEN_FDS: count, LISTEN_PID: receiver } = environment;
  // The variables are also inherited by processes that they are not meant for.
  if (count === undefined || receiver !== String(pid)) return undefined;
  if (count !== "1") {
    throw new CommandError(
      `LISTEN_FDS is ${count}: Colophon takes one socket from systemd; write one ListenStream= in the .socket unit`,
    );
  }
  const socket = listeningSocketOf(FIRST_FD);
  if (!socket) {
    throw new CommandError(
      `descriptor ${FIRST_FD} (LISTEN_FDS) is not a listening TCP socket: write a port or an address with a port at ListenStream= in the .socket unit`,
    );
  }
  return { fd: FIRST_FD, host: socket.address, port: socket.port };
}
