/** A reverse proxy that serves Colophon below a path and strips the path. */

export interface PrefixProxy extends AsyncDisposable {
  /** With the prefix, without a slash at its end. */
  readonly url: string;
}

/** Paths outside of the prefix are 404: a page that leaves it does not work. */
export function startPrefixProxy(upstream: string, prefix: string): PrefixProxy {
  const proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (!pathname.startsWith(`${prefix}/`)) return new Response("outside of the prefix", { status: 404 });
      const headers = new Headers(request.headers);
      headers.set("accept-encoding", "identity");
      return await fetch(upstream + pathname.slice(prefix.length) + search, { headers, redirect: "manual" });
    },
  });
  return {
    url: proxy.url.origin + prefix,
    [Symbol.asyncDispose]: async () => await proxy.stop(true),
  };
}
