/** The listening TCP sockets of this machine, as Linux lists them in /proc. */
import { closeSync, openSync, readlinkSync, readSync } from "node:fs";

interface ListeningSocket {
  readonly address: string;
  readonly port: number;
  /** The number of the socket, which `/proc/self/fd` shows too. */
  readonly inode: string;
}

const LISTEN_STATE = "0A";
const READ_BYTES = 64 * 1024;

/** Returns the listening socket of a descriptor, or undefined when it is none or the system does not tell. */
export function listeningSocketOf(fd: number): ListeningSocket | undefined {
  const inode = inodeOf(fd);
  return listeningSockets().find((socket) => socket.inode === inode);
}

/** Returns the number of listeners on the descriptor's address, with this one. 0 when the system does not tell. */
export function countListenersLike(fd: number): number {
  const sockets = listeningSockets();
  const inode = inodeOf(fd);
  const own = sockets.find((socket) => socket.inode === inode);
  if (!own) return 0;
  return sockets.filter(({ address, port }) => address === own.address && port === own.port).length;
}

function inodeOf(fd: number): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1];
  } catch {
    return undefined;
  }
}

function listeningSockets(): ListeningSocket[] {
  return ["/proc/self/net/tcp", "/proc/self/net/tcp6"].flatMap((file) => readTable(file).map(parseRow));
}

/** Linux lists listening sockets before all others. Reading ends behind them: the others may be many thousands. */
function readTable(file: string): string[] {
  let fd: number;
  try {
    fd = openSync(file, "r");
  } catch {
    return [];
  }
  try {
    const buffer = Buffer.alloc(READ_BYTES);
    for (let text = ""; ; ) {
      const size = readSync(fd, buffer, 0, buffer.length, null);
      text += buffer.toString("latin1", 0, size);
      // The first row has the names of the columns. What follows the last line feed is an incomplete row.
      const rows = text.split("\n").slice(1, -1);
      const end = rows.findIndex((row) => columnsOf(row)[3] !== LISTEN_STATE);
      if (end >= 0) return rows.slice(0, end);
      if (size === 0) return rows;
    }
  } finally {
    closeSync(fd);
  }
}

function columnsOf(row: string): string[] {
  return row.trim().split(/ +/);
}

function parseRow(row: string): ListeningSocket {
  const [, local = "", , , , , , , , inode = ""] = columnsOf(row);
  const [hex = "", port = ""] = local.split(":");
  return { address: parseAddress(hex), port: Number.parseInt(port, 16), inode };
}

/** Addresses are words of 32 bits in the byte order of the processor, which is little-endian wherever Bun runs. */
function parseAddress(hex: string): string {
  const bytes = Buffer.from(hex, "hex").swap32();
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16));
  // The URL parser abbreviates as RFC 5952 recommends.
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}
