/**
 * Which of the listeners on one port gets a new connection. Linux puts listeners with SO_REUSEPORT into a group, in
 * the order in which they were opened, and chooses by a hash of the addresses. A classic BPF program changes the choice.
 * Every function does nothing where the system does not let it.
 */
import { ptr } from "bun:ffi";
import { getSocketOption, IPPROTO_TCP, setSocketOption } from "./libc.ts";

/** socket(7), asm-generic/socket.h. */
const SOL_SOCKET = 1;
const SO_ATTACH_REUSEPORT_CBPF = 51;
const SO_DETACH_REUSEPORT_BPF = 68;
/** tcp(7), linux/tcp.h. Of a listening socket, `tcpi_unacked` is the length of its accept queue. */
const TCP_INFO = 11;
const UNACKED_OFFSET = 24;
/** ip(7), linux/in.h and linux/in6.h: segments with a smaller TTL, or hop limit, are dropped. */
const IPPROTO_IP = 0;
const IP_MINTTL = 21;
const IPPROTO_IPV6 = 41;
const IPV6_MINHOPCOUNT = 73;
const MAX_TTL = 255;

/** Instructions of linux/filter.h: operation, jump if true, jump if false, operand. */
type Instruction = readonly [operation: number, ifTrue: number, ifFalse: number, operand: number];

const LOAD_WORD_AT = 0x20;
const MODULO = 0x94;
const ADD = 0x04;
const RETURN_ACCUMULATOR = 0x16;
/** SKF_AD_OFF + SKF_AD_RANDOM: a random number instead of a word of the packet. */
const RANDOM = 0xff_ff_f0_38;

/**
 * Lets the system ignore attempts to connect to this listener. The client repeats its attempt after a second, and then
 * reaches another listener of the group if this one is closed. Handshakes under way are completed, and their
 * connections need `acceptSegments`. A socket filter (SO_ATTACH_FILTER) would do the same, but newer kernels, as Linux
 * 6.18.44, refuse it to processes without CAP_NET_ADMIN, which services do not have. Systems send segments with a TTL of
 * 64 or 128; a client in the same network that sends 255 is not ignored.
 */
export function ignoreNewConnections(fd: number): boolean {
  return setMinTtl(fd, MAX_TTL);
}

/** Lets a connection receive segments again: it has inherited what `ignoreNewConnections` has set on its listener. */
export function acceptSegments(fd: number): void {
  setMinTtl(fd, 0);
}

/** Listeners on IPv6 addresses may have connections of IPv4 too. */
function setMinTtl(fd: number, ttl: number): boolean {
  const value = new Uint8Array(Int32Array.of(ttl).buffer);
  setSocketOption(fd, IPPROTO_IPV6, IPV6_MINHOPCOUNT, value);
  return setSocketOption(fd, IPPROTO_IP, IP_MINTTL, value);
}

/**
 * Directs new connections to `count` listeners of the group, from the index `first` on. When the group has shrunk, the
 * program returns indexes that do not exist, and the system chooses by its hash again.
 */
export function directTo(fd: number, first: number, count: number): boolean {
  return attach(fd, [
    [LOAD_WORD_AT, 0, 0, RANDOM],
    [MODULO, 0, 0, count],
    [ADD, 0, 0, first],
    [RETURN_ACCUMULATOR, 0, 0, 0],
  ]);
}

/** Lets the system choose by its hash. */
export function directToAll(fd: number): boolean {
  return setSocketOption(fd, SOL_SOCKET, SO_DETACH_REUSEPORT_BPF, new Uint8Array(4));
}

/** Returns whether connections wait to be accepted. */
export function hasWaitingConnections(fd: number): boolean {
  const info = new Uint8Array(UNACKED_OFFSET + 4);
  if (!getSocketOption(fd, IPPROTO_TCP, TCP_INFO, info)) return false;
  return new DataView(info.buffer).getUint32(UNACKED_OFFSET, true) > 0;
}

/** Passes a `struct sock_fprog` to the system, which copies it. */
function attach(fd: number, program: readonly Instruction[]): boolean {
  const code = new DataView(new ArrayBuffer(program.length * 8));
  for (const [index, [operation, ifTrue, ifFalse, operand]] of program.entries()) {
    code.setUint16(index * 8, operation, true);
    code.setUint8(index * 8 + 2, ifTrue);
    code.setUint8(index * 8 + 3, ifFalse);
    code.setUint32(index * 8 + 4, operand, true);
  }
  const fprog = new DataView(new ArrayBuffer(16));
  fprog.setUint16(0, program.length, true);
  fprog.setBigUint64(8, BigInt(ptr(code)), true);
  return setSocketOption(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, new Uint8Array(fprog.buffer));
}
