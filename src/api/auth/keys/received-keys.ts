/**
 * Public keys that another process has read: one process reads them for all workers, so that workers agree, and the
 * source gets one request instead of one from each.
 */
import { Expiring, type KeyClock, systemClock } from "./key-clock.ts";
import type { KeySet, KeySource } from "./key-source.ts";
import { type KeyPublication, parseRefreshedKeys } from "./public-key-source.ts";

/** A request with an unknown `kid` waits for the other process to read the keys, and no longer. */
const RESPONSE_TIMEOUT_MS = 6_000;

interface ReceivedKeysOptions {
  /** Requests the keys from the other process: `receive` is then called. With `refresh`, it reads them again first. */
  readonly request: (refresh: boolean) => void;
  readonly clock?: KeyClock | undefined;
}

export class ReceivedKeys implements KeySource {
  readonly signingKey = undefined;
  readonly #request: (refresh: boolean) => void;
  readonly #clock: KeyClock;
  readonly #expiring: Expiring<KeySet>;
  #text = "";
  #keys: KeySet = [];
  #refreshableAtMs = Number.POSITIVE_INFINITY;
  #received = Promise.withResolvers<void>();
  #isWaiting = false;
  /** Messages take effect in the order of their arrival. */
  #queue = Promise.resolve();

  constructor({ request, clock = systemClock }: ReceivedKeysOptions) {
    this.#request = request;
    this.#clock = clock;
    // The other process reports it.
    this.#expiring = new Expiring(clock, () => {});
  }

  /** Requests the keys for the first time, and waits for them. */
  async start(): Promise<this> {
    this.#request(false);
    await this.#received.promise;
    return this;
  }

  receive(publication: KeyPublication): Promise<void> {
    this.#queue = this.#queue.then(() => this.#use(publication));
    return this.#queue;
  }

  current(): KeySet | undefined {
    return this.#expiring.value;
  }

  async refresh(): Promise<KeySet | undefined> {
    if (!this.#isWaiting) {
      if (this.#clock.now() < this.#refreshableAtMs) return this.current();
      this.#isWaiting = true;
      this.#received = Promise.withResolvers();
      this.#request(true);
    }
    const { promise, resolve } = this.#received;
    const cancel = this.#clock.setTimer(() => {
      this.#isWaiting = false;
      resolve();
    }, RESPONSE_TIMEOUT_MS);
    await promise;
    cancel();
    return this.current();
  }

  /** Only the other process reads keys. */
  async reload(): Promise<void> {}

  async #use({ document, expiresInMs, refreshableInMs }: KeyPublication): Promise<void> {
    if (document !== this.#text) {
      this.#keys = (await parseRefreshedKeys(document, "COLOPHON_JWT_KEYS")).keys;
      this.#text = document;
    }
    this.#expiring.set(this.#keys, expiresInMs ?? Number.POSITIVE_INFINITY);
    this.#refreshableAtMs = this.#clock.now() + (refreshableInMs ?? Number.POSITIVE_INFINITY);
    this.#isWaiting = false;
    this.#received.resolve();
  }
}
