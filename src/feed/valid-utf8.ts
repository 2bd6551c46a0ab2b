import { isUtf8 } from "node:buffer";

/** Returns how many bytes from the beginning are valid UTF-8. */
export function validUtf8Length(bytes: Uint8Array): number {
  if (isUtf8(bytes)) return bytes.length;
  let [valid, invalid] = [0, bytes.length];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    // A prefix may end inside a character, so that up to three of its bytes are missing.
    const isValid = [0, 1, 2, 3].some(
      (back) => middle - back >= 0 && isUtf8(bytes.subarray(0, middle - back)),
    );
    if (isValid) valid = middle;
    else invalid = middle;
  }
  for (let end = valid; end > 0; end--) if (isUtf8(bytes.subarray(0, end))) return end;
  return 0;
}
