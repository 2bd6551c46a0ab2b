/** Starts real proxies that refuse everything under /api/, and pass the rest on to Colophon. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../src/lib/testing/free-port.ts";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { exchange } from "./fuzz/raw-http.ts";
import { temporaryFolder } from "./process.ts";

export interface PathProxy {
  readonly program: string;
  /** The rule is written as the manual of the program does. */
  readonly config: (site: Site) => string;
  readonly command: (path: string) => readonly string[];
}

interface Site {
  readonly folder: string;
  readonly port: number;
  /** Host and port of Colophon. */
  readonly upstream: string;
}

export const PATH_PROXIES: readonly PathProxy[] = [
  {
    program: "nginx",
    config: ({ folder, port, upstream }) => `
      daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
      http {
        access_log off;
        ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
        server {
          listen 127.0.0.1:${port};
          location /api/ { return 403; }
          location / { proxy_pass http://${upstream}; }
        }
      }`,
    command: (path) => ["nginx", "-e", "stderr", "-c", path],
  },
  {
    program: "haproxy",
    config: ({ port, upstream }) => `
      defaults
        mode http
        timeout connect 5s
        timeout client 30s
        timeout server 30s
      frontend books
        bind 127.0.0.1:${port}
        http-request deny deny_status 403 if { path_beg /api/ }
        default_backend colophon
      backend colophon
        server one ${upstream}\n`,
    command: (path) => ["haproxy", "-db", "-f", path],
  },
  {
    program: "caddy",
    config: ({ folder, port, upstream }) => `
      {
        admin off
        auto_https off
        storage file_system ${folder}
      }
      http://:${port} {
        bind 127.0.0.1
        @api path /api/*
        handle @api {
          respond 403
        }
        handle {
          reverse_proxy ${upstream}
        }
      }\n`,
    command: (path) => ["caddy", "run", "--adapter", "caddyfile", "--config", path],
  },
];

export interface RunningPathProxy extends AsyncDisposable {
  readonly port: number;
}

export async function startPathProxy(proxy: PathProxy, upstream: string): Promise<RunningPathProxy> {
  const folder = temporaryFolder();
  const port = freePort();
  const config = join(folder, "config");
  writeFileSync(config, proxy.config({ folder, port, upstream }));
  const running = await runProxy(proxy.command(config), folder, async () => {
    const { responses } = await exchange(port, "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return responses[0]?.status === 200;
  });
  return { port, ...running };
}

/** Runs a proxy with files in a folder. Resolves when it passes requests on, and throws what it says if it ends. */
export async function runProxy(
  command: readonly string[],
  folder: string,
  isReady: () => Promise<boolean>,
): Promise<AsyncDisposable> {
  const log = join(folder, "stderr.log");
  const child = Bun.spawn([...command], {
    env: {
      ...process.env,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_DATA_HOME: folder,
      CADDY_ADMIN: `unix/${join(folder, "admin.sock")}`,
    },
    stdin: "ignore",
    stdout: "ignore",
    stderr: Bun.file(log),
  });
  const running = {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
  const isRunning = () => {
    if (child.exitCode !== null) throw new Error(`${command[0]} did not start: ${readFileSync(log)}`);
    return isReady();
  };
  await waitFor(`${command[0]} passes requests on`, isRunning).catch(async (error) => {
    await running[Symbol.asyncDispose]();
    throw error;
  });
  return running;
}
