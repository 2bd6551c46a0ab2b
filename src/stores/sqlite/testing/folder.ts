import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder for a catalog. */
export class TempFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "colophon-"));
  readonly catalog = join(this.path, "catalog.db");

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}
