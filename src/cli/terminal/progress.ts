import { formatCount, formatCountOf, formatDuration } from "./format.ts";

const TERMINAL_INTERVAL_MS = 100;
const LOG_INTERVAL_MS = 10_000;
const BAR_WIDTH = 24;
/** The rest of the time goes to indexes and to the commit: 2 % for 100,000 new books, 20 % for updates of prices. */
const READING_SHARE = 0.9;
/** After a shorter time, the last step takes less than a second. */
const MIN_SECONDS = 9;
/** Returns the cursor to the start of the line, and clears the line (ECMA-48 EL). */
const CLEAR_LINE = "\r\x1b[K";

/** Shows the progress of an import on standard error: a bar on a terminal, a line every 10 seconds elsewhere. */
export class Progress {
  private readonly startedAtMs = performance.now();
  private shownAtMs = this.startedAtMs;
  private readonly isTerminal = process.stderr.isTTY === true;

  /** Without a total, neither the percentage nor the remaining time is shown. */
  constructor(private readonly totalBytes: number | undefined) {}

  update(bytesRead: number, products: number): void {
    const nowMs = performance.now();
    if (nowMs - this.shownAtMs < (this.isTerminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS)) return;
    this.shownAtMs = nowMs;
    const seconds = (nowMs - this.startedAtMs) / 1000;
    const rate = `${formatCountOf(products, "product")}, ${formatCount(Math.round(products / seconds))}/s`;
    const fraction = this.totalBytes ? Math.min(bytesRead / this.totalBytes, 1) * READING_SHARE : undefined;
    const left = fraction ? `, ${leftAfter(seconds, fraction)}` : "";
    if (this.isTerminal) {
      process.stderr.write(`${CLEAR_LINE}${fraction === undefined ? "" : bar(fraction)}${rate}${left}`);
    } else {
      console.error(`${fraction === undefined ? "" : `${Math.floor(fraction * 100)}%, `}${rate}${left}`);
    }
  }

  /**
   * Announces the commit. Resolves when the terminal has the line: a SQLite commit blocks this thread, and nothing
   * would be written before its end.
   */
  async showCommit(products: number, write: boolean): Promise<void> {
    const step = write ? "completing the catalog, with its indexes" : "finding out what would change";
    const seconds = (performance.now() - this.startedAtMs) / 1000;
    const left = seconds < MIN_SECONDS ? "" : `, ${leftAfter(seconds, READING_SHARE)}`;
    const line = `${formatCountOf(products, "product")} read; ${step}${left}…`;
    if (this.isTerminal) {
      await new Promise<void>((written) => process.stderr.write(CLEAR_LINE + line, () => written()));
    }
    // Elsewhere, an import that was too short for any progress line ends without this one.
    else if (this.shownAtMs > this.startedAtMs) console.error(line);
  }

  /** Prints a line above the bar. */
  printLine(line: string): void {
    this.clear();
    console.error(line);
  }

  clear(): void {
    if (this.isTerminal) process.stderr.write(CLEAR_LINE);
  }
}

/** Formats the time that is left after a part of the work. */
function leftAfter(seconds: number, fraction: number): string {
  return `about ${formatDuration((seconds * (1 - fraction)) / fraction)} left`;
}

function bar(fraction: number): string {
  const filled = Math.round(fraction * BAR_WIDTH);
  const percent = String(Math.floor(fraction * 100)).padStart(3);
  return `[${"#".repeat(filled)}${".".repeat(BAR_WIDTH - filled)}] ${percent}%  `;
}
