/** The settings of `colophon serve`, from its options and the environment. */
import { resolve } from "node:path";
import { DEFAULT_CACHE_BYTES } from "../../api/app.ts";
import { parseRate, type Rate } from "../../api/rate/rate-limit.ts";
import { Cors } from "../../api/response/cors.ts";
import { DEFAULT_STREAM_BYTES } from "../../api/stream-budget.ts";
import { parseAddressRanges } from "../../server/client-addresses.ts";
import { MAX_CONNECTIONS } from "../../server/limits.ts";
import { listeningSocketOf } from "../../server/listener/listening-sockets.ts";
import { LOG_LEVELS } from "../../telemetry/log/log.ts";
import { createOption, newRegistryOption, storeOptions } from "../config/store-location.ts";
import { type WatchSettings, watchOptions, watchSettings } from "../config/watch-settings.ts";
import { CommandError, UsageError } from "../terminal/arguments.ts";
import { flag, forAll, integer, nonEmpty, oneOf, option, type Settings } from "../terminal/command.ts";

export interface Address {
  readonly host: string;
  /** With 0, the system chooses a free port. */
  readonly port: number;
}

const MEGABYTE = 1024 * 1024;
const MAX_MEGABYTES = 65_536;

const parseHost = nonEmpty("an address of this machine");
const parsePort = integer(0, 65_535);

/** The address of the admin port, for `serve` and `health`. Without a port, there is none. */
export const adminOptions = {
  adminPort: option({ value: "P", variable: true, parse: parsePort }),
  adminHost: option({ default: "127.0.0.1", variable: true, needs: "admin-port", parse: parseHost }),
};

const optionsWithVariable = {
  port: option({ default: "8080", otherVariable: "PORT", parse: parsePort }),
  host: option({ default: "127.0.0.1", otherVariable: "HOST", parse: parseHost }),
  ...storeOptions,
  create: createOption,
  sample: flag({ help: "fills an empty catalog" }),
  workers: option({ default: "1", parse: integer(1, 256), help: "number of processes" }),
  cacheBytes: option({
    name: "cache",
    default: String(DEFAULT_CACHE_BYTES / MEGABYTE),
    parse: integer(0, MAX_MEGABYTES, MEGABYTE),
    help: "MB per process for the response cache",
  }),
  streamBytes: option({
    name: "memory",
    default: String(DEFAULT_STREAM_BYTES / MEGABYTE),
    parse: integer(1, MAX_MEGABYTES, MEGABYTE),
    help: "MB per process for all lists in flight together",
  }),
  logLevel: option({
    name: "log",
    value: LOG_LEVELS.join("|"),
    default: "requests",
    parse: oneOf(LOG_LEVELS),
  }),
  /** An absolute path. */
  logFile: option({
    value: "FILE",
    parse: (text, name) => resolve(nonEmpty("a file")(text, name)),
    help: "instead of standard error, reopened on SIGHUP",
  }),
  /** Without it, requests are not limited. */
  rate: option({ value: "600/60", parse: parseRateOption, help: "requests/seconds per token" }),
  /** Without it, a tenth of all connections. */
  maxPerAddress: option({
    name: "connections-per-address",
    value: "1000",
    parse: integer(1, MAX_CONNECTIONS),
  }),
  trustedProxies: option({
    name: "trusted-proxy",
    value: "ADDRESS,…",
    parse: parseTrustedProxies,
    help: "proxies whose X-Forwarded-For counts",
  }),
  ...adminOptions,
  adminNames: option({
    name: "admin-name",
    value: "NAME,…",
    needs: "admin-port",
    parse: splitList,
    help: "DNS names of the admin port",
  }),
  /** An absolute path. */
  backups: option({
    value: "DIR",
    needs: "admin-port",
    parse: (text, name) => resolve(nonEmpty("a folder")(text, name)),
    help: "folder that backups are written to, for the metrics of the last one",
  }),
  /** Lets another Colophon listen on the same port, for an update without downtime. */
  sharePort: flag(),
  drainMs: option({
    name: "drain",
    default: "0",
    parse: integer(0, 3600, 1000),
    help: "seconds after SIGTERM in which connections are still accepted",
  }),
  watchFolder: option({
    name: "watch",
    value: "DIR",
    parse: parseFolder,
    help: 'imports the feeds that arrive in DIR, like "colophon watch"',
  }),
  // Variables for imports may be set beside a service that watches no folder. Given options are refused there.
  ...forAll(watchOptions, { needs: "watch", sharesVariable: true }),
};

/** A registry is replaced once, by hand: a variable would stay set. */
export const serveOptions = {
  ...forAll(optionsWithVariable, { variable: true }),
  newRegistry: newRegistryOption,
};

/** They travel to workers as JSON. */
export interface ServeSettings extends Settings<typeof serveOptions> {
  /** The web origins that may read, separated by commas. Without them, every origin may. */
  readonly cors: string | undefined;
  /** The descriptor of the socket that systemd has opened. */
  readonly inheritedFd: number | undefined;
  /** Feeds that arrive in a folder are imported. Without it, none is. */
  readonly watch: WatchSettings | undefined;
}

/** What a worker is told beside the settings of the operator. */
export interface WorkerSettings extends ServeSettings {
  /** The descriptor of the memory of `--rate`. */
  readonly rateMemoryFd: number | undefined;
}

/** Adds the settings that the environment alone has. */
export function completeSettings(settings: Settings<typeof serveOptions>): ServeSettings {
  const { watchFolder } = settings;
  const inherited = inheritedSocket();
  return {
    ...settings,
    host: inherited?.host ?? settings.host,
    port: inherited?.port ?? settings.port,
    inheritedFd: inherited?.fd,
    cors: checkCors(process.env.COLOPHON_CORS_ORIGIN),
    watch: watchFolder === undefined ? undefined : watchSettings(watchFolder, settings),
  };
}

function parseFolder(text: string): string {
  if (text === "") throw new UsageError("the folder to watch has no name");
  return text;
}

function splitList(text: string): readonly string[] {
  return text.split(",").map((each) => each.trim());
}

function parseTrustedProxies(text: string): readonly string[] {
  const addresses = splitList(text);
  try {
    parseAddressRanges(addresses);
    return addresses;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`--trusted-proxy: ${error.message}`);
  }
}

function parseRateOption(text: string): Rate {
  const rate = parseRate(text);
  if (!rate) throw new UsageError(`--rate must be requests/seconds, such as 600/60, not "${text}"`);
  return rate;
}

/** Returns the text when it is valid. It stays text, because it travels to workers as JSON. */
function checkCors(text: string | undefined): string | undefined {
  if (!text) return undefined;
  try {
    new Cors(text);
    return text;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(`COLOPHON_CORS_ORIGIN: ${error.message}`);
  }
}

/** The socket that systemd opened for this process: sd_listen_fds(3). */
interface InheritedSocket {
  readonly fd: number;
  readonly host: string;
  readonly port: number;
}

const FIRST_FD = 3;

/** Returns undefined when this process was started in another way. Throws when there is not exactly one TCP socket. */
export function inheritedSocket(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  pid: number = process.pid,
): InheritedSocket | undefined {
  const { LISTEN_FDS: count, LISTEN_PID: receiver } = environment;
  // The variables are also inherited by processes that they are not meant for.
  if (count === undefined || receiver !== String(pid)) return undefined;
  if (count !== "1") {
    throw new CommandError(
      `LISTEN_FDS is ${count}: Colophon takes one socket from systemd; write one ListenStream= in the .socket unit`,
    );
  }
  const socket = listeningSocketOf(FIRST_FD);
  if (!socket) {
    throw new CommandError(
      `descriptor ${FIRST_FD} (LISTEN_FDS) is not a listening TCP socket: write a port or an address with a port at ListenStream= in the .socket unit`,
    );
  }
  return { fd: FIRST_FD, host: socket.address, port: socket.port };
}
