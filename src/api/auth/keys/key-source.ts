/** Opens the keys that the configuration names, and reads public keys again when that is due. */
import { KeyError } from "../errors.ts";
import {
  describeKeyFile,
  describeKeyUrl,
  type Fetch,
  fetchKeyDocument,
  readKeyFile,
} from "./key-document.ts";
import type { KeySet } from "./key-set.ts";
import { parsePublicKeys } from "./public-keys.ts";
import { parseSecret } from "./secret.ts";
import { readOrCreateSecretFile } from "./secret-file.ts";

export interface KeyConfig {
  /** The value of COLOPHON_JWT_SECRET. */
  readonly secret?: string | undefined;
  /** The value of COLOPHON_JWT_KEYS: a file, or an https URL. */
  readonly keys?: string | undefined;
  /** The file of the generated secret. When omitted, no secret is generated. */
  readonly secretFile?: string | undefined;
  readonly fetch?: Fetch | undefined;
  /** Returns the milliseconds of a monotonic clock. */
  readonly clock?: (() => number) | undefined;
  /** Called when a refresh fails. The old keys stay in use. */
  readonly onRefreshError?: ((error: KeyError) => void) | undefined;
}

export interface KeySource {
  /** Returns the same object until the keys change. */
  current(): KeySet;
  /**
   * To be called for a token with an unknown `kid`. Fetches the keys again from a URL, at most once a minute;
   * concurrent calls share one fetch. Returns the keys after that.
   */
  refresh(): Promise<KeySet>;
  /** Reads the file or URL again. Rejects with `KeyError` and keeps the old keys when it cannot be used. */
  reload(): Promise<void>;
  /** Is undefined when only public keys are configured. */
  readonly signingKey: CryptoKey | undefined;
}

const MIN_REFRESH_INTERVAL_MS = 60_000;

/** Rejects with `KeyError`, whose message is for the operator. */
export async function openKeySource(config: KeyConfig): Promise<KeySource> {
  if (config.secret !== undefined && config.keys !== undefined) {
    throw new KeyError(
      "COLOPHON_JWT_SECRET and COLOPHON_JWT_KEYS are both set: unset COLOPHON_JWT_SECRET to verify with the public keys, or COLOPHON_JWT_KEYS to use the secret",
    );
  }
  if (config.secret !== undefined) return openSecret(parseSecret(config.secret, "COLOPHON_JWT_SECRET"));
  if (config.keys !== undefined) return openPublicKeys(config.keys, config);
  if (config.secretFile !== undefined) return openSecret(readOrCreateSecretFile(config.secretFile));
  throw new KeyError(
    "no key to verify tokens with: set COLOPHON_JWT_SECRET to a shared secret, or COLOPHON_JWT_KEYS to a file or https URL with public keys",
  );
}

async function openSecret(secret: Uint8Array<ArrayBuffer>): Promise<KeySource> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const signingKey = await crypto.subtle.importKey("raw", secret, hmac, false, ["sign", "verify"]);
  const keys: KeySet = [{ kid: undefined, keysByAlgorithm: new Map([["HS256", signingKey]]) }];
  return { current: () => keys, refresh: async () => keys, reload: async () => {}, signingKey };
}

async function openPublicKeys(fileOrUrl: string, config: KeyConfig): Promise<KeySource> {
  const url = parseKeyUrl(fileOrUrl);
  const read = url ? () => fetchKeyDocument(url, config.fetch ?? fetch) : () => readKeyFile(fileOrUrl);
  const source = url ? describeKeyUrl(url) : describeKeyFile(fileOrUrl);
  const clock = config.clock ?? (() => performance.now());

  let lastReadMs = clock();
  let document = await read();
  let keys = await parsePublicKeys(document, source);
  let inFlight: Promise<void> | undefined;

  const readAgain = async () => {
    lastReadMs = clock();
    const newDocument = await read();
    // An unchanged document keeps the key set, and with it the cache of verified tokens.
    if (newDocument === document) return;
    keys = await parsePublicKeys(newDocument, source);
    document = newDocument;
  };
  const reload = () => {
    inFlight ??= readAgain().finally(() => {
      inFlight = undefined;
    });
    return inFlight;
  };

  return {
    current: () => keys,
    async refresh() {
      if (!url || inFlight || clock() - lastReadMs < MIN_REFRESH_INTERVAL_MS) {
        await inFlight?.catch(() => {});
        return keys;
      }
      try {
        await reload();
      } catch (error) {
        if (!(error instanceof KeyError)) throw error;
        config.onRefreshError?.(error);
      }
      return keys;
    },
    reload,
    signingKey: undefined,
  };
}

/** Returns undefined for the path of a file. A URL has a scheme and two slashes. */
function parseKeyUrl(fileOrUrl: string): URL | undefined {
  if (fileOrUrl === "") {
    throw new KeyError("COLOPHON_JWT_KEYS is empty: unset it, or set it to a file or https URL");
  }
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(fileOrUrl)) return undefined;
  if (!URL.canParse(fileOrUrl)) {
    throw new KeyError("COLOPHON_JWT_KEYS is not a valid URL: set it to a file or https URL");
  }
  const url = new URL(fileOrUrl);
  // Without TLS, an attacker on the network could replace the keys and then sign tokens.
  if (url.protocol !== "https:") {
    throw new KeyError(`COLOPHON_JWT_KEYS begins with ${url.protocol}// and must be a file or an https URL`);
  }
  return url;
}
