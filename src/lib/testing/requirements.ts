/**
 * What tests need beyond the repository: programs, files, rights. A test that lacks one is skipped, and its title says
 * so. With `CI` set nothing counts as missing: such tests run, and fail.
 */
import { existsSync } from "node:fs";

/** Returns whether the tests are to be skipped. */
export function isMissing(isPresent: boolean): boolean {
  return !isPresent && !process.env.CI;
}

/** Returns whether one of the programs is missing. */
export function isProgramMissing(...names: readonly string[]): boolean {
  return isMissing(names.every((name) => Bun.which(name) !== null));
}

export function isFileMissing(path: string): boolean {
  return isMissing(existsSync(path));
}
