import { type Coding, encodeBuffer } from "./content-coding.ts";

/** A body that does not change while the process runs. Each coding of it is made once. */
export class StaticContent {
  readonly #encoded = new Map<Coding, Uint8Array>();

  constructor(
    readonly body: Uint8Array,
    readonly etag: string,
    readonly contentType = "application/json",
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  encoded(coding: Coding): Uint8Array {
    let encoded = this.#encoded.get(coding);
    if (!encoded) {
      encoded = encodeBuffer(this.body, coding, "smallest");
      this.#encoded.set(coding, encoded);
    }
    return encoded;
  }
}
