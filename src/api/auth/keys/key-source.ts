/** From the configuration to the keys. */
import { type Fetch, fetchKeys, describeKeysUrl, readKeyFile } from "./key-document.ts";
import type { KeySet } from "./key-set.ts";
import { readPublicKeys } from "./public-keys.ts";
import { KeyError } from "../errors.ts";
import { readSecret } from "./secret.ts";
import { readOrCreateSecretFile } from "./secret-file.ts";

export interface KeyConfig {
  /** COLOPHON_JWT_SECRET */
  readonly secret?: string | undefined;
  /** COLOPHON_JWT_KEYS: a file, or an https URL. */
  readonly keys?: string | undefined;
  /** Where the secret of the service's own making is kept; without, it makes none. */
  readonly secretFile?: string | undefined;
  readonly fetch?: Fetch | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: (() => number) | undefined;
  /** Told when keys that are in use could not be renewed. */
  readonly onStale?: ((why: KeyError) => void) | undefined;
}

export interface KeySource {
  /** Another object once the keys have changed: what was verified with the last one is then open again. */
  current(): KeySet;
  /** A token names a key that is not there: the keys as they are after asking for them anew, where that is due. */
  refresh(): Promise<KeySet>;
  /** Reads file or address again. Fails with `KeysRefused`, and the keys stay as they were. */
  reload(): Promise<void>;
  /** For HS256; none where only public keys are known. */
  readonly signingKey: CryptoKey | undefined;
}

/** "Refreshed on an unknown `kid`, at most once a minute". */
const REFRESH_MS = 60_000;

/** Fails with `KeysRefused`, whose message is for the operator. */
export async function openKeySource(config: KeyConfig): Promise<KeySource> {
  if (config.secret !== undefined && config.keys !== undefined) {
    throw new KeyError(
      "COLOPHON_JWT_SECRET and COLOPHON_JWT_KEYS are both set: unset COLOPHON_JWT_SECRET to verify with the public keys, or COLOPHON_JWT_KEYS to use the secret",
    );
  }
  if (config.secret !== undefined) return sharedSecret(readSecret(config.secret, "COLOPHON_JWT_SECRET"));
  if (config.keys !== undefined) return publicKeys(config.keys, config);
  if (config.secretFile !== undefined) return sharedSecret(readOrCreateSecretFile(config.secretFile));
  throw new KeyError(
    "no key to verify tokens with: set COLOPHON_JWT_SECRET to a shared secret, or COLOPHON_JWT_KEYS to a file or https URL with public keys",
  );
}

async function sharedSecret(secret: Uint8Array<ArrayBuffer>): Promise<KeySource> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const signingKey = await crypto.subtle.importKey("raw", secret, hmac, false, ["sign", "verify"]);
  const keys: KeySet = [{ kid: undefined, uses: new Map([["HS256", signingKey]]) }];
  return { current: () => keys, refresh: async () => keys, reload: async () => {}, signingKey };
}

async function publicKeys(where: string, config: KeyConfig): Promise<KeySource> {
  const address = addressOf(where);
  const read = address ? () => fetchKeys(address, config.fetch ?? fetch) : () => readKeyFile(where);
  const from = address ? describeKeysUrl(address) : `the file ${where} of COLOPHON_JWT_KEYS`;
  const clock = config.clock ?? (() => performance.now());

  let asked = clock();
  let text = await read();
  let keys = await readPublicKeys(text, from);
  let underWay: Promise<void> | undefined;

  const renew = async () => {
    asked = clock();
    const fresh = await read();
    // The same text gives the same keys: what has been verified stays so.
    if (fresh === text) return;
    keys = await readPublicKeys(fresh, from);
    text = fresh;
  };
  const renewOnce = () => {
    underWay ??= renew().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };

  return {
    current: () => keys,
    async refresh() {
      if (!address || underWay || clock() - asked < REFRESH_MS) {
        await underWay?.catch(() => {});
        return keys;
      }
      try {
        await renewOnce();
      } catch (error) {
        if (!(error instanceof KeyError)) throw error;
        config.onStale?.(error);
      }
      return keys;
    },
    reload: renewOnce,
    signingKey: undefined,
  };
}

/** An address has a scheme and two slashes; everything else is the path of a file. */
function addressOf(where: string): URL | undefined {
  if (where === "")
    throw new KeyError("COLOPHON_JWT_KEYS is empty: unset it, or set it to a file or https URL");
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(where)) return undefined;
  if (!URL.canParse(where)) throw new KeyError("COLOPHON_JWT_KEYS is no valid URL");
  const address = new URL(where);
  // Whoever can change the answer on its way can make tokens.
  if (address.protocol !== "https:") {
    throw new KeyError(
      `COLOPHON_JWT_KEYS begins with ${address.protocol}// and must be a file or an https URL`,
    );
  }
  return address;
}
