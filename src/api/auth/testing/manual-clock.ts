import type { KeyClock } from "../keys/key-clock.ts";

/** A clock that stands still until a test advances it. */
export class ManualClock implements KeyClock {
  #nowMs = 0;
  readonly #timers = new Map<() => void, number>();

  now(): number {
    return this.#nowMs;
  }

  setTimer(callback: () => void, delayMs: number): () => void {
    // Each timer has a function of its own, also when the callback is the same.
    const timer = () => callback();
    this.#timers.set(timer, this.#nowMs + delayMs);
    return () => this.#timers.delete(timer);
  }

  /** Calls the timers that are due on the way, in their order. */
  advance(durationMs: number): void {
    const endMs = this.#nowMs + durationMs;
    for (;;) {
      const [next] = [...this.#timers].filter(([, atMs]) => atMs <= endMs).sort(([, a], [, b]) => a - b);
      if (!next) break;
      const [timer, atMs] = next;
      this.#timers.delete(timer);
      this.#nowMs = Math.max(this.#nowMs, atMs);
      timer();
    }
    this.#nowMs = endMs;
  }
}
