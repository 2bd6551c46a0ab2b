/** The pages that are served beside the API: the OpenAPI page and the documentation. Nothing comes from another host. */
import { packageFile, programFile } from "../lib/program-files.ts";
import { CONTENT_SECURITY_POLICY } from "./content-security.ts";
import { docsPages } from "./docs-pages.ts";

/** A static file of a page, ready to be served. */
export interface Page {
  readonly body: Uint8Array;
  readonly type: string;
  /** Without the quotes. */
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

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
  ["/docs.css", ownFile("docs.css"), STYLE],
];

export async function readPages(): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>();
  for (const [path, file, type] of FILES) pages.set(path, pageOf(await Bun.file(file).bytes(), type));
  for (const [path, html] of docsPages()) pages.set(path, pageOf(Buffer.from(html), HTML));
  return pages;
}

function pageOf(body: Uint8Array, type: string): Page {
  const etag = new Bun.CryptoHasher("sha256").update(body).digest("hex").slice(0, 32);
  return { body, type, etag, headers: { "Content-Security-Policy": CONTENT_SECURITY_POLICY } };
}

function ownFile(file: string): string {
  return programFile(`src/web/${file}`);
}

function swaggerFile(file: string): string {
  return packageFile(`swagger-ui-dist/${file}`);
}
