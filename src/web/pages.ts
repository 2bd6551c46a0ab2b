/**
 * The pages that are served beside the API: the page for people, the OpenAPI page and the documentation. Scripts and
 * styles of the first one are in assets.ts.
 */
import { packageFile, programFile } from "../lib/program-files.ts";
import { APP_CONTENT_SECURITY_POLICY } from "./content-security.ts";
import { docsPages } from "./docs-pages.ts";
import { HTML, type Page, pageOf, SCRIPT, STYLE } from "./page-file.ts";
import { shellPages } from "./shell.ts";

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
  for (const [path, html] of shellPages()) {
    const page = pageOf(Buffer.from(html), HTML, APP_CONTENT_SECURITY_POLICY);
    pages.set(path, { ...page, headers: { ...page.headers, "Referrer-Policy": "no-referrer" } });
  }
  return pages;
}

function ownFile(file: string): string {
  return programFile(`src/web/${file}`);
}

function swaggerFile(file: string): string {
  return packageFile(`swagger-ui-dist/${file}`);
}
