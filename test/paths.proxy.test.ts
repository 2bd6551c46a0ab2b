/**
 * The idea that proxies have of a path, and ours. Each proxy refuses everything under /api/ and passes the rest on. No
 * spelling of a path may get past it and reach an endpoint.
 */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { isProgramMissing } from "../src/lib/testing/requirements.ts";
import { duringTests } from "./during-tests.ts";
import { exchange } from "./fuzz/raw-http.ts";
import { PATH_PROXIES, startPathProxy } from "./path-proxies.ts";
import { pathSpellings } from "./path-spellings.ts";
import { startWithSample, temporaryFolder } from "./process.ts";

const SPELLINGS = pathSpellings(300, 20260715);
/** Requests in flight. */
const CONCURRENCY = 16;

const folder = temporaryFolder();
const server = duringTests(() => startWithSample(join(folder, "catalog.db"), ["--log", "errors"]));

async function statusOf(port: number, target: string): Promise<number> {
  const request = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
  return (await exchange(port, request)).responses[0]?.status ?? 0;
}

describe.each(PATH_PROXIES)("behind $program", (proxy) => {
  describe.skipIf(isProgramMissing(proxy.program))(
    `(skipped where ${proxy.program} is not installed)`,
    () => {
      const running = duringTests(() => startPathProxy(proxy, new URL(server.url).host));

      test("the endpoints are refused, and the pages are not", async () => {
        expect(await statusOf(running.port, "/api/skus")).toBe(403);
        expect(await statusOf(running.port, "/api/isbn/9789999901116")).toBe(403);
        expect(await statusOf(running.port, "/openapi.html")).toBe(200);
      });

      test("Colophon serves no endpoint for what the proxy takes for another path", async () => {
        const statuses = new Map<string, number>();
        const waiting = SPELLINGS.values();
        const sendAll = async () => {
          for (const target of waiting) statuses.set(target, await statusOf(running.port, target));
        };
        await Promise.all(Array.from({ length: CONCURRENCY }, sendAll));
        expect(statuses.size).toBe(SPELLINGS.length);
        const byStatus = Map.groupBy(statuses.keys(), (target) => statuses.get(target)!);
        // Without a token, an endpoint answers with 401, and only a page with 200. The proxies refuse with 400 or 403.
        expect([...byStatus.keys()].filter((status) => ![200, 400, 403, 404].includes(status))).toEqual([]);
        // Some get past the rule, or the test would prove nothing.
        expect(byStatus.get(404)!.length).toBeGreaterThan(50);
      });
    },
  );
});
