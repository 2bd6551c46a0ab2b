/** The process side of the server: address, time-outs, the last resort, the end. */
import type { App } from "./app.ts";
import { internal } from "./errors.ts";

export interface ServerOptions {
  readonly app: App;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Several processes listen on one port, and the system deals the connections out. */
  readonly reusePort?: boolean | undefined;
  /**
   * Seconds after which a connection on which nothing moves is closed, so that no view is held for ever. The
   * system's buffers hide a slow reader for a while: at 120, one of 20 kB/s is still served.
   */
  readonly idleTimeout?: number | undefined;
  /** What even the app could not answer. */
  readonly onError: (error: unknown) => void;
}

export interface RunningServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, and lets answers under way finish for so many milliseconds. */
  stop(patience?: number): Promise<void>;
}

/** No endpoint reads a body. */
const MOST_BODY = 16 * 1024;

/** Throws what the system says when the address cannot be had. */
export function startServer(options: ServerOptions): RunningServer {
  const { app, host, onError } = options;
  const server = Bun.serve({
    hostname: host,
    port: options.port,
    reusePort: options.reusePort ?? false,
    idleTimeout: options.idleTimeout ?? 120,
    maxRequestBodySize: MOST_BODY,
    development: false,
    fetch: app,
    error(error) {
      onError(error);
      return new Response(JSON.stringify(internal("-")), {
        status: 500,
        headers: { "Content-Type": "application/problem+json", "Cache-Control": "no-store" },
      });
    },
  });
  const port = server.port!;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    async stop(patience = 10_000) {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, patience);
      await Promise.race([server.stop(false), late]);
      clearTimeout(timer);
      await server.stop(true);
    },
  };
}
