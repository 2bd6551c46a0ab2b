/** Reads a file in slices of buffers that are used again, so that a large file leaves no garbage. */
import { open } from "node:fs/promises";

const SLICE_BYTES = 256 << 10;

/** Yields slices that are valid until the request after the next. */
export async function* fileBytes(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open(path);
  try {
    const buffers = [new Uint8Array(SLICE_BYTES), new Uint8Array(SLICE_BYTES)];
    for (let count = 0; ; count++) {
      const buffer = buffers[count % 2]!;
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
