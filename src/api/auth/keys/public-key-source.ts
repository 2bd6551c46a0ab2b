/**
 * Public keys of a file or a URL, which are read again while the service runs.
 *
 * A URL is read again when its last response is no longer fresh, for a token with an unknown `kid`, and on demand. A file
 * is read again on demand only, because it may be incomplete while it is being written.
 */

import {
  Expiring,
  KEY_LIFETIME_MS,
  type KeyClock,
  MIN_REFRESH_INTERVAL_MS,
  systemClock,
} from "./key-clock.ts";
import { type Fetch, type KeyDocument, type KeyLocation, readKeyDocument } from "./key-document.ts";
import type { KeySet, KeySource } from "./key-source.ts";
import { KeyError } from "./key-source.ts";
import { NoUsableKey, parsePublicKeys } from "./public-keys.ts";

/** Why the keys were read again. */
type ReadReason = "demand" | "time" | "unknown-kid";

/** What came of it. */
export type KeyRead =
  | { readonly outcome: "changed" | "unchanged"; readonly reason: ReadReason }
  /** The source is valid and has none of the keys any more, and no other: every token is rejected. */
  | { readonly outcome: "withdrawn"; readonly reason: ReadReason; readonly error: KeyError }
  /** The previous keys stay in use, those of a URL for at most `remainingMs`. */
  | {
      readonly outcome: "failed";
      readonly reason: ReadReason;
      readonly error: KeyError;
      readonly remainingMs: number;
    }
  /** The keys are too old: tokens cannot be verified. */
  | { readonly outcome: "expired"; readonly reason: "time"; readonly error: KeyError };

/** The keys as one process sends them to another. Times are durations, because the clocks of processes differ. */
export interface KeyPublication {
  readonly document: string;
  /** Null for a file, which does not expire. */
  readonly expiresInMs: number | null;
  /** Before that, an unknown `kid` is no reason to read again. Is null for a file. */
  readonly refreshableInMs: number | null;
}

export interface PublicKeyOptions {
  readonly fetch?: Fetch | undefined;
  readonly clock?: KeyClock | undefined;
  readonly onRead?: ((read: KeyRead) => void) | undefined;
}

/** A source whose keys other processes use too. */
export interface PublishedKeySource extends KeySource {
  publication(): KeyPublication;
  /** Called after each successful read. */
  onPublication: (publication: KeyPublication) => void;
}

/** Rejects with `KeyError` when the first read fails, or finds no key. */
export async function openPublicKeys(
  location: KeyLocation,
  options: PublicKeyOptions,
): Promise<PublishedKeySource> {
  const clock = options.clock ?? systemClock;
  const startedAtMs = clock.now();
  const document = await readKeyDocument(location, options.fetch ?? fetch);
  const keys = await parsePublicKeys(document.text, location.description);
  return new PublicKeySource(location, options, clock, document, keys, startedAtMs);
}

class PublicKeySource implements PublishedKeySource {
  readonly signingKey = undefined;
  onPublication: (publication: KeyPublication) => void = () => {};
  readonly #location: KeyLocation;
  readonly #options: PublicKeyOptions;
  readonly #clock: KeyClock;
  readonly #expiring: Expiring<KeySet>;
  /** The text that the keys came from, and the keys, also when they have expired. */
  #text: string;
  #keys: KeySet;
  #lastReadMs: number;
  #lastError: KeyError | undefined;
  #inFlight: Promise<void> | undefined;
  #nextRead: Promise<void> | undefined;
  #cancelTimer = () => {};

  constructor(
    location: KeyLocation,
    options: PublicKeyOptions,
    clock: KeyClock,
    document: KeyDocument,
    keys: KeySet,
    readAtMs: number,
  ) {
    this.#location = location;
    this.#options = options;
    this.#clock = clock;
    this.#text = document.text;
    this.#keys = keys;
    this.#lastReadMs = readAtMs;
    this.#expiring = new Expiring(clock, () => this.#reportExpiry());
    this.#use(document);
  }

  current(): KeySet | undefined {
    return this.#expiring.value;
  }

  async refresh(): Promise<KeySet | undefined> {
    if (this.#inFlight) await this.#inFlight;
    else if (this.#refreshableInMs() === 0) await this.#read("unknown-kid");
    return this.current();
  }

  reload(): Promise<void> {
    if (!this.#inFlight) return this.#read("demand");
    // The read in flight may have begun before the change that the operator wants to be read.
    this.#nextRead ??= this.#inFlight.then(() => {
      this.#nextRead = undefined;
      return this.#read("demand");
    });
    return this.#nextRead;
  }

  publication(): KeyPublication {
    const { remainingMs } = this.#expiring;
    return {
      document: this.#text,
      expiresInMs: this.#location.url ? remainingMs : null,
      refreshableInMs: this.#location.url ? this.#refreshableInMs() : null,
    };
  }

  #refreshableInMs(): number {
    if (!this.#location.url) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#lastReadMs + MIN_REFRESH_INTERVAL_MS - this.#clock.now());
  }

  #read(reason: ReadReason): Promise<void> {
    this.#inFlight = this.#tryRead(reason).finally(() => {
      this.#inFlight = undefined;
    });
    return this.#inFlight;
  }

  async #tryRead(reason: ReadReason): Promise<void> {
    this.#lastReadMs = this.#clock.now();
    try {
      const document = await readKeyDocument(this.#location, this.#options.fetch ?? fetch);
      await this.#accept(document, reason);
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
      this.#lastError = error;
      this.#scheduleRead(MIN_REFRESH_INTERVAL_MS);
      this.#report({ outcome: "failed", reason, error, remainingMs: this.#expiring.remainingMs });
    }
  }

  async #accept(document: KeyDocument, reason: ReadReason): Promise<void> {
    const isChanged = document.text !== this.#text;
    let withdrawal: KeyError | undefined;
    // An unchanged document keeps the key set, and with it the cache of verified tokens.
    if (isChanged) {
      const parsed = await parseRefreshedKeys(document.text, this.#location.description);
      this.#keys = parsed.keys;
      withdrawal = parsed.withdrawal;
      this.#text = document.text;
    }
    this.#use(document);
    this.onPublication(this.publication());
    if (withdrawal) this.#report({ outcome: "withdrawn", reason, error: withdrawal });
    else this.#report({ outcome: isChanged ? "changed" : "unchanged", reason });
  }

  #use({ refreshAfterMs }: KeyDocument): void {
    this.#lastError = undefined;
    this.#expiring.set(this.#keys, this.#location.url ? KEY_LIFETIME_MS : Number.POSITIVE_INFINITY);
    this.#scheduleRead(refreshAfterMs);
  }

  #scheduleRead(delayMs: number): void {
    this.#cancelTimer();
    if (!this.#location.url) return;
    this.#cancelTimer = this.#clock.setTimer(() => {
      if (!this.#inFlight) void this.#read("time");
    }, delayMs);
  }

  #reportExpiry(): void {
    const error = this.#lastError ?? new KeyError(`${this.#location.description} was not read in time`);
    this.#report({ outcome: "expired", reason: "time", error });
  }

  #report(read: KeyRead): void {
    this.#options.onRead?.(read);
  }
}

/** A valid document without a usable key withdraws all keys. When the service starts, it is an error instead. */
export async function parseRefreshedKeys(
  text: string,
  source: string,
): Promise<{ readonly keys: KeySet; readonly withdrawal?: KeyError }> {
  try {
    return { keys: await parsePublicKeys(text, source) };
  } catch (error) {
    if (!(error instanceof NoUsableKey)) throw error;
    return { keys: [], withdrawal: error };
  }
}
