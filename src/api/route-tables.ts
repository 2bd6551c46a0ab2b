/** The routes of an app: endpoints by template, and pages by path. */
import { etagOf } from "../catalog/entry.ts";
import type { Awaitable } from "../lib/awaitable.ts";
import { encodeJson } from "../lib/text.ts";
import type { Page } from "../web/page-file.ts";
import { type OpenApiOptions, openApiDocument } from "./openapi/document.ts";
import { StaticContent } from "./response/content-coding.ts";
import type { NotFoundPage } from "./response/refusals.ts";
import type { Route } from "./route.ts";
import { Router } from "./router.ts";
import { ROUTES } from "./routes.ts";

export function createRouter(): Router<Route> {
  const router = new Router<Route>();
  for (const route of ROUTES) router.add(route.path, route);
  return router;
}

export interface PageOptions extends OpenApiOptions {
  /** Pages by path. `{isbn}` in a path stands for one segment. */
  readonly pages?: ReadonlyMap<string, Page> | undefined;
  /** The paths of pages that come with the files of `loadAssets`. */
  readonly appPaths?: readonly string[] | undefined;
  /** Returns the files below `/page/` and the pages of `appPaths`, by path. Is called at the first request of one. */
  readonly loadAssets?: (() => Promise<ReadonlyMap<string, Page>>) | undefined;
  /** Makes the page for a browser at a path that is nothing. Without it, every client gets JSON. */
  readonly notFoundPage?: NotFoundPage | undefined;
}

/** Pages are the same for everyone, and only change with Colophon. */
const PAGE_HEADERS = { "Cache-Control": "no-cache" };
const ASSETS = "/page/";

/** One segment of letters, digits, hyphens and spaces, with a digit: the page tells what is wrong with an ISBN. */
const BOOK_PATH = /^\/book\/(?=[^/]*[0-9])(?:[0-9A-Za-z-]|%20){1,40}$/;
const BOOK_PAGE = "/book/{isbn}";

/** The OpenAPI document, the pages and their assets, by path. */
export class PageTable {
  readonly #pages: Map<string, StaticContent>;
  #assets: Promise<ReadonlyMap<string, StaticContent>> | undefined;

  constructor(private readonly options: PageOptions) {
    this.#pages = contentsOf(options.pages ?? new Map());
    this.#pages.set("/openapi.json", openApiContent(options));
  }

  /** Returns undefined for a path that is no page. */
  find(path: string): Awaitable<StaticContent | undefined> {
    const key = BOOK_PATH.test(path) ? BOOK_PAGE : path;
    const isAsset = key.startsWith(ASSETS) || this.options.appPaths?.includes(key);
    return isAsset ? this.#loadedAssets().then((assets) => assets.get(key)) : this.#pages.get(key);
  }

  /** A failure is forgotten, so that the next request tries again. */
  #loadedAssets(): Promise<ReadonlyMap<string, StaticContent>> {
    const { loadAssets = async () => new Map() } = this.options;
    this.#assets ??= loadAssets()
      .then(contentsOf)
      .catch((error) => {
        this.#assets = undefined;
        throw error;
      });
    return this.#assets;
  }
}

function contentsOf(pages: ReadonlyMap<string, Page>): Map<string, StaticContent> {
  const contents = new Map<string, StaticContent>();
  for (const [path, { body, etag, type, headers }] of pages)
    contents.set(path, new StaticContent(body, etag, type, { ...PAGE_HEADERS, ...headers }));
  return contents;
}

function openApiContent(options: OpenApiOptions): StaticContent {
  const body = encodeJson(openApiDocument(options));
  return new StaticContent(body, etagOf(body), "application/json", PAGE_HEADERS);
}
