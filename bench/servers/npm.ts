/** The servers that come from npm. They are no dependencies of the project. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LARGEST_IMPRINT } from "../product-xml.ts";
import { API_PATHS, type StartServer, startProgram } from "./server.ts";

const PACKAGES = ["fastify@5", "better-sqlite3@12", "json-server@0.17.4"];
const MAX_JSON_SERVER_RECORDS = 10_000;

/** Fastify with SQLite: one table of JSON records, parsed and serialised for each response. */
export const fastify: StartServer = async ({ workFolder, databasePath }, cores) => {
  const app = join(await npmFolder(workFolder), "fastify-app.mjs");
  // The copy finds its packages in the node_modules beside it.
  copyFileSync(join(import.meta.dir, "fastify-app.mjs"), app);
  return startProgram({
    name: "Fastify + SQLite",
    command: (port) => ["node", app, databasePath, String(port)],
    cores,
    readyPath: "/api/ready",
    paths: API_PATHS,
  });
};

/** json-server serves one JSON file, which it holds in memory. */
export const jsonServer: StartServer = async ({ records, staticFolder, workFolder }, cores) => {
  if (records > MAX_JSON_SERVER_RECORDS)
    throw new Error(`holds all records in memory; measured with ${MAX_JSON_SERVER_RECORDS}`);
  const program = join(await npmFolder(workFolder), "node_modules/.bin/json-server");
  const file = join(workFolder, `json-server-${records}.json`);
  if (!existsSync(file)) writeJsonFile(file, join(staticFolder, "api/isbn"));
  return startProgram({
    name: "json-server",
    command: (port) => [program, "--quiet", "--port", String(port), "--host", "127.0.0.1", file],
    cores,
    readyPath: "/isbn?_limit=1",
    paths: { isbn: (isbn) => `/isbn/${isbn}`, imprint: `/isbn?imprint=${LARGEST_IMPRINT.slug}` },
  });
};

function writeJsonFile(path: string, isbnFolder: string): void {
  const isbn = readdirSync(isbnFolder).map((id) => {
    const record = JSON.parse(readFileSync(join(isbnFolder, id), "utf8"));
    const isOfLargest = record.PublishingDetail.Imprint[0].ImprintName === LARGEST_IMPRINT.name;
    return { id, imprint: isOfLargest ? LARGEST_IMPRINT.slug : "other", ...record };
  });
  writeFileSync(path, JSON.stringify({ isbn }));
}

/** Returns the folder with the packages. Installs them at the first call: compiling better-sqlite3 takes minutes. */
async function npmFolder(workFolder: string): Promise<string> {
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
