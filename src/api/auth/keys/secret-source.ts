/** Shared secrets as keys: the first one signs and verifies, the others only verify, until their date. */
import { errorCode, KeyError, type KeySet, type KeySource } from "./key-source.ts";
import type { KeyRead } from "./public-key-source.ts";
import type { Secret, Secrets } from "./secret-file.ts";

interface SecretSourceOptions {
  /** Reads the secrets again. When omitted, they never change. */
  readonly read?: () => Secrets;
  readonly onRead?: ((read: KeyRead) => void) | undefined;
  /** Returns milliseconds since 1970. */
  readonly now?: () => number;
}

interface SecretKey extends Secret {
  readonly key: CryptoKey;
}

export async function openSecrets(
  secrets: Secrets,
  options: SecretSourceOptions = {},
): Promise<SecretSource> {
  return new SecretSource(await importAll(secrets), options);
}

class SecretSource implements KeySource {
  readonly #options: SecretSourceOptions;
  readonly #now: () => number;
  #secrets: readonly SecretKey[];
  #keys: KeySet = [];
  /** When the next secret is dropped. */
  #nextExpiryMs = 0;

  constructor(secrets: readonly SecretKey[], options: SecretSourceOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#secrets = secrets;
    this.#use(secrets);
  }

  get signingKey(): CryptoKey {
    return this.#secrets[0]!.key;
  }

  current(): KeySet {
    if (this.#nextExpiryMs !== Number.POSITIVE_INFINITY && this.#now() >= this.#nextExpiryMs) {
      this.#use(this.#secrets);
    }
    return this.#keys;
  }

  async refresh(): Promise<KeySet> {
    return this.current();
  }

  async reload(): Promise<void> {
    const { read, onRead } = this.#options;
    if (!read) return;
    try {
      const secrets = read();
      const isChanged = describe(secrets) !== describe(this.#secrets);
      if (isChanged) this.#use(await importAll(secrets));
      onRead?.({ outcome: isChanged ? "changed" : "unchanged", reason: "demand" });
    } catch (error) {
      const cause = error instanceof KeyError ? error : new KeyError(errorCode(error));
      const remainingMs = Number.POSITIVE_INFINITY;
      onRead?.({ outcome: "failed", reason: "demand", error: cause, remainingMs });
    }
  }

  #use(secrets: readonly SecretKey[]): void {
    const nowMs = this.#now();
    this.#secrets = secrets.filter(({ untilMs }) => untilMs > nowMs);
    this.#nextExpiryMs = Math.min(...this.#secrets.map(({ untilMs }) => untilMs));
    this.#keys = this.#secrets.map(({ key }) => ({
      kid: undefined,
      keysByAlgorithm: new Map([["HS256", key]]),
    }));
  }
}

async function importAll(secrets: Secrets): Promise<readonly SecretKey[]> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  return Promise.all(
    secrets.map(async (secret) => ({
      ...secret,
      key: await crypto.subtle.importKey("raw", secret.bytes, hmac, false, ["sign", "verify"]),
    })),
  );
}

function describe(secrets: readonly Secret[]): string {
  return secrets.map(({ bytes, untilMs }) => `${Buffer.from(bytes).toString("hex")} ${untilMs}`).join();
}
