/** Saves an input that a check failed on, so that `npm run fuzz -- --again FILE` can run it again. */
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Kind = "request" | "bytes" | "heads" | "feed" | "document";

const FOLDER = join(tmpdir(), "colophon-fuzz");

/** Runs the task. When it fails, saves the input and adds its path to the error. */
export async function savingFailingInput(
  kind: Kind,
  input: Uint8Array,
  task: () => Promise<unknown>,
): Promise<void> {
  try {
    await task();
  } catch (error) {
    mkdirSync(FOLDER, { recursive: true });
    const name = new Bun.CryptoHasher("sha256").update(input).digest("hex").slice(0, 12);
    const path = join(FOLDER, `${kind}-${name}`);
    writeFileSync(path, input);
    const excerpt = Buffer.from(input).toString("latin1").slice(0, 2000);
    throw new Error(
      `${(error as Error).message}\nRun it again: npm run fuzz -- --again ${path}\n${JSON.stringify(excerpt)}`,
    );
  }
}
