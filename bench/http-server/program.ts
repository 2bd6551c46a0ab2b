/**
 * Serves one book from memory: `bun program.ts ours|bun|constant PORT`.
 * `ours` and `bun` run the API on our server and on Bun.serve. `constant` is Bun.serve with the same header fields and no
 * work at all for a request: the least that it can cost.
 */
import { lookupApp } from "../../src/api/testing/lookup-app.ts";
import { startServer } from "../../src/server/server.ts";
import { serveOnBun } from "../../src/server/testing/bun-serve.ts";

/** The size of a usual record. */
const BODY = new TextEncoder().encode(JSON.stringify({ text: "x".repeat(2500) }));

const app = lookupApp({
  revision: () => "0".repeat(32),
  record: () => ({ body: BODY.slice(), etag: "0".repeat(32) }),
});

const HEADERS = {
  Vary: "Accept-Encoding, Authorization",
  "X-Content-Type-Options": "nosniff",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id",
  "Cache-Control": "private, no-cache",
  ETag: `"${"0".repeat(32)}"`,
  "Content-Type": "application/json",
};

const [kind, port] = [process.argv[2], Number(process.argv[3])];
const hostname = "127.0.0.1";
if (kind === "bun") serveOnBun(app, port);
else if (kind === "constant")
  Bun.serve({ hostname, port, fetch: () => new Response(BODY, { headers: HEADERS }) });
else startServer({ app, host: hostname, port, onError: (error) => console.error(error) });
