/**
 * `npm run bench:server [-- --quick] [-- --only ours,bun]`: compares our HTTP server with Bun.serve: the same app, one
 * book, 64 connections.
 */
import { join } from "node:path";
import { formatCount, parseFlags, requirePrograms, selectOnly, temporaryFolder } from "../command.ts";
import { alternate } from "../measure.ts";
import { SERVER_CORE } from "../processes.ts";
import { API_PATHS, startProgram } from "../servers/server.ts";

const PATH = "/api/isbn/9789999923019";

const SERVERS = [
  { id: "ours", name: "our server" },
  { id: "bun", name: "Bun.serve, the same app" },
  { id: "constant", name: "Bun.serve, a constant response" },
];

const flags = parseFlags({});
requirePrograms(["wrk"], "wrk");
const program = join(import.meta.dir, "program.ts");
const servers = await Promise.all(
  selectOnly(SERVERS, flags.only).map(({ id, name }) =>
    startProgram({
      name,
      command: (port) => [process.execPath, program, id, String(port)],
      cores: SERVER_CORE,
      readyPath: PATH,
      headers: { Authorization: "Bearer x" },
      paths: API_PATHS,
    }),
  ),
);
try {
  const [rounds, seconds] = flags.quick ? [1, 1] : [5, 4];
  const options = { workFolder: temporaryFolder(), rounds, seconds, warmUpSeconds: seconds, maxAttempts: 3 };
  const results = await alternate(servers, options, () => ({ path: PATH }));
  const [first] = results.values();
  for (const [name, { requestsPerSecond, cpuMicroseconds, p99Ms }] of results) {
    const rate = formatCount(requestsPerSecond);
    const ratio = (requestsPerSecond / first!.requestsPerSecond).toFixed(2);
    const cost = `${cpuMicroseconds.toFixed(1)} µs CPU a request, p99 ${p99Ms.toFixed(2)} ms`;
    console.log(`${name}: ${rate} requests/s (${ratio} of the first), ${cost}`);
  }
} finally {
  for (const server of servers) await server.stop();
}
