import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";

/** The bytes within a content coding, by a decoder that takes one stream and no byte after it. */
export function decoded(body: Uint8Array, coding: string | null): Uint8Array {
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
      throw new Error(`Nobody asked for ${coding}`);
  }
}
