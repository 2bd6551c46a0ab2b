/** Finds the largest process of Colophon among all that a run of the benchmark starts. */
import { memoryOf } from "../processes.ts";

export interface PeakMemory {
  readonly megabytes: number;
  /** The server and what it was doing. */
  readonly where: string;
}

export class MemoryWatch {
  /** What is being measured. Peaks that rise from now on are attributed to it. */
  subject = "start";
  readonly #processes = new Map<number, { name: string; peakMB: number }>();
  #max: PeakMemory = { megabytes: 0, where: "nothing" };

  watch(name: string, pids: readonly number[]): void {
    for (const pid of pids) this.#processes.set(pid, { name, peakMB: 0 });
  }

  /** Reads the peaks of all watched processes. Must run before a process ends. */
  sample(): void {
    for (const [pid, process] of this.#processes) {
      const peakMB = peakOf(pid);
      if (peakMB === undefined) {
        this.#processes.delete(pid);
        continue;
      }
      // The kernel keeps the peak since the start of the process: an equal one belongs to an earlier subject.
      if (peakMB > process.peakMB && peakMB > this.#max.megabytes) {
        this.#max = { megabytes: peakMB, where: `${process.name}, ${this.subject}` };
      }
      process.peakMB = peakMB;
    }
  }

  get max(): PeakMemory {
    return this.#max;
  }
}

/** Returns undefined when the process has ended. */
function peakOf(pid: number): number | undefined {
  try {
    const { peakMB } = memoryOf(pid);
    return Number.isNaN(peakMB) ? undefined : peakMB;
  } catch {
    return undefined;
  }
}

/** Watches the processes that bench/servers/colophon.ts starts. */
export const colophonMemory = new MemoryWatch();
