/** The admin port: liveness, readiness and metrics. */
import { isIP } from "node:net";
import { hostname } from "node:os";
import { httpUrl } from "../lib/text.ts";
import type { MetricsSnapshot } from "./metric.ts";
import { PROMETHEUS_CONTENT_TYPE, renderMetrics } from "./metrics.ts";
import { redactToFit } from "./printable.ts";

/**
 * Names that nobody can register: RFC 6761 (localhost, test), RFC 6762 (local, also of Kubernetes' cluster.local),
 * internal (ICANN, 2024), home.arpa (RFC 8375), and svc of Kubernetes, which is no top-level domain.
 */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|test|local|internal|home\.arpa|svc)$/;

const HOST = /^(?:\[([^\]]*)\]|([^:]*))(?::[0-9]*)?$/;

/**
 * The names by which the admin port may be addressed. It has no tokens, so a page in a browser of this machine must not
 * read it by DNS rebinding: the page's own name then leads here, and the browser takes the response for the page's own.
 * Such a request differs from others only in its Host: browsers send neither Origin nor Sec-Fetch-Site with it.
 */
export class AdminHosts {
  readonly #names: ReadonlySet<string>;

  /** `names` are accepted beside addresses, the name of this machine, and names that nobody can register. */
  constructor(names: readonly string[]) {
    this.#names = new Set([...names, hostname()].map(normalise));
  }

  /** Takes the value of the header. */
  accepts(host: string): boolean {
    const parts = HOST.exec(host);
    if (!parts) return false;
    const [, ipv6, name = ""] = parts;
    if (ipv6 !== undefined) return isIP(ipv6) === 6;
    const normalised = normalise(name);
    // A name without a dot is one of this network: no top-level domain has an address of its own.
    const isLocal = isIP(name) === 4 || !normalised.includes(".") || PRIVATE_NAME.test(normalised);
    return isLocal || this.#names.has(normalised);
  }
}

/** Names are case-insensitive, and a dot at the end changes nothing (RFC 1034 §3.1). */
function normalise(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

export interface AdminServerOptions {
  readonly host: string;
  /** With 0, the system chooses a free port. */
  readonly port: number;
  /** Names by which clients address the port, beside `host`, addresses and local names. */
  readonly names?: readonly string[] | undefined;
  /** Returns undefined when the service runs. A service that does not should be restarted. */
  readonly notLiveReason: () => string | undefined;
  /** Resolves with undefined when the service is ready. */
  readonly notReadyReason: () => Promise<string | undefined>;
  readonly metrics: () => Promise<MetricsSnapshot>;
  readonly onError: (error: unknown) => void;
}

export interface AdminServer {
  /** Without a slash at its end. */
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

const MAX_REASON_BYTES = 500;
const MAX_BODY_BYTES = 1024;

/** Throws the system's error when the address is not available. */
export function startAdminServer(options: AdminServerOptions): AdminServer {
  const { host, notLiveReason, notReadyReason, metrics, onError } = options;

  const hosts = new AdminHosts([host, ...(options.names ?? [])]);
  const probeResponse = (reason: string | undefined) =>
    reason === undefined ? textResponse(200, "ok") : textResponse(503, redactToFit(reason, MAX_REASON_BYTES));
  const handlers: Readonly<Record<string, () => Response | Promise<Response>>> = {
    "/livez": () => probeResponse(notLiveReason()),
    "/readyz": async () => probeResponse(await notReadyReason()),
    async "/metrics"() {
      return textResponse(200, renderMetrics(await metrics()), { "Content-Type": PROMETHEUS_CONTENT_TYPE });
    },
  };

  const server = Bun.serve({
    hostname: host,
    port: options.port,
    // Bun's default lets several processes listen on one port.
    reusePort: false,
    development: false,
    maxRequestBodySize: MAX_BODY_BYTES,
    fetch(request) {
      // A probe of HTTP/1.0 may send no Host (RFC 9112 §3.2). Bun then has no valid URL.
      const requestHost = request.headers.get("host");
      if (!requestHost) return textResponse(400, "the request has no Host: send one, or use HTTP/1.1");
      // RFC 9110 §15.5.20.
      if (!hosts.accepts(requestHost)) {
        return textResponse(421, "this name is not one of the service: use its address, or see --admin-name");
      }
      const { pathname } = new URL(request.url);
      const handler = Object.hasOwn(handlers, pathname) ? handlers[pathname] : undefined;
      if (!handler) return textResponse(404, "not found: the paths are /livez, /readyz and /metrics");
      if (request.method === "GET" || request.method === "HEAD") return handler();
      return textResponse(405, "use GET or HEAD", { Allow: "GET, HEAD" });
    },
    error(error) {
      onError(error);
      return textResponse(500, "internal error: see the log");
    },
  });
  const port = server.port!;
  return { url: httpUrl(host, port), port, stop: () => server.stop(true) };
}

function textResponse(status: number, body: string, headers: Record<string, string> = {}): Response {
  return new Response(body, {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  });
}
