/** The settings of `colophon serve`, from its options and the environment. */
import { resolve } from "node:path";
import { DEFAULT_CACHE_BYTES } from "../../api/app.ts";
import { parseRate, type Rate } from "../../api/rate/rate-limit.ts";
import { Cors } from "../../api/response/cors.ts";
import { DEFAULT_STREAM_BYTES } from "../../api/stream-budget.ts";
import { parseAddressRanges } from "../../server/client-addresses.ts";
import { MAX_CONNECTIONS } from "../../server/limits.ts";
import { listeningSocketOf } from "../../server/listener/listening-sockets.ts";
import { LOG_LEVELS, type LogLevel } from "../../telemetry/log/log.ts";
import { resolveStoreLocation } from "../config/store-location.ts";
import { parseWatchSettings, type WatchSettings, watchOptionTypes } from "../config/watch-settings.ts";
import {
  CommandError,
  environmentOptions,
  parseArguments,
  parseInteger,
  UsageError,
} from "../terminal/arguments.ts";

export interface Address {
  readonly host: string;
  /** With 0, the system chooses a free port. */
  readonly port: number;
}

/** The settings that every worker process needs. They travel to workers as JSON. */
export interface ProcessSettings extends Address {
  readonly storeLocation: string;
  readonly cacheBytes: number;
  /** The memory of all lists in flight together. */
  readonly streamBytes: number;
  /** The connections of one address. Without one, a tenth of all. */
  readonly maxPerAddress: number | undefined;
  readonly trustedProxies: readonly string[];
  readonly logLevel: LogLevel;
  /** The absolute path of the log. Without one, the log goes to standard error. */
  readonly logFile: string | undefined;
  /** The rate limit of each token. Without one, requests are not limited. */
  readonly rate: Rate | undefined;
  /** The web origins that may read, separated by commas. Without them, every origin may. */
  readonly cors: string | undefined;
  /** False when there is no admin port to read the metrics from. */
  readonly collectMetrics: boolean;
  /** Lets another Colophon listen on the same port, for an update without downtime. */
  readonly sharePort: boolean;
  /** The descriptor of the socket that systemd has opened. */
  readonly inheritedFd: number | undefined;
}

export interface AdminAddress extends Address {
  /** Names by which clients may address the admin port. */
  readonly names: readonly string[];
}

/** What a worker is told beside the settings of the operator. */
export interface WorkerSettings extends ProcessSettings {
  /** The descriptor of the memory of `--rate`. */
  readonly rateMemoryFd: number | undefined;
}

export interface ServeSettings extends ProcessSettings {
  readonly workers: number;
  readonly sample: boolean;
  /** Creates an empty catalog where there is none. */
  readonly create: boolean;
  /** Creates an empty token registry where the catalog has lost its own. */
  readonly newRegistry: boolean;
  /** From the signal to the end of accepting connections. */
  readonly drainMs: number;
  readonly admin: AdminAddress | undefined;
  /** Feeds that arrive in a folder are imported. Without it, none is. */
  readonly watch: WatchSettings | undefined;
}

export const optionTypes = {
  "admin-host": { type: "string" },
  "admin-name": { type: "string" },
  "admin-port": { type: "string" },
  ...watchOptionTypes,
  cache: { type: "string" },
  "connections-per-address": { type: "string" },
  create: { type: "boolean" },
  db: { type: "string" },
  drain: { type: "string" },
  host: { type: "string" },
  log: { type: "string" },
  "log-file": { type: "string" },
  memory: { type: "string" },
  "new-registry": { type: "boolean" },
  port: { type: "string" },
  rate: { type: "string" },
  sample: { type: "boolean" },
  "share-port": { type: "boolean" },
  "trusted-proxy": { type: "string" },
  watch: { type: "string" },
  workers: { type: "string" },
} as const;

// A registry is replaced once, by hand: in the environment, the option would stay set.
const { "new-registry": _, ...all } = optionTypes;
/** The options that a variable of the environment can set, too. */
export const environmentTypes = all;

const MEGABYTE = 1024 * 1024;
const MAX_WORKERS = 256;
const MAX_DRAIN_SECONDS = 3600;
const MAX_MEGABYTES = 65_536;

export function parseServeSettings(args: readonly string[]): ServeSettings {
  const given = parseArguments(args, optionTypes, 0).options;
  const options = { ...environmentOptions(environmentTypes), ...given };
  const inherited = inheritedSocket();
  const admin = parseAdminAddress(options["admin-host"], options["admin-port"], options["admin-name"]);
  const memory = options.memory ?? String(DEFAULT_STREAM_BYTES / MEGABYTE);
  const cache = options.cache ?? String(DEFAULT_CACHE_BYTES / MEGABYTE);
  return {
    storeLocation: resolveStoreLocation(options.db),
    host: inherited?.host ?? parseHost(options.host ?? (process.env.HOST || "127.0.0.1"), "--host"),
    port: inherited?.port ?? parsePort(options.port ?? (process.env.PORT || "8080"), "--port"),
    inheritedFd: inherited?.fd,
    workers: parseInteger(options.workers ?? "1", "--workers", 1, MAX_WORKERS),
    sample: options.sample ?? false,
    create: options.create ?? false,
    newRegistry: options["new-registry"] ?? false,
    admin,
    cacheBytes: parseInteger(cache, "--cache", 0, MAX_MEGABYTES) * MEGABYTE,
    streamBytes: parseInteger(memory, "--memory", 1, MAX_MEGABYTES) * MEGABYTE,
    maxPerAddress: parseConnectionsPerAddress(options["connections-per-address"]),
    trustedProxies: parseTrustedProxies(options["trusted-proxy"]),
    logLevel: parseLogLevel(options.log ?? "requests"),
    logFile: parseLogFile(options["log-file"]),
    rate: parseRateOption(options.rate),
    cors: checkCors(process.env.COLOPHON_CORS_ORIGIN),
    collectMetrics: admin !== undefined,
    sharePort: options["share-port"] ?? false,
    watch: parseWatch(options, given),
    drainMs: parseInteger(options.drain ?? "0", "--drain", 0, MAX_DRAIN_SECONDS) * 1000,
  };
}

export function parseAdminAddress(
  host: string | undefined,
  port: string | undefined,
  names: string | undefined,
): AdminAddress | undefined {
  if (port !== undefined) {
    return {
      host: parseHost(host ?? "127.0.0.1", "--admin-host"),
      port: parsePort(port, "--admin-port"),
      names: names?.split(",").map((name) => name.trim()) ?? [],
    };
  }
  if (host !== undefined) throw new UsageError("--admin-host needs --admin-port");
  if (names !== undefined) throw new UsageError("--admin-name needs --admin-port");
  return undefined;
}

type WatchOptions = { readonly [name in keyof typeof watchOptionTypes]?: string | boolean | undefined };

/** Variables for imports may be set beside a service that watches no folder. Given options are refused there. */
function parseWatch(
  options: { readonly watch?: string } & WatchOptions,
  given: WatchOptions,
): WatchSettings | undefined {
  if (options.watch !== undefined) return parseWatchSettings(options.watch, options);
  for (const name of Object.keys(watchOptionTypes) as (keyof typeof watchOptionTypes)[]) {
    if (given[name] !== undefined) throw new UsageError(`--${name} needs --watch`);
  }
  return undefined;
}

function parseHost(text: string, option: string): string {
  if (text === "") throw new UsageError(`${option} needs an address of this machine`);
  return text;
}

function parsePort(text: string, option: string): number {
  return parseInteger(text, option, 0, 65_535);
}

function parseLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined) {
    throw new UsageError(`--log must be one of ${LOG_LEVELS.join(", ")}, not "${text}"`);
  }
  return level;
}

function parseLogFile(text: string | undefined): string | undefined {
  if (text === "") throw new UsageError("--log-file needs a file");
  return text === undefined ? undefined : resolve(text);
}

function parseConnectionsPerAddress(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseInteger(text, "--connections-per-address", 1, MAX_CONNECTIONS);
}

function parseTrustedProxies(text: string | undefined): readonly string[] {
  const addresses = text === undefined ? [] : text.split(",").map((address) => address.trim());
  try {
    parseAddressRanges(addresses);
    return addresses;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`--trusted-proxy: ${error.message}`);
  }
}

function parseRateOption(text: string | undefined): Rate | undefined {
  if (text === undefined) return undefined;
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
export interface InheritedSocket {
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
