/** What most tests of the API do: they share one API, request a path, and check the response. */
import { afterAll, beforeAll, expect } from "bun:test";
import { type ApiResponse, type GetOptions, nextPath, type TestApi, type TestApp } from "./api.ts";

/** Creates an API before the tests of a file or group, and disposes it after them. */
export function sharedApi<T extends TestApi>(create: () => Promise<T>): T {
  let api: T | undefined;
  beforeAll(async () => {
    api = await create();
  });
  afterAll(() => api?.[Symbol.asyncDispose]());
  return new Proxy({} as T, { get: (_, name) => Reflect.get(api!, name) });
}

export interface ExpectedResponse {
  /** 200 when it is omitted. */
  readonly status?: number;
  readonly message?: string;
  /** A part of the detail of a problem. */
  readonly detail?: string;
  readonly json?: unknown;
  readonly text?: string;
  /** Those that must be there, or absent with null. Others are not checked. */
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** Gets the path and checks the response: its status, or more of it. */
export async function expectGet(
  api: Pick<TestApp, "get">,
  path: string,
  expected: number | ExpectedResponse,
  options?: GetOptions,
): Promise<ApiResponse> {
  const {
    status = 200,
    headers = {},
    ...body
  } = typeof expected === "number" ? { status: expected } : (expected as ExpectedResponse);
  const response = await api.get(path, options);
  const fields = Object.fromEntries(Object.keys(headers).map((name) => [name, response.headers.get(name)]));
  expect<object>({ path, status: response.status, headers: fields }).toEqual({ path, status, headers });
  if (body.message !== undefined) expect([path, response.json.message]).toEqual([path, body.message]);
  if (body.detail !== undefined) expect(response.json.detail).toContain(body.detail);
  if (body.json !== undefined) expect(response.json).toEqual(body.json);
  if (body.text !== undefined) expect(response.text).toBe(body.text);
  return response;
}

export function withQuery(path: string, query: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

/** Returns the responses with the pages of a list, from the first path to the last page. */
export async function* readPages(
  api: Pick<TestApp, "get">,
  firstPath: string,
  options?: GetOptions,
): AsyncGenerator<ApiResponse> {
  for (let path: string | undefined = firstPath; path !== undefined; ) {
    const response = await expectGet(api, path, 200, options);
    yield response;
    path = nextPath(path, response);
  }
}
