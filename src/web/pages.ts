/** The files of the test page, all from our own origin. */
import { join } from "node:path";

export interface Page {
  readonly body: Uint8Array;
  readonly type: string;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Nothing from another host, nothing inline, no frame around it. `data:` images are the icons within Swagger
 * UI's style sheet.
 */
const POLICY = [
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
  ["/openapi.html", own("openapi.html"), HTML],
  ["/openapi/page.js", own("openapi.js"), SCRIPT],
  ["/openapi/page.css", own("openapi.css"), STYLE],
  ["/openapi/icon.svg", own("icon.svg"), "image/svg+xml"],
  ["/openapi/swagger-ui-bundle.js", swagger("swagger-ui-bundle.js"), SCRIPT],
  ["/openapi/swagger-ui.css", swagger("swagger-ui.css"), STYLE],
];

export async function readPages(): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>();
  for (const [path, file, type] of FILES) {
    const body = await Bun.file(file).bytes();
    const etag = new Bun.CryptoHasher("sha256").update(body).digest("hex").slice(0, 32);
    pages.set(path, { body, type, etag, headers: { "Content-Security-Policy": POLICY } });
  }
  return pages;
}

function own(file: string): string {
  return join(import.meta.dir, file);
}

function swagger(file: string): string {
  return Bun.resolveSync(`swagger-ui-dist/${file}`, import.meta.dir);
}
