import { describe, expect, test } from "bun:test";
import { hostname } from "node:os";
import { AdminHosts } from "./admin-host.ts";

describe("AdminHosts", () => {
  const hosts = new AdminHosts(["metrics.shop.example"]);

  test.each([
    null,
    "",
    "127.0.0.1",
    "127.0.0.1:9090",
    "10.1.2.3:9090",
    "[::1]:9090",
    "[fe80::1]",
    "localhost",
    "LOCALHOST:9090",
    "a.localhost",
    "colophon:9090",
    "colophon.default.svc:9090",
    "colophon.default.svc.cluster.local",
    "vm-1.internal",
    "metrics.shop.example",
    "Metrics.Shop.Example.:9090",
    `${hostname()}:9090`,
  ])("accepts %p", (host) => {
    expect(hosts.accepts(host)).toBe(true);
  });

  test.each([
    "evil.example",
    "evil.example:9090",
    "shop.example",
    "x.metrics.shop.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evillocal.example",
    "1.2.3.4.5",
    "[evil.example]",
    "[127.0.0.1]",
    "a:b:c",
    "user@127.0.0.1.evil.example",
  ])("does not accept %p", (host) => {
    expect(hosts.accepts(host)).toBe(false);
  });
});
