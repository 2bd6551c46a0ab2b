/** Installs the servers that come from npm. They are no dependencies of the project. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGES = ["fastify@5", "better-sqlite3@12", "json-server@0.17.4"];

/** Returns the folder with the packages. Installs them at the first call: compiling better-sqlite3 takes minutes. */
export async function npmFolder(workFolder: string): Promise<string> {
  const folder = join(workFolder, "npm");
  const marker = join(folder, "complete");
  if (existsSync(marker)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const child = Bun.spawn(["npm", "install", "--no-audit", "--no-fund", ...PACKAGES], {
    cwd: folder,
    stdio: ["ignore", "ignore", "ignore"],
  });
  if ((await child.exited) !== 0) throw new Error(`npm install ${PACKAGES.join(" ")} has failed`);
  writeFileSync(marker, "");
  return folder;
}
