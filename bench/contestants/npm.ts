/** Contestants that come from npm, in a folder of their own: they are no part of the project. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGES = ["fastify@5", "better-sqlite3@12", "json-server@0.17.4"];

/** The folder that has them; installed when they are not there. better-sqlite3 is compiled, which takes minutes. */
export async function installed(folder: string): Promise<string> {
  const home = join(folder, "npm");
  if (existsSync(join(home, "made"))) return home;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), '{"private":true}');
  const child = Bun.spawn(["npm", "install", "--no-audit", "--no-fund", ...PACKAGES], {
    cwd: home,
    stdio: ["ignore", "ignore", "ignore"],
  });
  if ((await child.exited) !== 0) throw new Error(`npm install ${PACKAGES.join(" ")} fails here`);
  writeFileSync(join(home, "made"), "");
  return home;
}
