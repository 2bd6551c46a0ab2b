import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";

/** Removes a content coding. */
export function decode(body: Uint8Array, coding: string | null): Uint8Array {
  switch (coding) {
    case null:
      return body;
    case "gzip":
      return new Uint8Array(gunzipSync(body));
    case "br":
      return new Uint8Array(brotliDecompressSync(body));
    case "zstd":
      return new Uint8Array(zstdDecompressSync(body));
    default:
      throw new Error(`The coding ${coding} was not requested`);
  }
}
