import { afterEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { hostname } from "node:os";
import { AdminHosts, type AdminServer, type AdminServerOptions, startAdminServer } from "./admin-server.ts";
import { Metrics } from "./metrics.ts";
import { parseMetrics } from "./testing/prometheus-parser.ts";

let admin: AdminServer | undefined;
afterEach(async () => {
  await admin?.stop();
  admin = undefined;
});

const metrics = new Metrics({ version: "1.2.3" });

function start(options: Partial<AdminServerOptions> = {}): AdminServer {
  return startAdminServer({
    host: "127.0.0.1",
    port: 0,
    notLiveReason: () => undefined,
    notReadyReason: async () => undefined,
    metrics: async () => metrics.snapshot(),
    onError(error) {
      throw error;
    },
    ...options,
  });
}

async function request(path: string, method = "GET") {
  const response = await fetch(admin!.url + path, { method });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe("the admin server", () => {
  test("responds 200 to /livez, also when the service is not ready", async () => {
    admin = start({ notReadyReason: async () => "stopping" });
    expect(await request("/livez")).toMatchObject({ status: 200, text: "ok" });
  });

  test("responds 421 to a name that is not its own, as a page sends by DNS rebinding", async () => {
    admin = start({ names: ["metrics.shop.example"] });
    const statusOf = async (host: string) =>
      (await fetch(`${admin!.url}/metrics`, { headers: { Host: host } })).status;
    expect(await statusOf(`evil.example:${admin.port}`)).toBe(421);
    expect(await statusOf(`127.0.0.1:${admin.port}`)).toBe(200);
    expect(await statusOf("metrics.shop.example")).toBe(200);
    expect(await statusOf("colophon")).toBe(200);
  });

  test("responds to /readyz with 200, or with 503 and the reason in one line", async () => {
    let reason: string | undefined;
    admin = start({ notReadyReason: async () => reason });
    expect(await request("/readyz")).toMatchObject({ status: 200, text: "ok" });
    reason = "no\r\nresponse from postgres://me:secret@db/x";
    expect(await request("/readyz")).toMatchObject({
      status: 503,
      text: "no\\u000d\\nresponse from postgres://me:[password]@db/x",
    });
    reason = undefined;
    expect((await request("/readyz")).status).toBe(200);
  });

  test("responds to /metrics in the Prometheus text format", async () => {
    admin = start();
    const { status, headers, text } = await request("/metrics");
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(parseMetrics(text).get("colophon_build_info")!.samples[0]!.labels.version).toBe("1.2.3");
  });

  test("responds to HEAD without a body, to other methods with 405, to other paths with 404", async () => {
    admin = start();
    for (const path of ["/livez", "/readyz", "/metrics"]) {
      expect(await request(path, "HEAD")).toMatchObject({ status: 200, text: "" });
      const refused = await request(path, "POST");
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
    for (const path of ["/", "/livez/", "/LIVEZ", "/api/skus", "/toString", "/__proto__"])
      expect((await request(path)).status).toBe(404);
    expect((await request("/", "DELETE")).status).toBe(404);
    expect((await request("/readyz?verbose")).status).toBe(200);
  });

  test("responds to an error with a 500 that does not quote it, and reports it", async () => {
    const errors: unknown[] = [];
    const error = new Error("secret");
    admin = start({
      metrics: () => Promise.reject(error),
      notReadyReason: () => {
        throw error;
      },
      onError: (failure) => errors.push(failure),
    });
    for (const path of ["/metrics", "/readyz"]) {
      const { status, text } = await request(path);
      expect([status, text.includes("secret")]).toEqual([500, false]);
    }
    expect(errors).toEqual([error, error]);
  });

  test.each(["GET /readyz HTTP/1.0", "GET /readyz HTTP/1.0\r\nHost:"])(
    "responds to a request without a Host with 400, and reports nothing: %p",
    async (head) => {
      const errors: unknown[] = [];
      admin = start({ onError: (failure) => errors.push(failure) });
      const socket = connect(admin.port, "127.0.0.1", () => socket.write(`${head}\r\n\r\n`));
      const text = await new Promise((resolve) => socket.once("data", (bytes) => resolve(String(bytes))));
      socket.destroy();
      expect([text, errors]).toEqual([expect.stringContaining(" 400 "), []]);
    },
  );

  test("throws when the port is in use", () => {
    admin = start();
    const { port } = admin;
    expect(() => start({ port })).toThrow();
  });
});

describe("AdminHosts", () => {
  const hosts = new AdminHosts(["metrics.shop.example"]);

  const local =
    "127.0.0.1 127.0.0.1:9090 10.1.2.3:9090 [::1]:9090 [fe80::1] localhost LOCALHOST:9090 a.localhost colophon:9090 colophon.default.svc:9090 colophon.default.svc.cluster.local vm-1.internal";
  const own = ["metrics.shop.example", "Metrics.Shop.Example.:9090", `${hostname()}:9090`];
  test.each([...local.split(" "), ...own])("accepts %p", (host) => {
    expect(hosts.accepts(host)).toBe(true);
  });

  const foreign =
    "evil.example evil.example:9090 shop.example x.metrics.shop.example 127.0.0.1.evil.example localhost.evil.example evillocal.example";
  const malformed = ["1.2.3.4.5", "[evil.example]", "[127.0.0.1]", "a:b:c", "user@127.0.0.1.evil.example"];
  test.each([...foreign.split(" "), ...malformed])("does not accept %p", (host) => {
    expect(hosts.accepts(host)).toBe(false);
  });
});
