/**
 * The pages that are served beside the API: the OpenAPI page and the documentation. The page for people is in assets.ts,
 * with all scripts and styles.
 */
import { programFile } from "../lib/program-files.ts";
import { docsPages } from "./docs-pages.ts";
import { openApiHtml } from "./html-pages.ts";
import { HTML, type Page, pageOf, STYLE, TEXT } from "./page-file.ts";

const FILES: readonly (readonly [path: string, file: string, type: string])[] = [
  ["/openapi/icon.svg", "icon.svg", "image/svg+xml"],
  ["/favicon.ico", "favicon.ico", "image/vnd.microsoft.icon"],
  ["/robots.txt", "robots.txt", TEXT],
  ["/docs.css", "docs.css", STYLE],
];

export async function readPages(): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>();
  for (const [path, file, type] of FILES)
    pages.set(path, pageOf(await Bun.file(programFile(`src/web/${file}`)).bytes(), type));
  pages.set("/openapi.html", pageOf(Buffer.from(openApiHtml()), HTML));
  for (const [path, html] of await docsPages()) pages.set(path, pageOf(Buffer.from(html), HTML));
  return pages;
}
