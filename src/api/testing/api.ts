/** The API of a test store. Every response is checked against the OpenAPI document. */
import type { Store } from "../../catalog/store.ts";
import { translationTable } from "../../catalog/translations.ts";
import type { App } from "../../server/app.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../server/server.ts";
import { inject } from "../../server/testing/inject.ts";
import { type AppOptions, createApp, type FailedRequest, type RequestInfo } from "../app.ts";
import { createAuthenticator } from "../auth/authenticator.ts";
import { issueToken } from "../auth/issue-token.ts";
import { openKeySource } from "../auth/keys/key-source.ts";
import { BOOKS, entry, fill, TODAY } from "./books.ts";
import { decode } from "./decode.ts";
import type { Engine } from "../../stores/testing/engines.ts";
import { type ObservedStore, observeStore } from "./observed-store.ts";
import { ResponseValidator } from "./response-validator.ts";

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it was sent. */
  readonly raw: Uint8Array;
  /** The body without its content coding. */
  readonly body: Uint8Array;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the expectations of a test say what it is.
  readonly json: any;
}

export interface GetOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** With null, no token is sent. */
  readonly token?: string | null;
}

export interface TestApi extends AsyncDisposable {
  readonly app: App<RequestInfo>;
  readonly token: string;
  /** The store itself, to import into. */
  readonly store: Store;
  readonly observed: ObservedStore;
  readonly errors: { error: unknown; request: FailedRequest }[];
  /** Calls the app; no socket is involved. */
  get(path: string, options?: GetOptions): Promise<ApiResponse>;
}

export interface TestApiOptions extends Partial<AppOptions> {
  /** With false, the catalog is empty. */
  readonly books?: boolean;
}

const SECRET = "a secret of the tests, with more than 32 bytes";

export async function createTestApi(engine: Engine, options: TestApiOptions = {}): Promise<TestApi> {
  const testStore = await engine.createStore();
  if (options.books !== false) await fill(testStore.store, BOOKS.map(entry));
  const { store, observed } = observeStore(testStore.store);
  const keys = await openKeySource({ secret: SECRET });
  const token = await issueToken({ keys, tokens: store.tokens, name: "Tests", days: 1 });
  const errors: TestApi["errors"] = [];
  const app = createApp({
    store,
    authenticator: createAuthenticator({ keys, tokens: store.tokens }),
    translations: translationTable(),
    today: () => TODAY,
    version: "0.0.0",
    codeListIssue: 70,
    onError: (error, request) => errors.push({ error, request }),
    ...options,
  });
  const document = await inject(app, { method: "GET", target: "/openapi.json", headers: new Headers() });
  const validator = new ResponseValidator(JSON.parse(new TextDecoder().decode(document.body)));

  async function get(path: string, options: GetOptions = {}): Promise<ApiResponse> {
    const method = options.method ?? "GET";
    const headers = new Headers({ "Accept-Encoding": "identity", ...options.headers });
    const sentToken = options.token === undefined ? token : options.token;
    if (sentToken !== null && !headers.has("Authorization"))
      headers.set("Authorization", `Bearer ${sentToken}`);
    const response = await inject(app, { method, target: path, headers });
    const coding = method === "HEAD" ? null : response.headers.get("content-encoding");
    const body = decode(response.body, coding);
    if (!path.startsWith("/openapi")) validator.check({ method, path, ...response, body });
    return {
      status: response.status,
      headers: response.headers,
      raw: response.body,
      body,
      get text() {
        return new TextDecoder().decode(body);
      },
      get json() {
        return JSON.parse(new TextDecoder().decode(body));
      },
    };
  }

  return {
    app,
    token,
    store: testStore.store,
    observed,
    errors,
    get,
    [Symbol.asyncDispose]: () => testStore[Symbol.asyncDispose](),
  };
}

export interface ServedApi extends TestApi {
  readonly url: string;
  readonly port: number;
  readonly server: RunningServer;
}

/** Starts a server for the API, where the wire is the subject. */
export async function serveTestApi(
  engine: Engine,
  options: TestApiOptions & { server?: Partial<ServerOptions<RequestInfo>> } = {},
): Promise<ServedApi> {
  const api = await createTestApi(engine, options);
  const onError = (error: unknown) => {
    throw error;
  };
  const server = startServer({ app: api.app, host: "127.0.0.1", port: 0, onError, ...options.server });
  return {
    ...api,
    url: server.url,
    port: server.port,
    server,
    async [Symbol.asyncDispose]() {
      await server.stop(0);
      await api[Symbol.asyncDispose]();
    },
  };
}
