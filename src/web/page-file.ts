/** A static file of a page, ready to be served. */
import { CONTENT_SECURITY_POLICY } from "./content-security.ts";

export interface Page {
  readonly body: Uint8Array;
  readonly type: string;
  /** Without the quotes. */
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const HTML = "text/html; charset=utf-8";
export const SCRIPT = "text/javascript; charset=utf-8";
export const STYLE = "text/css; charset=utf-8";

/** A catalog behind tokens is not for search engines. robots.txt tells them, but only at the root of a host. */
const NOT_INDEXED = { "X-Robots-Tag": "noindex" };

export function pageOf(body: Uint8Array, type: string, policy = CONTENT_SECURITY_POLICY): Page {
  const etag = new Bun.CryptoHasher("sha256").update(body).digest("hex").slice(0, 32);
  return { body, type, etag, headers: { "Content-Security-Policy": policy, ...NOT_INDEXED } };
}
