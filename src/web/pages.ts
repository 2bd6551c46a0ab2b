/** Reads the files of the OpenAPI page. All of them are served from the same origin. */
import { join } from "node:path";

/** A static file of the page, ready to be served. */
export interface Page {
  readonly body: Uint8Array;
  readonly type: string;
  /** Without the quotes. */
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Allows no other host, nothing inline and no frame around the page. The style sheet of Swagger UI has its icons as
 * `data:` images.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

const FILES: readonly (readonly [path: string, file: string, type: string])[] = [
  ["/openapi.html", ownFile("openapi.html"), HTML],
  ["/openapi/page.js", ownFile("openapi.js"), SCRIPT],
  ["/openapi/page-document.js", ownFile("page-document.js"), SCRIPT],
  ["/openapi/catalog-examples.js", ownFile("catalog-examples.js"), SCRIPT],
  ["/openapi/record-schema.js", ownFile("record-schema.js"), SCRIPT],
  ["/openapi/page.css", ownFile("openapi.css"), STYLE],
  ["/openapi/icon.svg", ownFile("icon.svg"), "image/svg+xml"],
  ["/openapi/swagger-ui-bundle.js", swaggerFile("swagger-ui-bundle.js"), SCRIPT],
  ["/openapi/swagger-ui.css", swaggerFile("swagger-ui.css"), STYLE],
];

export async function readPages(): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>();
  for (const [path, file, type] of FILES) {
    const body = await Bun.file(file).bytes();
    const etag = new Bun.CryptoHasher("sha256").update(body).digest("hex").slice(0, 32);
    pages.set(path, { body, type, etag, headers: { "Content-Security-Policy": CONTENT_SECURITY_POLICY } });
  }
  return pages;
}

function ownFile(file: string): string {
  return join(import.meta.dir, file);
}

function swaggerFile(file: string): string {
  return Bun.resolveSync(`swagger-ui-dist/${file}`, import.meta.dir);
}
