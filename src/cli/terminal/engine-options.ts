/**
 * Options of the JavaScript engine for processes that import. It reads them from the environment when a process starts,
 * so that an executable cannot bring them with it.
 */
import { ownCommand } from "../../lib/program-files.ts";

const COMMANDS: readonly (string | undefined)[] = ["import", "check", "watch"];

const OPTIONS = {
  // Imports run most functions once for each book. The last tier of the compiler costs them more than it saves unless it
  // waits for six times as many calls as usual: a fifth of the CPU time of an import of 20,000 books.
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "400000",
  // The garbage collector lets a heap double before it collects it again when the machine has much memory. With 384 MB
  // in its place, an import of 20,000 books has a peak of 184 instead of 218 MB, for 5 % more CPU time.
  BUN_JSC_forceRAMSize: "402653184",
};

/** Returns the environment of a process that imports. What is set stays. */
export function importEnvironment(): NodeJS.ProcessEnv {
  return { ...OPTIONS, ...process.env };
}

/** What a shell puts in the place of `<(command)`. Bun closes such files when it replaces the process. */
const OPEN_FILE = /^\/(?:dev|proc\/self)\/fd\//;

/** Replaces this process by one with the options, which has the same id, if the command imports. */
export function restartForImports(command: string | undefined): void {
  if (!COMMANDS.includes(command) || Object.keys(OPTIONS).every((name) => name in process.env)) return;
  if (process.argv.some((argument) => OPEN_FILE.test(argument))) return;
  const own = [...ownCommand(), ...process.argv.slice(2)];
  try {
    process.execve?.(own[0]!, own, importEnvironment());
  } catch {
    // An import without the options takes longer.
  }
}
