/** Computes the digest of a feed while it is read, so that its bytes are read once. */

/** The SHA-256 digest of a file as it was given, before decompression: what `sha256sum` prints. */
export class FeedDigest {
  #bytes = 0;
  #sha256: string | undefined;
  readonly #hasher = new Bun.CryptoHasher("sha256");

  /** The bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Undefined before the end of the feed. */
  get sha256(): string | undefined {
    return this.#sha256;
  }

  add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#hasher.update(bytes);
  }

  complete(): void {
    this.#sha256 ??= this.#hasher.digest("hex");
  }

  /** Completes the digest of a feed that broke off, when all its bytes were read. */
  completeAt(sizeBytes: number | undefined): void {
    if (this.#bytes === sizeBytes) this.complete();
  }
}

/** Passes bytes through, and computes their digest. A consumer that stops early does not end them. */
export class DigestedBytes implements AsyncIterable<Uint8Array> {
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #digest: FeedDigest;

  constructor(bytes: AsyncIterable<Uint8Array>, digest: FeedDigest) {
    this.#iterator = bytes[Symbol.asyncIterator]();
    this.#digest = digest;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#next() };
  }

  /** Reads what the consumer has left. */
  async readToEnd(): Promise<void> {
    while (this.#digest.sha256 === undefined) await this.#next();
  }

  /** Does not wait: a read of standard input that has begun may take forever. */
  close(): void {
    this.#iterator.return?.()?.catch(() => {});
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    const result = await this.#iterator.next();
    if (result.done) this.#digest.complete();
    else this.#digest.add(result.value);
    return result;
  }
}
