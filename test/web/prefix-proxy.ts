/** nginx in front of Colophon, below a path. */
import { PATH_PROXIES, type PathProxy, type RunningPathProxy, startPathProxy } from "../path-proxies.ts";

export const PREFIX = "/books/v1";

const nginx = PATH_PROXIES.find(({ program }) => program === "nginx")!;

/** The slash after the upstream removes the prefix, as the manual of nginx has it. */
const BELOW_PREFIX: PathProxy = {
  ...nginx,
  config: (site) =>
    nginx
      .config(site)
      .replace(
        "location /api/ { return 403; }",
        `location ${PREFIX}/ { proxy_pass http://${site.upstream}/; }`,
      )
      .replace("location / {", "location = /openapi.json {"),
};

/** Returns the proxy, and the URL of the service below it. */
export async function startPrefixProxy(
  serverUrl: string,
): Promise<{ readonly proxy: RunningPathProxy; readonly base: string }> {
  const proxy = await startPathProxy(BELOW_PREFIX, new URL(serverUrl).host);
  return { proxy, base: `http://127.0.0.1:${proxy.port}${PREFIX}` };
}
