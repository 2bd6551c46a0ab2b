import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let root: string | undefined;

/** Creates a folder that is deleted when this process has ended, however it ends. `bun test` emits no event "exit". */
export function createProcessFolder(prefix: string): string {
  root ??= createRoot();
  return mkdtempSync(join(root, prefix));
}

function createRoot(): string {
  const folder = mkdtempSync(join(tmpdir(), "colophon-"));
  // Some tests let another user into their folder.
  chmodSync(folder, 0o711);
  // The shell reads from a pipe that closes with this process.
  const command = ["sh", "-c", 'read line; rm -rf "$0"', folder];
  Bun.spawn(command, { stdin: "pipe", stdout: "ignore", stderr: "ignore" }).unref();
  return folder;
}
