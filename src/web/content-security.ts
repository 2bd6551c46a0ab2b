/** Allows no other host, nothing inline and no frame around a page. */
export const CONTENT_SECURITY_POLICY = policyWith("img-src 'self' data:");

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
    images,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
