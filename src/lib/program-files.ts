/**
 * Finds what belongs to the program, whether it runs from sources, from an installed package, or as one executable.
 * Paths begin at the folder of the project. `scripts/build.ts` embeds the files and modules under the same paths.
 */
import { join } from "node:path";

/** Where Bun mounts what an executable contains: modules here, other files in the folder `files`. */
const EMBEDDED = process.platform === "win32" ? "B:/~BUN/root" : "/$bunfs/root";

const FOLDER = join(import.meta.dir, "../..");

/** Returns the path of a file, such as `sample/catalog.xml`, for `Bun.file`. */
export function programFile(path: string): string {
  return Bun.isStandaloneExecutable ? `${EMBEDDED}/files/${path}` : join(FOLDER, path);
}

/** Returns the module of a thread, for `new Worker`. The executable contains each `*.worker.ts`, as JavaScript. */
export function threadModule(path: `src/${string}.worker.ts`): string {
  return Bun.isStandaloneExecutable ? `${EMBEDDED}/${path.replace(/ts$/, "js")}` : join(FOLDER, path);
}

/** Returns the command that starts this program once more, without arguments. */
export function ownCommand(): string[] {
  return Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, ...process.execArgv, programFile("src/cli/main.ts")];
}
