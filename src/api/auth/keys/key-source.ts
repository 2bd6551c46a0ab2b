/** The keys that verify tokens, wherever they come from and whenever they change. */
import type { KeySet } from "./key-set.ts";

export interface KeySource {
  /**
   * Returns the same object until the keys change. Returns undefined while the keys of a URL are too old to be used,
   * because it has failed for an hour: then nobody knows which tokens are valid.
   */
  current(): KeySet | undefined;
  /**
   * To be called for a token with an unknown `kid`. Reads the keys of a URL again, at most once a minute; concurrent
   * calls share one read. Returns the keys after that.
   */
  refresh(): Promise<KeySet | undefined>;
  /** Reads the file or URL again. The old keys stay in use when it cannot be used. */
  reload(): Promise<void>;
  /** Is undefined when only public keys are configured. */
  readonly signingKey: CryptoKey | undefined;
}
