/** A server at the limit of open files. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { COMMAND, colophon, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();

/** Seconds of processor time that a process has used. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

test.skipIf(process.platform !== "linux")(
  "at the limit of open files the service refuses, says so, rests, and goes on (skipped without /proc)",
  async () => {
    const db = join(folder, "catalog.db");
    const script = 'ulimit -n 200; exec "$0" "$@"';
    // All connections come from one address, which must not be limited before the descriptors are.
    const options = ["--create", "--port", "0", "--connections-per-address", "400", "--db", db];
    const child = Bun.spawn(["sh", "-c", script, COMMAND, "serve", ...options], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    let [out, log] = ["", ""];
    const collect = async (stream: ReadableStream<Uint8Array>, add: (text: string) => void) => {
      const decoder = new TextDecoder();
      for await (const part of stream) add(decoder.decode(part, { stream: true }));
    };
    void collect(child.stdout, (text) => {
      out += text;
    });
    void collect(child.stderr, (text) => {
      log += text;
    });
    await waitFor("the service listens", () => /http:\S+(?=\/openapi)/.test(out));
    const { port } = new URL(/http:\S+(?=\/openapi)/.exec(out)![0]);
    const token = (await colophon(["token", "--name", "T", "--db", db])).stdout.trim();
    const sockets: Socket[] = [];
    for (let count = 0; count < 400; count++) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.on("error", () => {});
      sockets.push(socket);
    }
    await waitFor(
      "the log says so",
      () => log.includes("limit of open files") || log.includes('"descriptors"'),
    );
    // A loop that tries to accept without a pause never rests.
    await waitFor("the service rests", async () => {
      const before = cpuSeconds(child.pid);
      await Bun.sleep(300);
      return cpuSeconds(child.pid) - before < 0.05;
    });
    for (const socket of sockets) socket.destroy();
    const headers = { Authorization: `Bearer ${token}`, Connection: "close" };
    await waitFor("a request is served", async () => {
      const response = await fetch(`http://127.0.0.1:${port}/api/skus`, { headers }).catch(() => undefined);
      return response?.status === 200;
    });
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  },
);
