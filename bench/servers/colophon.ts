/** Starts the real program, `bin/colophon serve`, with a token for the benchmark. */
import { join } from "node:path";
import { LARGEST_IMPRINT } from "../catalog-feed.ts";
import { descendantsOf, freePort, pinnedTo, waitUntilReady } from "../processes.ts";
import type { StartServer } from "../server-under-test.ts";

const COMMAND = join(import.meta.dir, "../../bin/colophon");
const ENVIRONMENT = {
  ...process.env,
  COLOPHON_JWT_SECRET: "the signing secret of the benchmark, 32 bytes or more",
};

export function colophon(workers: number): StartServer {
  return async ({ databasePath }, cores) => {
    const { url, headers, child } = await launchColophon(databasePath, cores, workers);
    await waitUntilReady(`${url}/api/imprints`, headers);
    return {
      name: workers === 1 ? "Colophon" : `Colophon, ${workers} workers`,
      url,
      headers,
      // With several workers, the parent process only supervises them.
      pids: workers === 1 ? [child.pid] : descendantsOf(child.pid),
      paths: {
        isbn: (isbn) => `/api/isbn/${isbn}`,
        isbns: (isbns) => `/api/isbns/${isbns.join(",")}`,
        imprint: `/api/imprint/${LARGEST_IMPRINT.slug}`,
        skus: "/api/skus",
        news: "/api/news",
      },
      async stop() {
        child.kill("SIGTERM");
        await child.exited;
      },
    };
  };
}

/** Starts the program and returns at once. The caller waits with `waitUntilReady`. */
export async function launchColophon(databasePath: string, cores: string, workers: number) {
  const token = await issueToken(databasePath);
  const port = freePort();
  const options = ["--db", databasePath, "--port", String(port), "--workers", String(workers)];
  const child = Bun.spawn(pinnedTo(cores, [COMMAND, "serve", ...options, "--log", "errors"]), {
    env: ENVIRONMENT,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  return { url: `http://127.0.0.1:${port}`, headers: { Authorization: `Bearer ${token}` }, child };
}

async function issueToken(databasePath: string): Promise<string> {
  const child = Bun.spawn([COMMAND, "token", "--name", "Bench", "--db", databasePath], {
    env: ENVIRONMENT,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const token = (await new Response(child.stdout).text()).trim();
  if ((await child.exited) !== 0) throw new Error("colophon token has failed");
  return token;
}
