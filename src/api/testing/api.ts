/** The API on a port of its own, as clients see it. Every answer is held against the API's description. */
import type { Store } from "../../catalog/store.ts";
import { translationTable } from "../../catalog/translations.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../server/server.ts";
import { type AppOptions, createApp, type FailedRequest } from "../app.ts";
import { createAuthenticator } from "../auth/authenticator.ts";
import { issueToken } from "../auth/issue-token.ts";
import { openKeySource } from "../auth/keys/key-source.ts";
import { BOOKS, entry, fill, TODAY } from "./books.ts";
import { decoded } from "./decoded.ts";
import type { Engine } from "./engines.ts";
import { observed, type Watch } from "./observed.ts";
import { Validator } from "./validator.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** As it was sent. */
  readonly raw: Uint8Array;
  readonly body: Uint8Array;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says by its expectations what it takes it for.
  readonly json: any;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** Null: none. */
  readonly token?: string | null;
}

export interface Api extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly server: RunningServer;
  readonly token: string;
  /** The store itself, to be imported into. */
  readonly store: Store;
  readonly watch: Watch;
  readonly errors: { error: unknown; request: FailedRequest }[];
  get(path: string, ask?: Ask): Promise<Reply>;
}

const SECRET = "a secret of the suites, long enough to be one";

/** With the dozen books, unless `books` is false. */
export async function api(
  engine: Engine,
  options: Partial<AppOptions> & { books?: boolean; server?: Partial<ServerOptions> } = {},
): Promise<Api> {
  const shelf = await engine.fresh();
  if (options.books !== false) await fill(shelf.store, BOOKS.map(entry));
  const { store, watch } = observed(shelf.store);
  const keys = await openKeySource({ secret: SECRET });
  const token = await issueToken({ keys, tokens: store.tokens, name: "Suite", days: 1 });
  const errors: Api["errors"] = [];
  const app = createApp({
    store,
    gate: createAuthenticator({ keys, tokens: store.tokens }),
    translations: translationTable(),
    today: () => TODAY,
    version: "0.0.0",
    codeListIssue: 70,
    onError: (error, request) => errors.push({ error, request }),
    ...options,
  });
  const onError = (error: unknown) => {
    throw error;
  };
  const server = startServer({ app, host: "127.0.0.1", port: 0, onError, ...options.server });
  const description = await fetch(`${server.url}/openapi.json`);
  const validator = new Validator(await description.json());

  async function get(path: string, ask: Ask = {}): Promise<Reply> {
    const method = ask.method ?? "GET";
    const headers = new Headers({ "Accept-Encoding": "identity", ...ask.headers });
    const sent = ask.token === undefined ? token : ask.token;
    if (sent !== null && !headers.has("Authorization")) headers.set("Authorization", `Bearer ${sent}`);
    const response = await fetch(server.url + path, {
      method,
      headers,
      decompress: false,
      redirect: "manual",
    });
    const raw = await response.bytes();
    const coding = method === "HEAD" ? null : response.headers.get("content-encoding");
    const body = decoded(raw, coding);
    const reply = { method, path, status: response.status, headers: response.headers, raw, body };
    if (!path.startsWith("/openapi")) validator.check(reply);
    return {
      ...reply,
      get text() {
        return new TextDecoder().decode(body);
      },
      get json() {
        return JSON.parse(new TextDecoder().decode(body));
      },
    };
  }

  return {
    url: server.url,
    port: server.port,
    server,
    token,
    store: shelf.store,
    watch,
    errors,
    get,
    async [Symbol.asyncDispose]() {
      await server.stop(0);
      await shelf[Symbol.asyncDispose]();
    },
  };
}

/** Waits for what must come to pass; a suite that waits here for ever is the failure. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}
