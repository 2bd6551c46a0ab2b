/** What an operator sees of the real program: its log and its admin port. */
import { describe, expect, test } from "bun:test";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { openSqlite } from "../src/stores/sqlite/store.ts";
import { parseMetrics } from "../src/telemetry/testing/prometheus-parser.ts";
import {
  COMMAND,
  SECRET,
  type ServeProcess,
  startColophon,
  startWithSample,
  temporaryFolder,
} from "./process.ts";

const folder = temporaryFolder();
const pathOf = (name: string) => join(folder, name);

const ISBN = "9789999901116";

function get(service: ServeProcess, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(service.url + path, { headers: { Authorization: `Bearer ${service.token}`, ...headers } });
}

test("logs requests as JSON lines with request id and token id, never with a token", async () => {
  const service = await startWithSample(pathOf("log.db"), [], SECRET);
  // The admin port is closed by default.
  expect(service.stdout).not.toContain("/metrics");
  const first = await get(service, `/api/isbn/${ISBN}?token=${service.token}`, { "X-Request-Id": "mine-1" });
  expect([first.status, first.headers.get("x-request-id")]).toEqual([200, "mine-1"]);
  const { length } = await first.bytes();
  const other = await get(service, `/nowhere/${service.token}`, { "X-Request-Id": "not mine" });
  const otherId = other.headers.get("x-request-id")!;
  expect([other.status, otherId]).toEqual([
    404,
    expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  ]);
  expect((await fetch(`${service.url}/api/skus`)).status).toBe(401);
  expect(await service.stop()).toBe(0);
  const lines = (await service.stderr).trimEnd().split("\n");
  const log = lines.map((line) => JSON.parse(line));
  expect(JSON.stringify(log)).not.toContain(service.token!.slice(0, 30));
  expect(log.map(({ event }) => event)).toEqual([
    "started",
    "request",
    "request",
    "request",
    "stopping",
    "stopped",
  ]);
  expect(log[1]).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    event: "request",
    id: "mine-1",
    client: "127.0.0.1",
    method: "GET",
    path: `/api/isbn/${ISBN}`,
    route: "getBook",
    status: 200,
    bytes: expect.any(Number),
    ms: expect.any(Number),
    cached: false,
    complete: true,
    tokenId: expect.stringMatching(/^[0-9a-f]{32}$/),
    tokenName: "colophon serve --sample",
  });
  expect(Number(log[1]!.bytes)).toBeGreaterThan(0);
  expect(Number(log[1]!.bytes)).toBeLessThanOrEqual(length);
  expect(log[2]).toMatchObject({ id: otherId, path: "/nowhere/[token]", route: "unknown", status: 404 });
  expect(log[3]).toMatchObject({ route: "getSkus", status: 401 });
  expect(log[3]).not.toHaveProperty("tokenId");
  expect(log[4]).toMatchObject({ reason: "SIGTERM" });
});

test.each([
  ["--log none", ["--log", "none"]],
  ["--log-file", ["--log-file", pathOf("quiet.log")]],
])(
  "prints nothing but its addresses and the token with %s, also while another import runs",
  async (title, options) => {
    const db = pathOf(`${title}.db`);
    const other = openSqlite(db, { create: true });
    const otherImport = await other.beginImport();
    const starting = startColophon(["--sample", "--db", db, ...options], SECRET);
    if (title === "--log-file") {
      const log = () => (existsSync(options[1]!) ? readFileSync(options[1]!, "utf8") : "");
      await waitFor("the sample waits", () => log().includes('"outcome":"postponed"'));
    }
    await otherImport.abort();
    await other.close();
    const service = await starting;
    expect(await service.stop()).toBe(0);
    expect(service.stdout.replaceAll(service.url, "URL").replace(service.token!, "TOKEN")).toBe(
      [
        "  Page       URL/",
        "  API        URL/api",
        "  Test page  URL/openapi.html",
        "",
        "A token for the pages and the API, valid for 7 days:",
        "",
        "TOKEN",
        "",
      ].join("\n"),
    );
    expect(await service.stderr).toBe("");
  },
);

test("a blocked log stops neither responses nor the shutdown", async () => {
  expect(Bun.spawnSync(["mkfifo", pathOf("pipe")]).exitCode).toBe(0);
  const reader = openSync(pathOf("pipe"), "r+");
  const service = Bun.spawn([COMMAND, "serve", "--sample", "--port", "0", "--db", pathOf("unread.db")], {
    env: { ...process.env, ...SECRET },
    stdout: "pipe",
    stderr: openSync(pathOf("pipe"), "w"),
  });
  let printed = "";
  for await (const part of service.stdout) {
    printed += new TextDecoder().decode(part);
    if (/\neyJ\S+\n/.test(printed)) break;
  }
  const url = /http:\S+(?=\/openapi\.html)/.exec(printed)![0];
  // A line has about 150 bytes, and a pipe holds 64 kB.
  for (let count = 0; count < 20; count++) {
    const responses = await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/nowhere`)));
    for (const { status } of responses) expect(status).toBe(404);
  }
  service.kill("SIGTERM");
  expect(await service.exited).toBe(0);
  closeSync(reader);
});

describe("--admin-port", () => {
  for (const workers of ["1", "2"]) {
    test(`is live and ready and counts every request once with ${workers} workers`, async () => {
      const service = await startWithSample(
        pathOf(`admin-${workers}.db`),
        ["--admin-port", "0", "--workers", workers],
        SECRET,
      );
      const admin = service.adminUrl;
      for (let count = 0; count < 20; count++)
        await (await get(service, `/api/isbn/${ISBN}`, { Connection: "close" })).bytes();
      await get(service, "/nowhere");
      expect(await (await fetch(`${admin}/livez`)).text()).toBe("ok");
      expect((await fetch(`${admin}/readyz`)).status).toBe(200);
      const read = async () => parseMetrics(await (await fetch(`${admin}/metrics`)).text());
      const requests = async () =>
        Object.fromEntries(
          (await read())
            .get("colophon_requests_total")!
            .samples.map(({ labels, value }) => [`${labels.route} ${labels.status}`, value]),
        );
      expect(await requests()).toEqual({ "getBook 200": 20, "unknown 404": 1 });
      const families = await read();
      expect(families.get("colophon_catalog_records")!.samples[0]!.value).toBe(223);
      expect(families.get("colophon_processes")!.samples[0]!.value).toBe(workers === "1" ? 1 : 3);
      const storeDuration = families.get("colophon_store_duration_seconds")!.samples.at(-1)!;
      expect(storeDuration.value).toBeGreaterThan(0);
      for (const path of ["/livez", "/readyz", "/metrics"])
        expect((await get(service, path)).status).toBe(404);
      expect(await service.stop()).toBe(0);
    });
  }
});
