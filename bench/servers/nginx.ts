/** nginx with the same response bodies as static files, without authentication: the practical upper limit. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LARGEST_IMPRINT } from "../catalog-feed.ts";
import type { MemoryLimit } from "../memory/memory-limit.ts";
import { descendantsOf, freePort, isInstalled, pinnedTo, waitUntilReady } from "../processes.ts";
import type { CatalogFiles, ServerUnderTest, StartServer } from "../server-under-test.ts";

const GZIP_LEVEL = 4;
const FILE_CACHE = "open_file_cache max=20000 inactive=60s;";
const LOG_BUFFER = "64k";

export interface NginxVariant {
  /** Caches open files. nginx does not notice a changed file for up to 60 seconds. */
  readonly hasFileCache?: boolean;
  /** Writes an access log in the combined format, through a buffer of 64 kB. */
  readonly hasLog?: boolean;
  readonly workers?: number;
  readonly limit?: MemoryLimit;
}

export const nginx: StartServer = (catalog, cores) => start(catalog, cores, {});

export function nginxWith(variant: NginxVariant): StartServer {
  return (catalog, cores) => start(catalog, cores, variant);
}

export function nginxNameOf({ hasFileCache, hasLog, workers = 1 }: NginxVariant): string {
  const parts = [
    "nginx",
    ...(workers === 1 ? [] : [`${workers} workers`]),
    ...(hasFileCache ? ["open_file_cache"] : []),
    ...(hasLog ? ["buffered log"] : []),
  ];
  return parts.join(", ");
}

async function start(
  { staticFolder, workFolder }: CatalogFiles,
  cores: string,
  variant: NginxVariant,
): Promise<ServerUnderTest> {
  if (!isInstalled("nginx")) throw new Error("nginx is missing: apt-get install nginx");
  const port = freePort();
  const folder = join(workFolder, `nginx-${port}`);
  mkdirSync(folder, { recursive: true });
  const configuration = join(folder, "nginx.conf");
  writeFileSync(configuration, configurationOf(staticFolder, folder, port, variant));
  const command = pinnedTo(cores, ["nginx", "-p", folder, "-c", configuration]);
  const child = Bun.spawn(variant.limit ? variant.limit.inside(command) : command, {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(`${url}/api/skus`, {});
  return {
    name: nginxNameOf(variant),
    url,
    headers: {},
    isNative: true,
    pids: descendantsOf(child.pid),
    paths: {
      isbn: (isbn) => `/api/isbn/${isbn}`,
      imprint: `/api/imprint/${LARGEST_IMPRINT.slug}`,
      skus: "/api/skus",
    },
    async stop() {
      child.kill("SIGQUIT");
      await child.exited;
      rmSync(folder, { recursive: true });
    },
  };
}

function configurationOf(
  staticFolder: string,
  folder: string,
  port: number,
  { hasFileCache, hasLog, workers = 1 }: NginxVariant,
): string {
  return `
daemon off;
user root;
worker_processes ${workers};
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 4096; }
http {
  access_log ${hasLog ? `${folder}/access.log combined buffer=${LOG_BUFFER}` : "off"};
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  default_type application/json;
  etag on;
  gzip on;
  gzip_comp_level ${GZIP_LEVEL};
  gzip_types application/json;
  ${hasFileCache ? FILE_CACHE : ""}
  server {
    listen 127.0.0.1:${port};
    root ${staticFolder};
    add_header Cache-Control "private, no-cache";
  }
}
`;
}
