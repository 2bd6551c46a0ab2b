/** `colophon serve --workers`: several processes on one port. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { message, product } from "../src/onix/testing/message.ts";
import { colophon, type ServeProcess, startColophon, temporaryFolder } from "./process.ts";

setDefaultTimeout(60_000);

const ISBN = "9788437604947";
const folder = temporaryFolder();
const db = join(folder.path, "catalog.db");
let it: ServeProcess;

beforeAll(async () => {
  it = await startColophon(["--db", db, "--sample", "--workers", "2"]);
});
afterAll(async () => {
  it.process.kill("SIGKILL");
  await it.process.exited;
  folder.remove();
});

function children(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          Number(
            readFileSync(`/proc/${pid}/stat`, "utf8")
              .replace(/^.*\) /s, "")
              .split(" ")[1],
          ) === parent
        );
      } catch {
        return false;
      }
    });
}

/** On a connection of its own, so that the system chooses the worker anew; undefined when it was cut. */
function ask(path: string): Promise<{ status: number; text: string } | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(new URL(it.url).port), "127.0.0.1", () =>
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${it.token}\r\n\r\n`,
      ),
    );
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text === "" ? undefined : { status: Number(text.slice(9, 12)), text }));
  });
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(20);
}

async function imported(...products: string[]): Promise<void> {
  const feed = join(folder.path, "feed.xml");
  writeFileSync(feed, message(...products));
  expect((await colophon(["import", "--db", db, feed])).code).toBe(0);
}

test("there are as many as were asked for, and the address and the token are printed once", () => {
  expect(children(it.process.pid)).toHaveLength(2);
  expect(it.stdout.match(/openapi\.html/g)).toHaveLength(1);
  expect(it.stdout.match(/\neyJ/g)).toHaveLength(1);
});

test("an import and a deletion are seen by every worker, by the next request", async () => {
  const path = `/api/isbn/${ISBN}`;
  /** Enough for both workers to have been asked, and to keep the answer. */
  const many = () => Promise.all(Array.from({ length: 40 }, () => ask(path)));
  const statuses = async () => new Set((await many()).map((reply) => reply?.status));
  expect(await statuses()).toEqual(new Set([404]));
  for (const title of ["First", "Second"]) {
    await imported(product({ isbn: ISBN, title }));
    for (const reply of await many()) expect(reply?.text).toContain(title);
    expect(await statuses()).toEqual(new Set([200]));
  }
  await imported(product({ isbn: ISBN, notification: "05", blocks: "" }));
  expect(await statuses()).toEqual(new Set([404]));
});

test("a token that is revoked is refused by every worker", async () => {
  const { stdout } = await colophon(["token", "list", "--json", "--db", db]);
  const [{ id }] = JSON.parse(stdout);
  await Promise.all(Array.from({ length: 40 }, () => ask("/api/imprints")));
  const fresh = (await colophon(["token", "--name", "Other", "--db", db])).stdout.trim();
  expect((await colophon(["token", "revoke", id, "--db", db])).code).toBe(0);
  const replies = await Promise.all(Array.from({ length: 40 }, () => ask("/api/imprints")));
  expect(new Set(replies.map((reply) => reply?.status))).toEqual(new Set([401]));
  it = { ...it, token: fresh };
});

test("one that is killed is replaced, and requests go on", async () => {
  const before = children(it.process.pid);
  let over = false;
  const statuses: (number | undefined)[] = [];
  const going = (async () => {
    while (!over) statuses.push((await ask("/api/imprints"))?.status);
  })();
  process.kill(before[0]!, "SIGKILL");
  await until(() => {
    const now = children(it.process.pid);
    return now.length === 2 && !now.includes(before[0]!);
  });
  expect(children(it.process.pid)).toContain(before[1]!);
  const already = statuses.length;
  await until(() => statuses.length > already + 100);
  over = true;
  await going;
  // Nothing but what the dead one had in its hands may be cut, and nothing is answered wrongly.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(100);
  expect(statuses.filter((status) => status !== 200 && status !== undefined)).toEqual([]);
});

test("a port that is taken is refused, though workers could share it", async () => {
  const { code, stderr } = await colophon([
    ...["serve", "--db", db, "--workers", "2", "--port", new URL(it.url).port],
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain("is in use: choose another with --port");
});

test("SIGTERM ends all of them; exit 0", async () => {
  const workers = children(it.process.pid);
  expect(await it.stop()).toBe(0);
  const alive = workers.filter((pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  });
  expect(alive).toEqual([]);
});

test("workers end when the one who started them is gone", async () => {
  const other = await startColophon(["--db", join(folder.path, "other.db"), "--workers", "2"]);
  const workers = children(other.process.pid);
  expect(workers).toHaveLength(2);
  other.process.kill("SIGKILL");
  await other.process.exited;
  await until(() =>
    workers.every((pid) => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    }),
  );
});
