/** Reads a file in slices of buffers that are used again, so that a large file leaves no garbage. */
import { type FileHandle, open } from "node:fs/promises";

const SLICE_BYTES = 256 << 10;

/** Yields slices that are valid until the request after the next. */
export async function* fileBytes(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open(path);
  try {
    yield* openFileBytes(file);
  } finally {
    await file.close();
  }
}

/** Does the same with a file that the caller has opened, and closes. */
export async function* openFileBytes(
  file: Pick<FileHandle, "read">,
  sliceBytes = SLICE_BYTES,
): AsyncGenerator<Uint8Array, void, undefined> {
  const buffers = [new Uint8Array(sliceBytes), new Uint8Array(sliceBytes)];
  for (let count = 0; ; count++) {
    const buffer = buffers[count % 2]!;
    const { bytesRead } = await file.read(buffer, 0, buffer.length);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
