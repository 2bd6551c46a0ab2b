/** The routes of an app: endpoints by template, and pages by path. */
import type { Page } from "../web/pages.ts";
import { type OpenApiOptions, openApiDocument } from "./openapi/document.ts";
import { StaticContent } from "./response/static-content.ts";
import { Router } from "./router.ts";
import { ROUTES, type Route } from "./routes.ts";

export function createRouter(): Router<Route> {
  const router = new Router<Route>();
  for (const route of ROUTES) router.add(route.path, route);
  return router;
}

export interface PageOptions extends OpenApiOptions {
  /** Pages by path. */
  readonly pages?: ReadonlyMap<string, Page> | undefined;
}

/** Pages are the same for everyone, and only change with Colophon. */
const PAGE_HEADERS = { "Cache-Control": "no-cache" };

/** Returns the OpenAPI document and the pages, by path. */
export function createPages(options: PageOptions): ReadonlyMap<string, StaticContent> {
  const pages = new Map([["/openapi.json", openApiContent(options)]]);
  for (const [path, { body, etag, type, headers }] of options.pages ?? []) {
    pages.set(path, new StaticContent(body, etag, type, { ...PAGE_HEADERS, ...headers }));
  }
  return pages;
}

function openApiContent(options: OpenApiOptions): StaticContent {
  const body = new TextEncoder().encode(JSON.stringify(openApiDocument(options)));
  const etag = new Bun.CryptoHasher("sha256").update(body).digest("hex").slice(0, 32);
  return new StaticContent(body, etag, "application/json", PAGE_HEADERS);
}
