/** What hangs: a worker before it listens, and clients that hardly send. It takes long, so only for `npm run test:faults`. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { setSocketOption } from "../../src/server/listener/libc.ts";
import { RawClient } from "../../src/server/testing/raw-client.ts";
import { collect, openSocket } from "../../src/server/testing/socket.ts";
import { waitForHungStart } from "../hung-workers.ts";
import { colophon, fetchAs, startWithSample, temporaryFolder } from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";

const tried = repetitions(0, 1);
const folder = temporaryFolder();
const SENDERS = 800;
/** With the senders, more than the 10,000 connections that one process accepts, and half of what two do. */
const NON_READERS = 9500;
const BYTE_INTERVAL_MS = 5000;
/** socket(7). */
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;

// Without repetitions there is no test, rather than one that is skipped.
for (let round = 0; round < tried; round++) {
  test("serve ends, and says why, when a worker hangs while it starts", async () => {
    const { exitCode, stderr } = await waitForHungStart(folder);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/could not start \(signal SIGKILL: it had not responded for \d+ s\)/);
    reportFault({
      fault: "SIGSTOP of a worker that `serve --workers` is starting",
      tried,
      lost: "nothing",
      checked: "the service ends with exit 1 after a minute, and its message has the reason",
    });
  });

  test("clients that send a byte every 5 s are all closed with 408, and others notice nothing of them and of clients that do not read", async () => {
    const db = join(folder, "sample.db");
    const limits = ["--workers", "2", "--rate", "1000000/60", "--connections-per-address", "10000"];
    await using server = await startWithSample(db, limits);
    using disposal = new DisposableStack();
    const nonReaders: RawClient[] = [];
    const request = `GET /api/translations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n\r\n`;
    for (let count = 0; count < NON_READERS; count++) {
      const client = disposal.use(new RawClient());
      // Thousands of usual buffers would be more than the system has for all connections.
      setSocketOption(client.fd, SOL_SOCKET, SO_RCVBUF, new Uint8Array(Int32Array.of(4096).buffer));
      client.connect(server.port);
      client.send(request);
      nonReaders.push(client);
    }
    const sockets = await Promise.all(Array.from({ length: SENDERS }, () => openSocket(server.port)));
    const senders = sockets.map(collect);
    const startMs = performance.now();
    const sendBytes = () => {
      for (const socket of sockets) if (socket.writable) socket.write("G");
    };
    sendBytes();
    const timer = setInterval(sendBytes, BYTE_INTERVAL_MS);
    const other = (await colophon(["token", "--name", "Other", "--db", db])).stdout.trim();
    const callers = [
      { name: "their token", token: server.token, timesMs: [] as number[] },
      { name: "another token", token: other, timesMs: [] as number[] },
    ];
    for (let isOver = false; !isOver; await Bun.sleep(5)) {
      for (const { token, timesMs } of callers) {
        const sentMs = performance.now();
        const response = await fetchAs(token, `${server.url}/api/isbn/9789999901116`);
        expect([response.status, (await response.bytes()).length > 0]).toEqual([200, true]);
        timesMs.push(performance.now() - sentMs);
      }
      isOver = senders.every(({ closed }) => closed);
    }
    clearInterval(timer);
    const seconds = Math.ceil((performance.now() - startMs) / 1000);
    expect(new Set(senders.map(({ text }) => text.slice(0, 12)))).toEqual(new Set(["HTTP/1.1 408"]));
    const status = new Uint8Array(12);
    const served = nonReaders.filter(
      (client) => client.receive(status) > 0 && `${Buffer.from(status)}` === "HTTP/1.1 200",
    );
    expect(served.length).toBe(NON_READERS);
    const lookups = callers.map(({ name, timesMs }) => {
      const p99 = timesMs.sort((a, b) => a - b)[Math.floor(timesMs.length * 0.99)]!.toFixed(0);
      return `${timesMs.length} lookups with ${name}, p99 ${p99} ms`;
    });
    reportFault({
      fault: `${NON_READERS.toLocaleString("en-US")} clients that do not read, and ${SENDERS} that send a byte of a request every 5 s`,
      tried: NON_READERS + SENDERS,
      lost: "nothing",
      checked: `all senders closed with 408 after ${seconds} s, and all lookups meanwhile with 200: ${lookups.join("; ")}`,
    });
  });
}
