import type { Awaitable } from "../../lib/awaitable.ts";
import { type Coding, encodeOnThread } from "./content-coding.ts";

/** A body that does not change while the process runs. Each coding of it is made once, on another thread. */
export class StaticContent {
  readonly #encoded = new Map<Coding, Awaitable<Uint8Array>>();

  constructor(
    readonly body: Uint8Array,
    readonly etag: string,
    readonly contentType = "application/json",
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** Returns a promise until the coding is made. A failure is forgotten, so that the next request tries again. */
  encoded(coding: Coding): Awaitable<Uint8Array> {
    const known = this.#encoded.get(coding);
    if (known !== undefined) return known;
    const encoding = encodeOnThread(this.body, coding).then(
      (encoded) => {
        this.#encoded.set(coding, encoded);
        return encoded;
      },
      (error) => {
        this.#encoded.delete(coding);
        throw error;
      },
    );
    this.#encoded.set(coding, encoding);
    return encoding;
  }
}
