/** The socket options that Bun has no function for, set through the C library. */
import { dlopen, ptr } from "bun:ffi";

const SYMBOLS = {
  getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
  setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
} as const;

/** tcp(7). */
export const IPPROTO_TCP = 6;

/** The names of glibc, and of musl on the processors that Bun runs on. */
const LIBRARIES = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];

type Functions = ReturnType<typeof dlopen<typeof SYMBOLS>>["symbols"];

let functions: Functions | undefined;
let isLoaded = false;

/** Returns whether the option was set. Always false on systems other than Linux. */
export function setSocketOption(fd: number, level: number, option: number, value: Uint8Array): boolean {
  return load()?.setsockopt(fd, level, option, ptr(value), value.length) === 0;
}

/** Reads the option into `value`. Returns whether the system has filled all of it. */
export function getSocketOption(fd: number, level: number, option: number, value: Uint8Array): boolean {
  const size = new Uint32Array([value.length]);
  return load()?.getsockopt(fd, level, option, ptr(value), ptr(size)) === 0 && size[0] === value.length;
}

/** Loads the library with the first call, because most commands never need it. */
function load(): Functions | undefined {
  if (isLoaded || process.platform !== "linux") return functions;
  isLoaded = true;
  for (const library of LIBRARIES) {
    try {
      functions = dlopen(library, SYMBOLS).symbols;
      return functions;
    } catch {
      // Another C library, or a system that forbids memory that is both writable and executable.
    }
  }
  return undefined;
}
