/** The limit: nginx with the same bytes as static files, and no token to check. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LARGEST } from "../catalog.ts";
import type { Contestant, Shelf } from "../contestant.ts";
import { answers, freePort, has, pinned, treeOf } from "../processes.ts";

export const GZIP_LEVEL = 4;

export async function nginx(shelf: Shelf, cores: string): Promise<Contestant> {
  return start(shelf, cores, "nginx", "");
}

/** What nginx gains by not asking the file system: for up to 60 seconds it does not see a file that changed. */
export async function nginxCached(shelf: Shelf, cores: string): Promise<Contestant> {
  return start(shelf, cores, "nginx, open_file_cache", "open_file_cache max=20000 inactive=60s;");
}

async function start(shelf: Shelf, cores: string, name: string, more: string): Promise<Contestant> {
  if (!has("nginx")) throw new Error("install nginx (Debian: apt-get install nginx)");
  const port = freePort();
  const folder = join(shelf.folder, `nginx-${port}`);
  mkdirSync(folder, { recursive: true });
  const workers = cores.includes(",") ? 2 : 1;
  writeFileSync(join(folder, "nginx.conf"), configuration(shelf.files, folder, port, workers, more));
  const child = Bun.spawn(pinned(cores, ["nginx", "-p", folder, "-c", join(folder, "nginx.conf")]), {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await answers(`${url}/api/skus`, {});
  return {
    name,
    url,
    headers: {},
    pids: treeOf(child.pid).filter((pid) => pid !== child.pid),
    paths: {
      isbn: (isbn) => `/api/isbn/${isbn}`,
      imprint: `/api/imprint/${LARGEST.slug}`,
      skus: "/api/skus",
    },
    async stop() {
      child.kill("SIGQUIT");
      await child.exited;
    },
  };
}

function configuration(files: string, folder: string, port: number, workers: number, more: string): string {
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
  ${more}
  server {
    listen 127.0.0.1:${port};
    root ${files};
    add_header Cache-Control "private, no-cache";
  }
}
`;
}
