/** Starts a real reverse proxy with a file of examples/, in front of a server on the loopback interface. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../src/lib/testing/free-port.ts";
import { isProgramMissing } from "../src/lib/testing/requirements.ts";
import { runProxy } from "./path-proxies.ts";
import { temporaryFolder } from "./process.ts";

const EXAMPLES = join(import.meta.dir, "../examples");

export interface Proxy {
  readonly program: string;
  readonly file: string;
  /** Replaces addresses and certificate paths in the example. */
  readonly replacements: (site: Site) => Readonly<Record<string, string>>;
  readonly command: (path: string, site: Site) => readonly string[];
}

interface Site {
  readonly folder: string;
  /** The port of the proxy on the loopback interface. */
  readonly port: number;
  /** Host and port of Colophon. */
  readonly upstream: string;
  readonly certificate: Certificate;
}

/** A self-signed certificate for `localhost`: its text, and the files that proxies read. */
export interface Certificate {
  readonly text: string;
  readonly path: string;
  readonly keyPath: string;
  /** Certificate and key in one file. */
  readonly combinedPath: string;
}

export interface RunningProxy extends AsyncDisposable {
  readonly url: string;
}

export const PROXIES: readonly Proxy[] = [
  {
    program: "nginx",
    file: "nginx.conf",
    replacements: ({ port, upstream, certificate }) => ({
      "127.0.0.1:8080": upstream,
      "listen 443 ": `listen 127.0.0.1:${port} `,
      "books.example.org": "localhost",
      "/etc/ssl/colophon/fullchain.pem": certificate.path,
      "/etc/ssl/colophon/privkey.pem": certificate.keyPath,
    }),
    command(path, { folder }) {
      // The example belongs into the http context. Debian's nginx.conf has "gzip on" there.
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
      const main = join(folder, "main.conf");
      writeFileSync(
        main,
        `daemon off; pid ${join(folder, "nginx.pid")}; error_log stderr; events {}
         http { access_log off; gzip on; gzip_types *; gzip_proxied any;
         ${temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join(" ")}
         include ${path}; }`,
      );
      return ["nginx", "-p", folder, "-e", "stderr", "-c", main];
    },
  },
  {
    program: "haproxy",
    file: "haproxy.cfg",
    replacements: ({ port, upstream, certificate }) => ({
      "127.0.0.1:8080": upstream,
      "bind :443 ": `bind 127.0.0.1:${port} `,
      "/etc/ssl/colophon/combined.pem": certificate.combinedPath,
    }),
    command: (path) => ["haproxy", "-db", "-f", path],
  },
  {
    program: "caddy",
    file: "Caddyfile",
    replacements: ({ port, upstream, certificate }) => ({
      "127.0.0.1:8080": upstream,
      "https://books.example.org:443 {": `https://localhost:${port} {\n\tbind 127.0.0.1`,
      "/etc/ssl/colophon/fullchain.pem": certificate.path,
      "/etc/ssl/colophon/privkey.pem": certificate.keyPath,
    }),
    command: (path) => ["caddy", "run", "--adapter", "caddyfile", "--config", path],
  },
];

export function isProxyMissing({ program }: Proxy): boolean {
  return isProgramMissing(program, "openssl");
}

export async function startProxy(
  proxy: Proxy,
  upstream: string,
  certificate: Certificate,
): Promise<RunningProxy> {
  const folder = temporaryFolder();
  const site = { folder, port: freePort(), upstream, certificate };
  const path = join(folder, proxy.file);
  writeFileSync(path, adaptedExample(proxy, site));
  const url = `https://localhost:${site.port}`;
  const running = await runProxy(proxy.command(path, site), folder, () => isListening(url, certificate));
  return { url, ...running };
}

async function isListening(url: string, { text }: Certificate): Promise<boolean> {
  const response = await fetch(`${url}/openapi.json`, { tls: { ca: text } }).catch(() => undefined);
  return response?.ok ?? false;
}

export function createCertificate(folder: string): Certificate {
  const path = join(folder, "certificate.pem");
  const keyPath = join(folder, "key.pem");
  const combinedPath = join(folder, "combined.pem");
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const type = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const files = ["-keyout", keyPath, "-out", path];
  const { success, stderr } = Bun.spawnSync(["openssl", "req", "-x509", ...type, ...subject, ...files]);
  if (!success) throw new Error(`openssl made no certificate: ${stderr}`);
  const text = readFileSync(path, "utf8");
  writeFileSync(combinedPath, text + readFileSync(keyPath, "utf8"), { mode: 0o600 });
  return { text, path, keyPath, combinedPath };
}

function adaptedExample({ file, replacements }: Proxy, site: Site): string {
  let text = readFileSync(join(EXAMPLES, file), "utf8");
  for (const [from, to] of Object.entries(replacements(site))) {
    if (!text.includes(from)) throw new Error(`examples/${file} does not contain ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}
