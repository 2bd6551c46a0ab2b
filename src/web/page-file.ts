/** A static file of a page, ready to be served. */

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
export const FONT = "font/woff2";
export const TEXT = "text/plain; charset=utf-8";

/** A catalog behind tokens is not for search engines. robots.txt tells them, but only at the root of a host. */
const NOT_INDEXED = { "X-Robots-Tag": "noindex" };

export function pageOf(body: Uint8Array, type: string, policy = CONTENT_SECURITY_POLICY): Page {
  const etag = new Bun.CryptoHasher("sha256").update(body).digest("hex").slice(0, 32);
  return { body, type, etag, headers: { "Content-Security-Policy": policy, ...NOT_INDEXED } };
}

/** Allows no other host, nothing inline and no frame around a page. */
const CONTENT_SECURITY_POLICY = policyWith("img-src 'self' data:");

/**
 * Covers are on other hosts. A header cannot know whether a person has agreed to load them. So it allows images over
 * https, and `app/theme.ts` forbids them again until then, with a policy in a `meta` element.
 */
export const APP_CONTENT_SECURITY_POLICY = policyWith("img-src 'self' data: https:");

function policyWith(images: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    images,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
