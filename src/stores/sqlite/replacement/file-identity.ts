/** Tells a file from another one under the same path. */
import { statSync } from "node:fs";

export type FileIdentity = string & { readonly identity: never };

/** Returns undefined when there is no file. Two open files never have the same identity. */
export function identityOf(path: string): FileIdentity | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && (`${found.dev}:${found.ino}` as FileIdentity);
}

/**
 * Returns an identity that can be written to a file. Device numbers change when the machine restarts, and the inode
 * number of a deleted file is used again, so it consists of the inode number and the time of creation. File systems
 * without that time have 0.
 */
export function lastingIdentityOf(path: string): FileIdentity | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && (`${found.ino}:${found.birthtimeNs}` as FileIdentity);
}
