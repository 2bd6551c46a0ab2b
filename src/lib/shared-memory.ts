/** Memory that several processes read and write, as a file without a name that child processes inherit. */
import { closeSync, existsSync, openSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Its pages are never written to a disk. */
const MEMORY_DISK = "/dev/shm";

/** Returns the descriptor of a new file of zeros, for `mapSharedMemory` here and in processes that inherit it. */
export function createSharedMemory(bytes: number): number {
  const folder = existsSync(MEMORY_DISK) ? MEMORY_DISK : tmpdir();
  const path = join(folder, `colophon-${crypto.randomUUID()}`);
  const descriptor = openSync(path, "wx+", 0o600);
  // From here on nobody else can open the file, and it is gone when the last process has ended.
  unlinkSync(path);
  try {
    // The zeros are written out: a hole on a disk that is full later would end the process with SIGBUS.
    const zeros = new Uint8Array(bytes);
    for (let written = 0; written < bytes; ) written += writeSync(descriptor, zeros, written);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The memory stays mapped while the returned array is in use, also when the descriptor is closed. */
export function mapSharedMemory(descriptor: number): Uint8Array<ArrayBuffer> {
  return Bun.mmap(`/dev/fd/${descriptor}`, { shared: true });
}
