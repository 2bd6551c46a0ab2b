/** A control group with a memory limit, of version 1 or 2 (cgroups(7)). The page cache of its files counts, too. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const DROP_CACHES = "/proc/sys/vm/drop_caches";
/** drop_caches: 3 drops file pages, and the entries of folders and files (Linux, sysctl/vm.rst). */
const PAGES_AND_ENTRIES = "3";

interface Hierarchy {
  readonly version: 1 | 2;
  readonly folder: string;
}

export interface MemoryLimit {
  /** Returns the command line that runs inside of the group. */
  readonly inside: (command: readonly string[]) => string[];
  /** Removes the group. Its processes must have ended. */
  readonly remove: () => void;
}

/** Finds the memory controller. Throws with the reason when there is none. */
export function memoryHierarchy(mount = "/sys/fs/cgroup"): Hierarchy {
  const version1 = join(mount, "memory");
  if (existsSync(join(version1, "memory.limit_in_bytes"))) return { version: 1, folder: version1 };
  const controllers = join(mount, "cgroup.controllers");
  if (existsSync(controllers) && readFileSync(controllers, "utf8").split(/\s+/).includes("memory")) {
    return { version: 2, folder: mount };
  }
  throw new Error(`no memory controller of control groups in ${mount}`);
}

/** Creates a group. Throws with the reason when the system does not allow it. */
export function limitMemory(name: string, limitBytes: number, hierarchy = memoryHierarchy()): MemoryLimit {
  const { version, folder } = hierarchy;
  const group = join(folder, name);
  try {
    if (version === 2) writeFileSync(join(folder, "cgroup.subtree_control"), "+memory");
    mkdirSync(group, { recursive: true });
    const limitFile = version === 1 ? "memory.limit_in_bytes" : "memory.max";
    writeFileSync(join(group, limitFile), String(limitBytes));
    const swapFile = join(group, version === 1 ? "memory.memsw.limit_in_bytes" : "memory.swap.max");
    if (existsSync(swapFile)) writeFileSync(swapFile, String(version === 1 ? limitBytes : 0));
  } catch (error) {
    throw new Error(`a control group with a memory limit needs root: ${(error as Error).message}`);
  }
  return {
    // The shell joins the group and becomes the command, so the process id stays the same.
    inside: (command) => ["sh", "-c", `echo $$ > ${group}/cgroup.procs && exec "$@"`, "sh", ...command],
    remove: () => rmdirSync(group),
  };
}

/** Drops all cached files of the system. Throws with the reason when the system does not allow it. */
export function dropCaches(): void {
  Bun.spawnSync(["sync"]);
  try {
    writeFileSync(DROP_CACHES, PAGES_AND_ENTRIES);
  } catch (error) {
    throw new Error(`cold caches need root: ${(error as Error).message}`);
  }
}
