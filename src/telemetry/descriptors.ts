/** The file descriptors of this process. Linux tells them in /proc; elsewhere they are not known. */
import { readdirSync, readFileSync, statSync } from "node:fs";

const FOLDER = "/proc/self/fd";

/** Returns the number of open descriptors. Since Linux 6.2 it is the size of the folder, which needs no listing. */
export function openDescriptors(): number | undefined {
  try {
    return statSync(FOLDER).size || readdirSync(FOLDER).length - 1;
  } catch {
    return undefined;
  }
}

/** Returns the limit at the start of the process, which does not change. */
export function maxDescriptors(): number | undefined {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1]) || undefined;
  } catch {
    return undefined;
  }
}
