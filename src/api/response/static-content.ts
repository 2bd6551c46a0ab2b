import { type Coding, encodeWhole } from "./content-coding.ts";

/** A body that stays the same while the process lives: each coding of it is made once. */
export class Constant {
  readonly #encoded = new Map<Coding, Uint8Array>();

  constructor(
    readonly body: Uint8Array,
    readonly etag: string,
    readonly type = "application/json",
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  encoded(coding: Coding): Uint8Array {
    let encoded = this.#encoded.get(coding);
    if (!encoded) {
      encoded = encodeWhole(this.body, coding, true);
      this.#encoded.set(coding, encoded);
    }
    return encoded;
  }
}
