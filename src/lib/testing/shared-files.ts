import { join } from "node:path";
import { isFileMissing } from "./requirements.ts";

/** Real feeds and test vectors by others. The folder is beside the repository and not part of it. */
const SHARED_FOLDER = join(import.meta.dir, "../../../../shared");

/** Returns the path of a shared file or folder. Tests that need a missing one are skipped and say so. */
export function sharedFile(path: string): { readonly path: string; readonly missing: boolean } {
  const full = join(SHARED_FOLDER, path);
  return { path: full, missing: isFileMissing(full) };
}
