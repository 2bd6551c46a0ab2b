/**
 * The single executable, in an empty folder with an empty environment: what it has to find inside itself. All tests of
 * the program run with it by `npm run test:executable`.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { build } from "../scripts/build.ts";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { identifier, message, product } from "../src/onix/testing/message.ts";
import { childProcesses, fetchAs, runProgram, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const program = join(folder, "a folder", "colophon");
const work = join(folder, "empty");
const feeds = join(folder, "feeds");

let server: Bun.Subprocess<"ignore", "pipe", "pipe">;
let url = "";
let token = "";
let adminPort = "";

/** Runs the executable to its end. */
const run = (...args: string[]) => runProgram([program, ...args], { cwd: work, env: {} });

const request = (path: string) => fetchAs(token, url + path);

beforeAll(async () => {
  await build(program);
  for (const each of [work, feeds]) mkdirSync(each);
  // A file in the working folder must not change the program.
  writeFileSync(join(work, ".env"), "COLOPHON_DB=/nowhere/from-dotenv.db\n");
  writeFileSync(join(work, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(work, "preload.ts"), 'console.log("preloaded");\n');
  const args = ["serve", "--sample", "--port", "0", "--workers", "2", "--admin-port", "0", "--log", "errors"];
  server = Bun.spawn([program, ...args], {
    cwd: work,
    env: {},
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let text = "";
  const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  while (!/\neyJ\S+\n/.test(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the executable has ended: ${await new Response(server.stderr).text()}`);
    text += value;
  }
  url = /http:\S+(?=\/openapi\.html)/.exec(text)![0];
  adminPort = /Admin +http:\S+:(\d+)/.exec(text)![1]!;
  token = /\n(eyJ\S+)\n/.exec(text)![1]!;
});

afterAll(async () => {
  server.kill("SIGTERM");
  await server.exited;
});

test("names its version and that of Bun, and reads no file of the working folder", async () => {
  const { code, stdout } = await run("--version");
  expect([code, stdout]).toEqual([0, `${packageJson.version} (Bun ${Bun.version})\n`]);
  expect(readdirSync(work).sort()).toEqual([".env", "bunfig.toml", "data", "preload.ts"]);
});

test("serves the sample, the pages and their files", async () => {
  expect(await (await request("/api/skus")).json()).toHaveLength(223);
  const pages = "/ /openapi.html /docs /docs/changelog /docs.css /page/app.js /page/app.css".split(" ");
  const html = await (await request("/openapi.html")).text();
  const linked = [...html.matchAll(/(?:src|href)="(?:\.\/)?([^"#:]+)"/g)].map(([, path]) => `/${path}`);
  expect(linked.length).toBeGreaterThan(1);
  for (const path of [...pages, ...linked]) {
    const response = await request(path);
    expect([path, response.status, (await response.bytes()).length > 100]).toEqual([path, 200, true]);
  }
});

test("runs workers from itself, and replaces a killed one", async () => {
  const [worker, other] = childProcesses(server.pid);
  expect(other).toBeDefined();
  process.kill(worker!, "SIGKILL");
  const isReplaced = () => {
    const now = childProcesses(server.pid);
    return now.length === 2 && !now.includes(worker!);
  };
  await waitFor("the worker is replaced", isReplaced);
  await waitFor("it is healthy", async () => (await run("health", "--admin-port", adminPort)).code === 0);
});

test("searches, compresses and writes large products on threads", async () => {
  expect(await (await request("/api/search?q=island")).json()).not.toBeEmpty();
  const list = await fetch(`${url}/api/news?date=20000101`, {
    headers: { Authorization: `Bearer ${token}`, "Accept-Encoding": "zstd" },
    decompress: false,
  });
  expect(list.headers.get("content-encoding")).toBe("zstd");
  const plain = await (await request("/api/news?date=20000101")).text();
  expect(Bun.zstdDecompressSync(await list.bytes()).toString()).toBe(plain);
});

/** Some megabytes: the feed is cut into chunks, which threads scan. */
test("scans a long feed on threads, and exports, checks, backs up and compacts", async () => {
  const large = product({ isbn: "9788437604947", title: "x".repeat(40_000) });
  const many = Array.from({ length: 50 }, (_, n) =>
    product({ reference: `r${n}`, identifiers: identifier("01", `x${n}`), title: "y".repeat(50_000) }),
  );
  const feed = join(feeds, "long.xml");
  writeFileSync(feed, message(large, ...many));
  const { code, stdout } = await run("import", feed);
  expect([code, stdout]).toEqual([3, expect.stringContaining("1 added")]);
  const xml = await fetch(`${url}/api/isbn/9788437604947`, {
    headers: { Authorization: `Bearer ${token}`, Accept: "application/xml" },
  });
  expect([xml.status, (await xml.text()).length > 40_000]).toEqual([200, true]);
  const copy = join(feeds, "copy.db");
  expect(await run("backup", copy)).toMatchObject({ code: 0 });
  expect(await run("verify", "--db", copy)).toMatchObject({ code: 0 });
  expect(await run("compact", "--db", copy)).toMatchObject({ code: 0 });
  expect((await run("check", "--db", copy, feed)).stdout).toContain("1 unchanged");
});
