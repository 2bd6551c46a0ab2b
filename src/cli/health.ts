/** `colophon health`: asks the admin port of a running service. A container without a shell has nothing else to do so. */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { errorMessage } from "../lib/error-message.ts";
import { httpUrl } from "../lib/text.ts";
import { adminOptions } from "./serve/settings.ts";
import { CommandError, EXIT, UsageError } from "./terminal/arguments.ts";
import { defineCommand, flag, type Settings } from "./terminal/command.ts";

/** The admin port responds within two seconds. */
const TIMEOUT_MS = 3000;

const healthOptions = { ...adminOptions, live: flag({ help: "if it runs" }) };

export const command = defineCommand(["colophon health --admin-port 9090"], {
  options: healthOptions,
  about: "exits with 0 if the running service is ready for requests",
  run: askService,
});

async function askService({ adminHost, adminPort, live }: Settings<typeof healthOptions>): Promise<number> {
  if (adminPort === undefined) {
    throw new UsageError("health needs the --admin-port of the service, or COLOPHON_ADMIN_PORT");
  }
  const url = `${httpUrl(reachable(adminHost), adminPort)}/${live ? "livez" : "readyz"}`;
  const response = await ask(url);
  if (response.status !== 200) {
    const state = live ? "does not run well" : "is not ready";
    throw new CommandError(`the service at ${url} ${state}: ${response.body}`);
  }
  console.log(response.body);
  return EXIT.ok;
}

/** Not with `fetch`, which would ask the proxy of the variable HTTP_PROXY. */
async function ask(url: string): Promise<{ readonly status: number | undefined; readonly body: string }> {
  try {
    const request = get(url, { agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return { status: response.statusCode, body: await text(response) };
  } catch (error) {
    throw new CommandError(
      `no service responds at ${url}: ${errorMessage(error)}; start it with this --admin-port, or see its log`,
    );
  }
}

/** A service that listens on all addresses is reached by that of the machine itself. */
function reachable(host: string): string {
  return host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
}
