/** Opens the keys that the configuration names. */
import { parseKeyLocation } from "./key-document.ts";
import { KeyError, type KeySource } from "./key-source.ts";
import { openPublicKeys, type PublicKeyOptions, type PublishedKeySource } from "./public-key-source.ts";
import { parseSecret, readOrCreateSecretFile, readSecretFile, type Secrets } from "./secret-file.ts";
import { openSecrets } from "./secret-source.ts";

export interface KeyConfig extends PublicKeyOptions {
  /** The value of COLOPHON_JWT_SECRET. */
  readonly secret?: string | undefined;
  /** The value of COLOPHON_JWT_SECRET_PREVIOUS. */
  readonly previousSecret?: string | undefined;
  /** The value of COLOPHON_JWT_KEYS: a file, or an https URL. */
  readonly keys?: string | undefined;
  /** The file of the generated secret. When omitted, no secret is generated. */
  readonly secretFile?: string | undefined;
  /** Returns whether a missing file is created. When omitted, it is not. */
  readonly createsSecret?: (() => Promise<boolean>) | undefined;
}

/** Rejects with `KeyError`, whose message is for the operator. */
export async function openKeySource(config: KeyConfig): Promise<KeySource | PublishedKeySource> {
  const { secret, previousSecret, keys, secretFile } = config;
  if (secret !== undefined && keys !== undefined) {
    throw new KeyError(
      "COLOPHON_JWT_SECRET and COLOPHON_JWT_KEYS are both set: unset COLOPHON_JWT_SECRET to verify with the public keys, or COLOPHON_JWT_KEYS to use the secret",
    );
  }
  if (previousSecret !== undefined && secret === undefined) {
    throw new KeyError(
      "COLOPHON_JWT_SECRET_PREVIOUS is set without COLOPHON_JWT_SECRET: set that to the new secret, or unset both",
    );
  }
  if (secret !== undefined) return openSecrets(configuredSecrets(secret, previousSecret));
  if (keys !== undefined) return openPublicKeys(parseKeyLocation(keys), config);
  if (secretFile !== undefined) return openSecretFile(secretFile, config);
  throw new KeyError(
    "no key to verify tokens with: set COLOPHON_JWT_SECRET to a shared secret, or COLOPHON_JWT_KEYS to a file or https URL with public keys",
  );
}

function configuredSecrets(secret: string, previousSecret: string | undefined): Secrets {
  const untilMs = Number.POSITIVE_INFINITY;
  const signing = { bytes: parseSecret(secret, "COLOPHON_JWT_SECRET"), untilMs };
  if (previousSecret === undefined) return [signing];
  return [signing, { bytes: parseSecret(previousSecret, "COLOPHON_JWT_SECRET_PREVIOUS"), untilMs }];
}

async function openSecretFile(path: string, { onRead, createsSecret }: KeyConfig): Promise<KeySource> {
  const read = (secrets = readSecretFile(path)) => {
    if (secrets) return secrets;
    throw new KeyError(
      `the secret file ${path} is missing, and tokens were signed with it: restore it, or make a new one with "colophon token rotate", which voids them all`,
    );
  };
  const existing = readSecretFile(path);
  const isCreated = !existing && (await createsSecret?.());
  return openSecrets(isCreated ? readOrCreateSecretFile(path) : read(existing), { read, onRead });
}
