/**
 * What tests need beyond the repository: programs, files, rights. A test that lacks one is skipped, and its title says
 * so. With `CI` set nothing counts as missing: such tests run, and fail.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Returns whether the tests are to be skipped. */
export function isMissing(isPresent: boolean): boolean {
  return !isPresent && !process.env.CI;
}

export function isProgramMissing(...names: readonly string[]): boolean {
  return isMissing(names.every((name) => Bun.which(name) !== null));
}

export function isFileMissing(path: string): boolean {
  return isMissing(existsSync(path));
}

/** Real feeds and test vectors by others. The folder is beside the repository and not part of it. */
const SHARED_FOLDER = join(import.meta.dir, "../../../../shared");

/** Returns the path of a shared file or folder. Tests that need a missing one are skipped and say so. */
export function sharedFile(path: string): { readonly path: string; readonly missing: boolean } {
  const full = join(SHARED_FOLDER, path);
  return { path: full, missing: isFileMissing(full) };
}
