import { existsSync } from "node:fs";
import { join } from "node:path";

/** The material that stands beside the project (feeds and vectors by others), and is no part of it. */
const SHARED = join(import.meta.dir, "../../../../shared");

/**
 * A file or folder of it. Where it is missing, tests that need it are skipped and say so; in CI it must be
 * there, so nothing is skipped and the tests fail on it.
 */
export function shared(path: string): { readonly path: string; readonly missing: boolean } {
  const full = join(SHARED, path);
  return { path: full, missing: !process.env.CI && !existsSync(full) };
}
