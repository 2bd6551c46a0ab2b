/**
 * Measures the processor time of requests in this process: from the bytes that arrive to the bytes of the response,
 * with the line of the log.
 */
import { join } from "node:path";
import { createApp } from "../../src/api/app.ts";
import { createAuthenticator } from "../../src/api/auth/authenticator.ts";
import { issueToken } from "../../src/api/auth/issue-token.ts";
import { openKeySource } from "../../src/api/auth/keys/open-key-source.ts";
import { splitTarget } from "../../src/api/router.ts";
import { importFeeds } from "../../src/catalog/testing/import-feeds.ts";
import { translationTable } from "../../src/catalog/translations.ts";
import { Connection, type ConnectionSocket } from "../../src/server/connection.ts";
import { openSqlite } from "../../src/stores/sqlite/store.ts";
import { createLog } from "../../src/telemetry/log/log.ts";
import { readPages } from "../../src/web/pages.ts";
import { temporaryFolder } from "../process.ts";

export interface MeasuredServer extends AsyncDisposable {
  /** A valid token. Anonymous requests do not have it. */
  readonly token: string;
  /** Sends a head on a new connection. Returns the status of the response. */
  send(head: Buffer): Promise<number>;
  /** Sends a head several times. Returns the microseconds of processor time that one takes. */
  measure(head: Buffer, times: number): Promise<number>;
}

/** Starts an app with a catalog of these feeds and the pages. It has no port. */
export async function startMeasuredServer(feeds: readonly string[] = []): Promise<MeasuredServer> {
  const folder = temporaryFolder();
  // A busy machine takes longer.
  const searchLimits = { timeoutMs: 300_000, stuckAfterMs: 300_000 };
  const store = openSqlite(join(folder, "catalog.db"), { create: true, searchLimits });
  if (feeds.length > 0) await importFeeds(store, feeds);
  const keys = await openKeySource({ secret: "a secret of the tests, with more than 32 bytes" });
  const token = await issueToken({ keys, tokens: store.tokens, name: "Any", days: 1 });
  const onError = (error: unknown) => {
    throw error;
  };
  const app = createApp({
    store,
    authenticator: createAuthenticator({ keys, tokens: store.tokens }),
    translations: translationTable(),
    version: "0.0.0",
    codeListIssue: 70,
    pages: await readPages(),
    // A request that is repeated does its work again.
    cacheBytes: 0,
    onError,
  });
  let clients = 0;
  // One address with many failed tokens would be slowed down.
  const nextAddress = () => `10.0.${(++clients >> 8) & 255}.${clients & 255}`;
  const log = createLog({ level: "requests", format: "json", sink: async () => {} });

  function send(head: Buffer): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    const connection = new Connection({ ...SOCKET, remoteAddress: nextAddress() }, app, {
      onSent(request, info, { status, bodyBytes, seconds, firstByteSeconds, complete }) {
        const { method, target, client } = request;
        const { path } = splitTarget(target);
        const { id = "-", route = "unknown", caller, cacheHit = false } = info ?? {};
        const sent = { status, bodyBytes, seconds, firstByteSeconds, caller, cacheHit, complete };
        log.observe({ kind: "request", id, client, method, path, route, ...sent });
        resolve(status);
      },
      onRefused: ({ status }) => resolve(status),
      onError,
    });
    connection.receive(head);
    return promise;
  }

  return {
    send,
    token,
    async measure(head, times) {
      const before = process.cpuUsage();
      for (let count = 0; count < times; count++) await send(head);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / times;
    },
    async [Symbol.asyncDispose]() {
      await log.close();
      await store.close();
    },
  };
}

/** A socket whose client reads everything at once. */
const SOCKET: ConnectionSocket = {
  write: (bytes) => bytes.length,
  terminate() {},
  end() {},
  shutdown() {},
  pause() {},
  resume() {},
};

/** Measures heads in turn, several times. Returns the median of each: a busy machine disturbs some measurements. */
export async function medianCosts(
  server: MeasuredServer,
  heads: readonly Buffer[],
  samples = 7,
  times = 8,
): Promise<number[]> {
  const costs: number[][] = heads.map(() => []);
  for (let sample = 0; sample < samples; sample++)
    for (const [index, head] of heads.entries()) costs[index]!.push(await server.measure(head, times));
  return costs.map((all) => all.sort((a, b) => a - b)[Math.floor(samples / 2)]!);
}
