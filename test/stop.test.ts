/** The signals of `colophon serve` and `import`: what ends them, what delays the end, and what does nothing. */
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { message, product } from "../src/onix/testing/message.ts";
import { COMMAND, childProcesses, colophon, startColophon, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const db = join(folder, "catalog.db");
beforeAll(async () => {
  expect((await colophon(["migrate", "--db", db])).code).toBe(0);
});

describe("--drain", () => {
  test.each([1, 2])("says not ready and serves until a second signal, with %i processes", async (workers) => {
    const server = await startColophon([
      ...["--db", db, "--workers", String(workers), "--drain", "3600", "--admin-port", "0"],
    ]);
    const readiness = () => fetch(`${server.adminUrl}/readyz`);
    expect((await readiness()).status).toBe(200);
    server.process.kill("SIGTERM");
    await waitFor("/readyz is 503", async () => (await readiness()).status === 503);
    expect(await (await readiness()).text()).toBe("stopping");
    // systemd may send the signal to all processes of a service.
    for (const worker of childProcesses(server.process.pid)) process.kill(worker, "SIGTERM");
    for (let time = 0; time < 20; time++) {
      const response = await fetch(`${server.url}/openapi.json`, { headers: { Connection: "close" } });
      expect(response.status).toBe(200);
    }
    server.process.kill("SIGINT");
    expect(await server.process.exited).toBe(0);
    expect(await server.stderr).toContain('"reason":"SIGTERM; connections are accepted for 3600 s"');
  });

  test("ends by itself after the time", async () => {
    const server = await startColophon(["--db", db, "--drain", "1"]);
    expect(await server.stop()).toBe(0);
    const seconds = Number(/"event":"stopped","seconds":([\d.]+)/.exec(await server.stderr)?.[1]);
    expect(seconds).toBeGreaterThanOrEqual(1);
  });
});

describe("SIGTERM to npm", () => {
  const ROOT = join(import.meta.dir, "..");
  test.each(["npm start", "npx colophon serve --sample"])("ends the server of %s", async (line) => {
    const command = line.split(" ");
    const env = { ...process.env, COLOPHON_DB: join(folder, `${command[0]}.db`), PORT: "0" };
    const npm = Bun.spawn(command, { cwd: ROOT, env, stdout: "pipe", stderr: "pipe" });
    const stderr = new Response(npm.stderr).text();
    const reader = npm.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let stdout = "";
    while (!/openapi\.html\n/.test(stdout)) stdout += (await reader.read()).value!;
    npm.kill("SIGTERM");
    // Its end closes the pipe that the server has too.
    for (let isOpen = true; isOpen; ) isOpen = !(await reader.read()).done;
    expect(await stderr).toContain('"event":"stopped"');
  });
});

describe("SIGUSR1 and SIGUSR2", () => {
  test("end neither the server nor its workers", async () => {
    const server = await startColophon(["--db", db, "--workers", "2", "--log", "errors"]);
    const workers = childProcesses(server.process.pid);
    for (const pid of [server.process.pid, ...workers]) {
      process.kill(pid, "SIGUSR1");
      process.kill(pid, "SIGUSR2");
    }
    expect((await fetch(`${server.url}/openapi.json`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    // Neither the death of a worker nor the address of a debugger.
    const events = (await server.stderr).match(/"event":"\w+"/g);
    expect(events).toEqual(['"event":"started"', '"event":"stopping"', '"event":"stopped"']);
    expect((await server.stderr).trim().split("\n")).toHaveLength(3);
  });

  test("do not end an import", async () => {
    const child = Bun.spawn([COMMAND, "import", "--db", db, "-"], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    // The import holds the lock of the catalog while it waits for the feed.
    const feed = message(product({ isbn: "9788437604947", title: "A" }));
    child.stdin.write(feed.slice(0, 100));
    await child.stdin.flush();
    await waitFor("the import has begun", async () => {
      const status = await Bun.file(`/proc/${child.pid}/status`).text();
      // The mask of handled signals: bit 9 is SIGUSR1, bit 11 is SIGUSR2.
      const caught = BigInt(`0x${/SigCgt:\s*([0-9a-f]+)/.exec(status)![1]}`);
      return (caught & 0xa00n) === 0xa00n;
    });
    child.kill("SIGUSR1");
    child.kill("SIGUSR2");
    child.stdin.write(feed.slice(100));
    await child.stdin.end();
    expect(await child.exited).toBe(0);
  });
});

test("`started` is logged after the address is printed, and not by a server that fails to start", async () => {
  const server = await startColophon(["--db", db]);
  const inUse = await colophon([
    ...["serve", "--db", db, "--port", "0", "--admin-port", String(server.port)],
  ]);
  expect(inUse.code).toBe(1);
  expect(inUse.stderr).not.toContain('"started"');
  expect(await server.stop()).toBe(0);
  expect(await server.stderr).toContain('"started"');
});
