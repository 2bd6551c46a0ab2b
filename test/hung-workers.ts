/** Workers that exist but do not respond. It takes ten seconds until they are replaced, so other tests run meanwhile. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { COMMAND, childProcesses, type ServeProcess, startWithSample } from "./process.ts";

function startServer(folder: string, name: string): Promise<ServeProcess> {
  const args = ["--workers", "2", "--log", "errors", "--admin-port", "0"];
  return startWithSample(join(folder, `${name}.db`), args);
}

async function readText(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, init);
  return `${response.status} ${await response.text()}`;
}

/** Stops all workers with SIGSTOP and returns what an operator sees, from before to after their replacement. */
export async function replaceHungWorkers(folder: string) {
  const server = await startServer(folder, "hung");
  const probe = (path: string) => readText(server.adminUrl + path);
  const probes = async () => [await probe("/livez"), await probe("/readyz")];
  const before = await probes();
  const workers = childProcesses(server.process.pid);
  for (const worker of workers) process.kill(worker, "SIGSTOP");
  await waitFor("/readyz is 503", async () => (await probe("/readyz")).startsWith("503"));
  await waitFor("/livez is 503", async () => (await probe("/livez")).startsWith("503"));
  const hung = await probes();
  const isReplaced = () => {
    const now = childProcesses(server.process.pid);
    return now.length === 2 && now.every((pid) => !workers.includes(pid));
  };
  await waitFor("both workers are replaced", isReplaced);
  await waitFor("/readyz is 200", async () => (await probe("/readyz")).startsWith("200"));
  const after = await probes();
  const headers = { Authorization: `Bearer ${server.token}` };
  const response = await readText(`${server.url}/api/imprints`, { headers });
  const metrics = await probe("/metrics");
  const exitCode = await server.stop();
  return { workers, before, hung, after, response, metrics, exitCode, log: await server.stderr };
}

/** Stops a server of which one worker cannot respond. Returns its exit code. */
export async function stopWithHungWorker(folder: string): Promise<number> {
  const server = await startServer(folder, "stopped");
  process.kill(childProcesses(server.process.pid)[0]!, "SIGSTOP");
  return server.stop();
}

/** Starts a server whose first worker cannot respond from its beginning. */
async function startWithHungWorker(folder: string, name: string) {
  const args = ["serve", "--port", "0", "--db", join(folder, `${name}.db`), "--create", "--workers", "2"];
  const server = Bun.spawn([COMMAND, ...args], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  // Before it becomes the server, the process is a shell with children of its own.
  const findWorker = () => childProcesses(server.pid).find(isWorker);
  await waitFor("the first worker exists", () => findWorker() !== undefined);
  const worker = findWorker()!;
  process.kill(worker, "SIGSTOP");
  return { server, worker };
}

function isWorker(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("serve-worker");
  } catch {
    return false;
  }
}

/** Stops a server that has not started because of a hung worker. Returns its exit code and whether the worker is left. */
export async function stopWhileStarting(folder: string) {
  const { server, worker } = await startWithHungWorker(folder, "starting");
  server.kill("SIGTERM");
  const exitCode = await server.exited;
  return { exitCode, isWorkerLeft: existsSync(`/proc/${worker}`) };
}

/** Waits for the end of a server whose first worker hangs. Returns what it says. */
export async function waitForHungStart(folder: string) {
  const { server } = await startWithHungWorker(folder, "never-started");
  const stderr = await new Response(server.stderr).text();
  return { exitCode: await server.exited, stderr };
}
