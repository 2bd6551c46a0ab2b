/** `colophon serve` on a socket of systemd, as the units in examples/ start it. */
import { dlopen, ptr } from "bun:ffi";
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { isProgramMissing } from "../src/lib/testing/requirements.ts";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { repetitions, reportFault } from "./faults/fault-report.ts";
import { colophon } from "./in-process.ts";
import { COMMAND, childProcesses, runProgram, temporaryFolder } from "./process.ts";

const UNIT = readFileSync(join(import.meta.dir, "../examples/colophon.service"), "utf8");
const folder = temporaryFolder();
const db = join(folder, "catalog.db");
let token = "";

beforeAll(async () => {
  expect((await colophon(["migrate", "--db", db])).code).toBe(0);
  token = (await colophon(["token", "--name", "T", "--db", db])).stdout.trim();
});

/** The arguments of the example unit, with the catalog of this test and a free admin port. */
function unitArguments(): string[] {
  const [program, ...args] = /^ExecStart=(.*)$/m.exec(UNIT)![1]!.split(" ");
  expect(program).toEndWith("/bin/colophon");
  return [...args.map((argument) => (argument === "9090" ? "0" : argument)), "--db", db];
}

/** Requests the ISBNs on a new connection. Returns the status, or undefined when the connection ends without one. */
function requestStatus(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(
        `GET /api/skus HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      ),
    );
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text === "" ? undefined : Number(text.slice(9, 12))));
  });
}

type Service = ReturnType<typeof startWithSocket>;

function start(socket: HeldSocket): Service {
  const service = startWithSocket(socket, unitArguments());
  // A full pipe would block the service.
  void new Response(service.stdout).text();
  void new Response(service.stderr).text();
  return service;
}

async function stop(service: Service): Promise<void> {
  service.kill("SIGTERM");
  expect(await service.exited).toBe(0);
}

describe.skipIf(process.platform !== "linux")(
  "with an inherited socket (skipped on systems other than Linux)",
  () => {
    test("serves the address of the socket, and prints it", async () => {
      const socket = holdSocket();
      const args = ["serve", "--db", db, "--port", "1", "--log", "none"];
      const service = startWithSocket(socket, args);
      const printed = new Response(service.stdout).text();
      expect(await requestStatus(socket.port)).toBe(200);
      await stop(service);
      expect(await printed).toContain(`http://127.0.0.1:${socket.port}/openapi.html`);
      socket.close();
    });

    test("loses no connection during restarts, and lets those wait that come in between", async () => {
      const rounds = repetitions(1, 10);
      const socket = holdSocket();
      let isOver = false;
      const statuses: (number | undefined)[] = [];
      const clients = Array.from({ length: 8 }, async () => {
        while (!isOver) statuses.push(await requestStatus(socket.port));
      });
      for (let round = 0; round < rounds; round++) {
        const service = start(socket);
        const served = statuses.length;
        await waitFor("100 requests", () => statuses.length > served + 100);
        await stop(service);
      }
      const last = start(socket);
      isOver = true;
      await Promise.all(clients);
      await stop(last);
      expect(new Set(statuses)).toEqual(new Set([200]));
      socket.close();
      reportFault({
        fault: "restart under load, on a socket that systemd holds",
        tried: rounds,
        lost: "no request",
        checked: `8 clients, a new connection for each of ${statuses.length.toLocaleString("en-US")} requests, all 200`,
      });
    });

    test("every worker accepts connections, and a killed one loses only its own", async () => {
      const socket = holdSocket();
      const service = start(socket);
      expect(await requestStatus(socket.port)).toBe(200);
      const workers = childProcesses(service.pid);
      expect(workers).toHaveLength(2);
      // Of two workers, the one that runs has to accept all.
      for (const stopped of workers) {
        process.kill(stopped, "SIGSTOP");
        const statuses = await Promise.all(Array.from({ length: 20 }, () => requestStatus(socket.port)));
        expect(new Set(statuses)).toEqual(new Set([200]));
        process.kill(stopped, "SIGCONT");
      }
      for (const worker of workers) process.kill(worker, "SIGKILL");
      // Nobody accepts these until the replacements do.
      const waiting = await Promise.all(Array.from({ length: 20 }, () => requestStatus(socket.port)));
      expect(new Set(waiting)).toEqual(new Set([200]));
      await stop(service);
      socket.close();
    });

    test("refuses a descriptor that is not a listening socket, and says what to write", async () => {
      const script = 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" serve --db "$1" 3</dev/null';
      const { code, stderr } = await runProgram(["sh", "-c", script, COMMAND, db]);
      expect(code).toBe(1);
      expect(stderr).toContain(
        "colophon: descriptor 3 (LISTEN_FDS) is not a listening TCP socket: write a port",
      );
    });
  },
);

describe.skipIf(isProgramMissing("systemd-socket-activate"))(
  "with systemd-socket-activate (skipped where it is not installed)",
  () => {
    test("takes the socket that systemd passes", async () => {
      const free = holdSocket();
      free.close();
      const address = `127.0.0.1:${free.port}`;
      const service = Bun.spawn(
        ["systemd-socket-activate", "-l", address, COMMAND, "serve", "--db", db, "--log", "none"],
        { stdout: "ignore", stderr: "ignore" },
      );
      await waitFor("systemd listens", async () => (await requestStatus(free.port)) === 200);
      service.kill("SIGTERM");
      expect(await service.exited).toBe(0);
    });
  },
);

/** A listening socket of which nothing accepts connections. They wait in its queue. */
interface HeldSocket {
  readonly fd: number;
  readonly port: number;
  close(): void;
}

/** socket(2), listen(2), netinet/in.h. Bun has no way to listen without accepting. */
const AF_INET = 2;
const SOCK_STREAM = 1;
const BACKLOG = 1024;

function holdSocket(): HeldSocket {
  const { symbols: libc } = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    listen: { args: ["i32", "i32"], returns: "i32" },
    getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
    close: { args: ["i32"], returns: "i32" },
  });
  const fd = libc.socket(AF_INET, SOCK_STREAM, 0);
  // struct sockaddr_in: family, port, address.
  const address = new Uint8Array(16);
  address.set([AF_INET, 0, 0, 0, 127, 0, 0, 1]);
  const results = [
    libc.bind(fd, ptr(address), address.length),
    libc.listen(fd, BACKLOG),
    libc.getsockname(fd, ptr(address), ptr(new Uint32Array([address.length]))),
  ];
  if (fd < 0 || results.some((result) => result !== 0)) throw new Error("cannot listen");
  const port = new DataView(address.buffer).getUint16(2);
  return { fd, port, close: () => void libc.close(fd) };
}

/** Starts the program as systemd does for a .socket unit (sd_listen_fds(3)): with a listening socket as descriptor 3. */
function startWithSocket(
  { fd }: HeldSocket,
  args: readonly string[],
): Bun.Subprocess<"ignore", "pipe", "pipe"> {
  // The shell becomes the program, so its process id is the right one.
  const script = 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" "$@"';
  return Bun.spawn(["sh", "-c", script, COMMAND, ...args], {
    stdio: ["ignore", "pipe", "pipe", fd],
  }) as unknown as Bun.Subprocess<"ignore", "pipe", "pipe">;
}
