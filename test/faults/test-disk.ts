/** A disk that a test can fill up and make read-only. */
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMissing } from "../../src/lib/testing/requirements.ts";

/** Only root on Linux can mount a tmpfs. */
export const canMount = process.platform === "linux" && !isMissing(process.getuid?.() === 0);
export const SKIP_REASON = canMount ? "" : " (skipped: only root on Linux can mount a disk)";

interface TestDisk extends Disposable {
  readonly path: string;
  /** Fills the disk up to the given number of free bytes. */
  fill(freeBytes: number): void;
  /** Undoes `fill`. */
  empty(): void;
  setWritable(isWritable: boolean): void;
}

export function mountTestDisk(folder: string, megabytes: number): TestDisk {
  const path = join(folder, `disk-${crypto.randomUUID()}`);
  const filler = join(path, "filler");
  mkdirSync(path);
  run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path);
  return {
    path,
    fill(freeBytes) {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
    },
    empty: () => rmSync(filler, { force: true }),
    setWritable: (isWritable) => run("mount", "-o", `remount,${isWritable ? "rw" : "ro"}`, path),
    [Symbol.dispose]() {
      // A lazy unmount succeeds even while a killed process is still ending.
      run("umount", "-l", path);
    },
  };
}

/** Shows a folder a second time, read-only, as a container may see the volume of another one. */
export function bindReadonly(source: string, folder: string): Disposable & { readonly path: string } {
  const path = join(folder, `view-${crypto.randomUUID()}`);
  mkdirSync(path);
  run("mount", "--bind", source, path);
  run("mount", "-o", "remount,bind,ro", path);
  return { path, [Symbol.dispose]: () => run("umount", "-l", path) };
}

function run(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
}
