import { type KeySource, openKeySource } from "../../api/auth/keys/key-source.ts";
import { isServer } from "./store-location.ts";

export interface Trust {
  readonly keys: KeySource;
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
}

/**
 * What tokens are checked with, as the environment says. An embedded store has a secret of its own beside it; the
 * processes around a server must be given the same one.
 */
export async function keysFor(where: string, onStale: (why: Error) => void = complain): Promise<Trust> {
  const { COLOPHON_JWT_SECRET, COLOPHON_JWT_KEYS, COLOPHON_JWT_ISSUER, COLOPHON_JWT_AUDIENCE } = process.env;
  const keys = await openKeySource({
    secret: COLOPHON_JWT_SECRET,
    keys: COLOPHON_JWT_KEYS,
    secretFile: isServer(where) ? undefined : `${where}.secret`,
    onRefreshError: onStale,
  });
  return { keys, issuer: COLOPHON_JWT_ISSUER || undefined, audience: COLOPHON_JWT_AUDIENCE || undefined };
}

function complain(why: Error): void {
  console.error(`colophon: ${why.message}; the keys in use stay`);
}
