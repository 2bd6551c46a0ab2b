import { readdirSync, readFileSync } from "node:fs";

/** Returns the processes that a process has started and that have not ended. Needs /proc. */
export function childProcesses(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        // The name of the program is in parentheses, and may contain spaces.
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "");
        return Number(stat.split(" ")[1]) === parent;
      } catch {
        return false;
      }
    });
}
