import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a folder that is deleted when this process has ended, however it ends. `bun test` emits no event "exit". */
export function createProcessFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  // The shell reads from a pipe that closes with this process.
  const command = ["sh", "-c", 'read line; rm -rf "$0"', folder];
  Bun.spawn(command, { stdin: "pipe", stdout: "ignore", stderr: "ignore" }).unref();
  return folder;
}
