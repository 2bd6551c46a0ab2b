/** The API on a test store. Every response is checked against the OpenAPI document. */

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { instrumentStore } from "../../catalog/instrumented-store.ts";
import type { Entry, Store } from "../../catalog/store.ts";
import { translationTable } from "../../catalog/translations.ts";
import type { App } from "../../server/app.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../server/server.ts";
import { inject } from "../../server/testing/inject.ts";
import { importBooks } from "../../stores/testing/books.ts";
import type { Engine, StoreContent } from "../../stores/testing/engines.ts";
import { type AppOptions, createApp } from "../app.ts";
import { createAuthenticator } from "../auth/authenticator.ts";
import { issueToken } from "../auth/issue-token.ts";
import { openKeySource } from "../auth/keys/open-key-source.ts";
import type { FailedRequest, RequestInfo } from "../exchange.ts";
import { TickClock } from "../freshness.ts";
import { BOOKS, entryOf, TODAY } from "./books.ts";
import { type ObservedStore, observeStore } from "./observed-store.ts";
import { ResponseValidator } from "./response-validator.ts";

/** An `X-Request-Id` that the service made: two responses to the same request differ in it. */
export const GENERATED_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it was sent. */
  readonly raw: Uint8Array;
  /** The body without its content coding. */
  readonly body: Uint8Array;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the type is what the test expects.
  readonly json: any;
}

export interface GetOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** With null, no token is sent. */
  readonly token?: string | null;
}

/** An app on a store that somebody else disposes. */
export interface TestApp {
  readonly app: App<RequestInfo>;
  readonly token: string;
  /** The store without observation, to import into. */
  readonly store: Store;
  readonly observed: ObservedStore;
  readonly errors: { error: unknown; request: FailedRequest }[];
  /** Calls the app; no socket is involved. */
  get(path: string, options?: GetOptions): Promise<ApiResponse>;
  /** Creates another app on the same store. */
  withOptions(options: TestAppOptions): Promise<TestApp>;
}

export interface TestApi extends TestApp, AsyncDisposable {}

/** The store of an app is instrumented, as that of `serve` is. */
interface TestAppOptions extends Omit<Partial<AppOptions>, "store"> {
  readonly store?: Store;
}

interface TestApiOptions extends TestAppOptions {
  /** `BOOKS` when it is omitted. With false, the catalog is empty. SQLite imports an array once per process. */
  readonly books?: readonly Entry[] | false;
}

const SECRET = "a secret of the tests, with more than 32 bytes";

export async function createTestApi(engine: Engine, options: TestApiOptions = {}): Promise<TestApi> {
  const { books = TEST_BOOKS, ...appOptions } = options;
  await using cleanup = new AsyncDisposableStack();
  const { store } = cleanup.use(await engine.createStore(books ? contentOf(books) : undefined));
  const testApp = await createTestApp(store, appOptions);
  const disposal = cleanup.move();
  return { ...testApp, [Symbol.asyncDispose]: () => disposal.disposeAsync() };
}

const TEST_BOOKS = BOOKS.map(entryOf);
const contents = new WeakMap<readonly Entry[], StoreContent>();

/** Returns the same function for the same array: an engine may copy what it has filled before. */
function contentOf(books: readonly Entry[]): StoreContent {
  const content = contents.get(books) ?? ((store) => importBooks(store, books));
  contents.set(books, content);
  return content;
}

export const importTestBooks = contentOf(TEST_BOOKS);

async function createTestApp(testStore: Store, options: TestAppOptions): Promise<TestApp> {
  const { store: observedStore, observed } = observeStore(testStore);
  const store = instrumentStore(options.store ?? observedStore);
  const keys = await openKeySource({ secret: SECRET });
  const token = await issueToken({ keys, tokens: store.tokens, name: "Tests", days: 1 });
  const errors: TestApp["errors"] = [];
  const ticks = new TickClock();
  const app = createApp({
    ticks,
    authenticator: createAuthenticator({ keys, tokens: store.tokens, ticks }),
    translations: translationTable(),
    today: () => TODAY,
    version: "0.0.0",
    codeListIssue: 70,
    onError: (error, request) => errors.push({ error, request }),
    ...options,
    store,
  });
  const document = await inject(app, { method: "GET", target: "/openapi.json", headers: new Headers() });
  const validator = validatorOf(new TextDecoder().decode(document.body));

  async function get(path: string, options: GetOptions = {}): Promise<ApiResponse> {
    const method = options.method ?? "GET";
    const headers = new Headers({ "Accept-Encoding": "identity", ...options.headers });
    const sentToken = options.token === undefined ? token : options.token;
    if (sentToken !== null && !headers.has("Authorization"))
      headers.set("Authorization", `Bearer ${sentToken}`);
    const response = await inject(app, { method, target: path, headers });
    const coding = method === "HEAD" ? null : response.headers.get("content-encoding");
    const body = decode(response.body, coding);
    if (!isPage(path, response)) validator.check({ method, path, ...response, body });
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
    store: testStore,
    observed,
    errors,
    get,
    withOptions: (options) => createTestApp(testStore, options),
  };
}

/** Validators by document: compiling the schemas takes longer than most tests. */
const validators = new Map<string, ResponseValidator>();

/** Pages are no part of the document. A browser gets one for a path that is nothing. */
function isPage(path: string, { status, headers }: { status: number; headers: Headers }): boolean {
  if (path.startsWith("/openapi")) return true;
  return status === 404 && headers.get("content-type") === "text/html; charset=utf-8";
}

function validatorOf(document: string): ResponseValidator {
  const validator = validators.get(document) ?? new ResponseValidator(JSON.parse(document));
  validators.set(document, validator);
  return validator;
}

export interface ServedApi extends TestApi {
  readonly url: string;
  readonly port: number;
  readonly server: RunningServer;
}

/** Creates the API and starts a server for it, for tests of the wire. */
export async function serveTestApi(
  engine: Engine,
  options: TestApiOptions & { server?: Partial<ServerOptions<RequestInfo>> } = {},
): Promise<ServedApi> {
  const { server: serverOptions, ...apiOptions } = options;
  const api = await createTestApi(engine, apiOptions);
  const onError = (error: unknown) => {
    throw error;
  };
  const server = startServer({ app: api.app, host: "127.0.0.1", port: 0, onError, ...serverOptions });
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

/** Returns the path of the next page, resolved as RFC 3986 §5.2 says. */
export function nextPath(path: string, { headers }: Pick<ApiResponse, "headers">): string | undefined {
  const link = headers.get("link");
  if (link === null) return undefined;
  const reference = /^<([^>]+)>; rel="next"$/.exec(link)![1]!;
  // As behind a proxy with a prefix.
  const url = new URL(reference, `https://host/prefix${path}`);
  return (url.pathname + url.search).replace(/^\/prefix/, "");
}

/** Removes a content coding. */
export function decode(body: Uint8Array, coding: string | null): Uint8Array {
  switch (coding) {
    case null:
      return body;
    case "gzip":
      return new Uint8Array(gunzipSync(body));
    case "br":
      return new Uint8Array(brotliDecompressSync(body));
    case "zstd":
      return new Uint8Array(zstdDecompressSync(body));
    default:
      throw new Error(`The coding ${coding} was not requested`);
  }
}
