/** The root of the service. Scripts are served from `page/` below it, also behind a path prefix of a proxy. */
export const BASE = new URL("..", import.meta.url);
