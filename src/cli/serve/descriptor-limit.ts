import { readFileSync } from "node:fs";
import { MAX_CONNECTIONS } from "../../server/limits.ts";

/** For the store, the log, the listeners and the runtime. */
const RESERVED_DESCRIPTORS = 100;

export interface SocketLimits {
  /** Connections beyond this number get a response that refuses them. */
  readonly maxConnections: number;
  /** Connections beyond this number are cut at once. */
  readonly maxSockets: number;
}

/**
 * Returns how many connections the limit of open files (RLIMIT_NOFILE) leaves room for. At that limit the system accepts
 * nothing, and the event loop would try again without a pause.
 */
export function socketLimits(descriptorLimit = readDescriptorLimit()): SocketLimits {
  const reserved = Math.min(RESERVED_DESCRIPTORS, Math.floor(descriptorLimit / 2));
  const maxSockets = descriptorLimit - reserved;
  return { maxConnections: Math.min(MAX_CONNECTIONS, Math.floor(0.9 * maxSockets)), maxSockets };
}

/** Returns infinity where the system has no /proc, or no limit. */
function readDescriptorLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
