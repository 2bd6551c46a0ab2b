/** The memory in which all workers count the requests of each token. */
import { closeSync } from "node:fs";
import type { Rate } from "../../api/rate/rate-limit.ts";
import { SharedRateBuckets } from "../../api/rate/shared-rate-buckets.ts";
import { SharedRateMemory } from "../../api/rate/shared-rate-memory.ts";
import { createSharedMemory, mapSharedMemory } from "../../lib/shared-memory.ts";
import { CommandError } from "../terminal/arguments.ts";

/** The supervisor's side. */
export interface RateMemory {
  /** Workers inherit it. */
  readonly descriptor: number;
  /** Called right before each worker starts. */
  stampClocks(): void;
  close(): void;
}

/** Also starts a generation of the buckets after each window. */
export function createRateMemory(rate: Rate): RateMemory {
  const descriptor = createMemory();
  const memory = new SharedRateMemory(mapSharedMemory(descriptor));
  memory.initialize();
  // A timer may be early by a fraction of a millisecond, and a generation must not be shorter than a window.
  const timer = setInterval(() => memory.startGeneration(), rate.seconds * 1000 + 1);
  timer.unref();
  return {
    descriptor,
    stampClocks: () => memory.stampClocks(),
    close() {
      clearInterval(timer);
      closeSync(descriptor);
    },
  };
}

/** The worker's side. */
export function attachRateBuckets(descriptor: number, rate: Rate): SharedRateBuckets {
  return new SharedRateBuckets(new SharedRateMemory(mapSharedMemory(descriptor)), rate.seconds * 1000);
}

function createMemory(): number {
  try {
    return createSharedMemory(SharedRateMemory.bytes());
  } catch (error) {
    throw new CommandError(
      `the memory of --rate cannot be created (${(error as Error).message}): make room in /dev/shm, or use --workers 1`,
    );
  }
}
