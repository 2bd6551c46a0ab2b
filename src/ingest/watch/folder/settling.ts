/**
 * Decides when a file is complete: it was renamed into place, or its size and its time have been still for a while. Only
 * what the scans have seen counts, because the clock of a network file system may differ from ours.
 */
import { contentKey, type FolderScan, type FoundFile, fileKey } from "./folder-scan.ts";

interface Settled {
  readonly complete: readonly FoundFile[];
  /** Files that may still be written. */
  readonly growing: readonly FoundFile[];
  /** For how long the oldest of all files has been there. */
  readonly oldestMs: number;
}

/** Programs create a file before they have its content. An empty file waits longer. */
export const EMPTY_SETTLE_FACTOR = 6;

interface Observation {
  readonly key: string;
  /** The first scan that has found this content. */
  readonly sinceMs: number;
  /** The first scan that has found the name. */
  readonly arrivedMs: number;
}

export class Settling {
  readonly #settleMs: number;
  /** By name. */
  #observed = new Map<string, Observation>();
  /** The file keys of unfinished files. */
  #unfinished = new Set<string>();

  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  update({ files, unfinished }: FolderScan, nowMs: number): Settled {
    const observed = new Map<string, Observation>();
    const complete: FoundFile[] = [];
    const growing: FoundFile[] = [];
    for (const file of files) {
      const observation = this.#observe(file, nowMs);
      observed.set(file.name, observation);
      const settleMs = this.#settleMs * (file.stamp.sizeBytes === 0 ? EMPTY_SETTLE_FACTOR : 1);
      (nowMs - observation.sinceMs >= settleMs ? complete : growing).push(file);
    }
    this.#observed = observed;
    this.#unfinished = new Set(
      unfinished.map(({ stamp }) => fileKey(stamp)).filter((key) => key !== undefined),
    );
    let oldestMs = 0;
    for (const { arrivedMs } of observed.values()) oldestMs = Math.max(oldestMs, nowMs - arrivedMs);
    return { complete, growing, oldestMs };
  }

  #observe({ name, stamp }: FoundFile, nowMs: number): Observation {
    const key = contentKey(stamp);
    const before = this.#observed.get(name);
    if (before?.key === key) return before;
    const identity = fileKey(stamp);
    const isRenamed = before === undefined && identity !== undefined && this.#unfinished.has(identity);
    const sinceMs = isRenamed ? Number.NEGATIVE_INFINITY : nowMs;
    return { key, sinceMs, arrivedMs: before?.arrivedMs ?? nowMs };
  }
}
