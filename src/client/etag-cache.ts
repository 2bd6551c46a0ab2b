/** The bodies of earlier responses. The service sends 304 for one that still holds, and the body is not sent again. */

export interface CachedResponse {
  readonly etag: string;
  readonly body: string;
  readonly headers: Headers;
}

/** Evicts the least recently used bodies. A `Map` lists its keys in the order in which they were set. */
export class EtagCache {
  readonly #responses = new Map<string, CachedResponse>();
  #characters = 0;

  constructor(private readonly maxCharacters: number) {}

  get(url: string): CachedResponse | undefined {
    const response = this.#responses.get(url);
    if (response) {
      this.#responses.delete(url);
      this.#responses.set(url, response);
    }
    return response;
  }

  set(url: string, response: CachedResponse): void {
    this.delete(url);
    if (response.body.length > this.maxCharacters) return;
    this.#responses.set(url, response);
    this.#characters += response.body.length;
    for (const oldest of this.#responses.keys()) {
      if (this.#characters <= this.maxCharacters) return;
      this.delete(oldest);
    }
  }

  delete(url: string): void {
    this.#characters -= this.#responses.get(url)?.body.length ?? 0;
    this.#responses.delete(url);
  }
}
