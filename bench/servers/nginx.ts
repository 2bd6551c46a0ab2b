/** nginx with the same response bodies as static files, without authentication: the practical upper limit. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LARGEST_IMPRINT } from "../catalog-feed.ts";
import { descendantsOf, freePort, isInstalled, pinnedTo, waitUntilReady } from "../processes.ts";
import type { CatalogFiles, ServerUnderTest } from "../server-under-test.ts";

const GZIP_LEVEL = 4;

export function nginx(catalog: CatalogFiles, cores: string): Promise<ServerUnderTest> {
  return start(catalog, cores, "nginx", "");
}

/** nginx that caches open files. It does not notice a changed file for up to 60 seconds. */
export function nginxWithFileCache(catalog: CatalogFiles, cores: string): Promise<ServerUnderTest> {
  return start(catalog, cores, "nginx, open_file_cache", "open_file_cache max=20000 inactive=60s;");
}

async function start(
  { staticFolder, workFolder }: CatalogFiles,
  cores: string,
  name: string,
  directives: string,
): Promise<ServerUnderTest> {
  if (!isInstalled("nginx")) throw new Error("nginx is missing: apt-get install nginx");
  const port = freePort();
  const folder = join(workFolder, `nginx-${port}`);
  mkdirSync(folder, { recursive: true });
  const workers = cores.includes(",") ? 2 : 1;
  const configuration = join(folder, "nginx.conf");
  writeFileSync(configuration, configurationOf(staticFolder, folder, port, workers, directives));
  const child = Bun.spawn(pinnedTo(cores, ["nginx", "-p", folder, "-c", configuration]), {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(`${url}/api/skus`, {});
  return {
    name,
    url,
    headers: {},
    pids: descendantsOf(child.pid),
    paths: {
      isbn: (isbn) => `/api/isbn/${isbn}`,
      imprint: `/api/imprint/${LARGEST_IMPRINT.slug}`,
      skus: "/api/skus",
    },
    async stop() {
      child.kill("SIGQUIT");
      await child.exited;
    },
  };
}

function configurationOf(
  staticFolder: string,
  folder: string,
  port: number,
  workers: number,
  directives: string,
): string {
  return `
daemon off;
user root;
worker_processes ${workers};
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 4096; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  default_type application/json;
  etag on;
  gzip on;
  gzip_comp_level ${GZIP_LEVEL};
  gzip_types application/json;
  ${directives}
  server {
    listen 127.0.0.1:${port};
    root ${staticFolder};
    add_header Cache-Control "private, no-cache";
  }
}
`;
}
