/** A flood may come from any number of addresses. */
const MAX_CLIENTS = 1000;

/** Counts events by the address of the client, for a bounded number of addresses. */
export class ClientCounts {
  readonly #counts = new Map<string, number>();

  add(client: string): void {
    const count = this.#counts.get(client);
    if (count !== undefined) this.#counts.set(client, count + 1);
    else if (this.#counts.size < MAX_CLIENTS) this.#counts.set(client, 1);
  }

  /** The number of different addresses, at most 1000. */
  get size(): number {
    return this.#counts.size;
  }

  /** The address with the most events. */
  get mostFrequent(): string {
    let [found, most] = ["", 0];
    for (const [client, count] of this.#counts) {
      if (count > most) [found, most] = [client, count];
    }
    return found;
  }
}
