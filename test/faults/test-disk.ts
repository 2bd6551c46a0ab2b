/** A disk of its own for a test, which can be filled up and made read-only. */
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Only root mounts, and only Linux has tmpfs. In CI nothing is skipped: there it must succeed. */
export const canMount = process.platform === "linux" && (process.getuid?.() === 0 || Boolean(process.env.CI));
export const SKIP_REASON = canMount ? "" : " (skipped: only root on Linux can mount a disk)";

export interface TestDisk extends Disposable {
  readonly path: string;
  /** Leaves so many bytes. */
  fill(left: number): void;
  empty(): void;
  setWritable(yes: boolean): void;
}

export function mountTestDisk(folder: string, megabytes: number): TestDisk {
  const path = join(folder, `disk-${crypto.randomUUID()}`);
  const filler = join(path, "filler");
  mkdirSync(path);
  run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path);
  return {
    path,
    fill(left) {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)));
    },
    empty: () => rmSync(filler, { force: true }),
    setWritable: (yes) => run("mount", "-o", `remount,${yes ? "rw" : "ro"}`, path),
    [Symbol.dispose]() {
      // Lazily: a process that was killed may not be quite gone.
      run("umount", "-l", path);
    },
  };
}

function run(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
}
