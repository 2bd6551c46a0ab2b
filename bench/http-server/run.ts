/** Compares our HTTP server with Bun.serve: the same app, one book, 64 connections. `npm run bench:server` */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { alternate } from "../alternate.ts";
import { pinnedTo } from "../processes.ts";
import type { ServerUnderTest } from "../server-under-test.ts";

const SERVER_CORE = "0";
const PATH = "/api/isbn/9789999923019";

const NAMES = {
  ours: "our server",
  bun: "Bun.serve, the same app",
  constant: "Bun.serve, a constant response",
} as const;

async function start(name: keyof typeof NAMES): Promise<ServerUnderTest> {
  const program = join(import.meta.dir, "program.ts");
  const child = Bun.spawn(pinnedTo(SERVER_CORE, [process.execPath, program, name]), { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  return {
    name: NAMES[name],
    url: `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`,
    headers: { Authorization: "Bearer x" },
    pids: [child.pid],
    paths: { isbn: (isbn) => `/api/isbn/${isbn}` },
    async stop() {
      child.kill();
      await child.exited;
    },
  } as ServerUnderTest;
}

const workFolder = mkdtempSync(join(tmpdir(), "colophon-bench-"));
const servers = [await start("ours"), await start("bun"), await start("constant")];
try {
  const results = await alternate(
    servers,
    { workFolder, rounds: 5, seconds: 4, warmUpSeconds: 4, maxAttempts: 3 },
    () => ({
      path: PATH,
    }),
  );
  const ours = results.get(NAMES.ours)!;
  for (const [name, { requestsPerSecond, cpuMicroseconds, p99Ms }] of results) {
    const rate = Math.round(requestsPerSecond).toLocaleString("en");
    const ratio = (requestsPerSecond / ours.requestsPerSecond).toFixed(2);
    const cost = `${cpuMicroseconds.toFixed(1)} µs CPU a request, p99 ${p99Ms.toFixed(2)} ms`;
    console.log(`${name}: ${rate} requests/s (${ratio} of ours), ${cost}`);
  }
} finally {
  for (const server of servers) await server.stop();
  rmSync(workFolder, { recursive: true });
}
