/** The operator's own port: whether it lives, whether it is ready, what it has counted. */
import { PROMETHEUS_TYPE, render } from "./prometheus-text.ts";
import type { MetricsSnapshot } from "./metrics-snapshot.ts";
import { shown } from "./printable.ts";

export interface AdminOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Why it is not ready, in one line; undefined when it is. */
  readonly ready: () => Promise<string | undefined>;
  readonly metrics: () => Promise<MetricsSnapshot>;
  readonly onError: (error: unknown) => void;
}

export interface RunningAdmin {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

const LONGEST_REASON = 500;

/** Throws what the system says when the address cannot be had. */
export function startAdmin(options: AdminOptions): RunningAdmin {
  const { host, ready, metrics, onError } = options;

  const pages: Readonly<Record<string, () => Response | Promise<Response>>> = {
    "/livez": () => text(200, "ok"),
    async "/readyz"() {
      const why = await ready();
      return why === undefined ? text(200, "ok") : text(503, shown(why, LONGEST_REASON));
    },
    async "/metrics"() {
      return text(200, render(await metrics()), PROMETHEUS_TYPE);
    },
  };

  const server = Bun.serve({
    hostname: host,
    port: options.port,
    // Bun lets several processes listen on one port unless it is told not to.
    reusePort: false,
    development: false,
    maxRequestBodySize: 1024,
    fetch(request) {
      const { pathname } = new URL(request.url);
      const page = Object.hasOwn(pages, pathname) ? pages[pathname] : undefined;
      if (!page) return text(404, "not found: there are /livez, /readyz and /metrics");
      if (request.method === "GET" || request.method === "HEAD") return page();
      return text(405, "use GET or HEAD", undefined, { Allow: "GET, HEAD" });
    },
    error(error) {
      onError(error);
      return text(500, "failed: the log says why");
    },
  });
  const port = server.port!;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    stop: () => server.stop(true),
  };
}

function text(
  status: number,
  body: string,
  type = "text/plain; charset=utf-8",
  headers: Record<string, string> = {},
): Response {
  return new Response(body, {
    status,
    headers: {
      "Content-Type": type,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  });
}
