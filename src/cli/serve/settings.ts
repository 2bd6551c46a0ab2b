/** What `colophon serve` is told, by its options and the environment. */
import { CACHE_BYTES } from "../../api/app.ts";
import { parseRate, type Rate } from "../../api/rate-limit.ts";
import { Cors } from "../../api/response/cors.ts";
import { LOG_LEVELS, type LogLevel } from "../../watch/log.ts";
import { parse, wholeNumber } from "../terminal/arguments.ts";
import { CommandError, UsageError } from "../terminal/usage.ts";
import { whereOf } from "../config/store-location.ts";

/** What each process needs to know. */
export interface Settings {
  /** In bytes. */
  readonly cache: number;
  readonly log: LogLevel;
  /** For each token. */
  readonly rate: Rate | undefined;
  /** The origins that may read; undefined: any. */
  readonly cors: string | undefined;
  /** Whether anybody asks for metrics. */
  readonly counts: boolean;
  /** Another Colophon may have the port, too: so that one takes over from the other without a gap. */
  readonly sharePort: boolean;
}

export interface HostAndPort {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

export interface ServeSettings extends HostAndPort, Settings {
  readonly where: string;
  readonly workers: number;
  readonly sample: boolean;
  readonly admin: HostAndPort | undefined;
}

const options = {
  "admin-host": { type: "string" },
  "admin-port": { type: "string" },
  cache: { type: "string" },
  db: { type: "string" },
  host: { type: "string" },
  log: { type: "string" },
  port: { type: "string" },
  rate: { type: "string" },
  sample: { type: "boolean" },
  "share-port": { type: "boolean" },
  workers: { type: "string" },
} as const;

const MEGABYTE = 1024 * 1024;

export function settingsOf(args: readonly string[]): ServeSettings {
  const { options: given } = parse(args, options, 0);
  const admin = adminOf(given["admin-host"], given["admin-port"]);
  return {
    where: whereOf(given.db),
    host: hostOf(given.host ?? (process.env.HOST || "127.0.0.1"), "--host"),
    port: portOf(given.port ?? (process.env.PORT || "8080"), "--port"),
    workers: wholeNumber(given.workers ?? "1", "--workers", 1, 256),
    sample: given.sample ?? false,
    admin,
    cache: wholeNumber(given.cache ?? String(CACHE_BYTES / MEGABYTE), "--cache", 0, 65_536) * MEGABYTE,
    log: levelOf(given.log),
    rate: rateOf(given.rate),
    cors: corsOf(process.env.COLOPHON_CORS_ORIGIN),
    counts: admin !== undefined,
    sharePort: given["share-port"] ?? false,
  };
}

function adminOf(host: string | undefined, port: string | undefined): HostAndPort | undefined {
  if (port !== undefined)
    return { host: hostOf(host ?? "127.0.0.1", "--admin-host"), port: portOf(port, "--admin-port") };
  if (host !== undefined) throw new UsageError("--admin-host needs --admin-port");
  return undefined;
}

function hostOf(text: string, name: string): string {
  if (text === "") throw new UsageError(`${name} needs an address of this machine`);
  return text;
}

function portOf(text: string, name: string): number {
  return wholeNumber(text, name, 0, 65_535);
}

function levelOf(text: string | undefined): LogLevel {
  const level = LOG_LEVELS.find((known) => known === (text ?? "requests"));
  if (level === undefined)
    throw new UsageError(`--log must be one of ${LOG_LEVELS.join(", ")}, not "${text}"`);
  return level;
}

function rateOf(text: string | undefined): Rate | undefined {
  if (text === undefined) return undefined;
  const rate = parseRate(text);
  if (!rate) throw new UsageError(`--rate must be requests/seconds, such as 600/60, not "${text}"`);
  return rate;
}

function corsOf(text: string | undefined): string | undefined {
  if (!text) return undefined;
  try {
    new Cors(text);
    return text;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(`COLOPHON_CORS_ORIGIN: ${error.message}`);
  }
}
