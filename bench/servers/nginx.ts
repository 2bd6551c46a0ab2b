/** nginx with the same response bodies as static files, without authentication: the practical upper limit. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requirePrograms } from "../command.ts";
import type { MemoryLimit } from "../memory-limit.ts";
import { descendantsOf } from "../processes.ts";
import { API_PATHS, type StartServer, startProgram } from "./server.ts";

const GZIP_LEVEL = 4;
const FILE_CACHE = "open_file_cache max=20000 inactive=60s;";
const LOG_BUFFER = "64k";

interface NginxVariant {
  /** Caches open files. nginx does not notice a changed file for up to 60 seconds. */
  readonly hasFileCache?: boolean;
  /** Writes an access log in the combined format, through a buffer of 64 kB. */
  readonly hasLog?: boolean;
  readonly workers?: number;
  readonly limit?: MemoryLimit;
}

/** Without a variant, nginx has no log and no cache of open files. */
export function nginx(variant: NginxVariant = {}): StartServer {
  return ({ staticFolder, workFolder }, cores) => {
    requirePrograms(["nginx"], "nginx");
    const folder = mkdtempSync(join(workFolder, "nginx-"));
    const configuration = join(folder, "nginx.conf");
    return startProgram({
      name: nginxNameOf(variant),
      isNative: true,
      command: (port) => {
        writeFileSync(configuration, configurationOf(staticFolder, folder, port, variant));
        return ["nginx", "-p", folder, "-c", configuration];
      },
      cores,
      readyPath: API_PATHS.skus,
      paths: { isbn: API_PATHS.isbn, imprint: API_PATHS.imprint, skus: API_PATHS.skus },
      ...(variant.limit && { limit: variant.limit }),
      stopSignal: "SIGQUIT",
      workersOf: descendantsOf,
      onStop: () => rmSync(folder, { recursive: true }),
    });
  };
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
