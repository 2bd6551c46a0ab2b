/** How far an import has come: a bar on a terminal, a plain line now and then elsewhere. Both on standard error. */
export class Progress {
  private readonly started = performance.now();
  private said = this.started;
  private readonly terminal = process.stderr.isTTY === true;

  constructor(private readonly total: number | undefined) {}

  update(bytes: number, products: number): void {
    const now = performance.now();
    if (now - this.said < (this.terminal ? 100 : 10_000)) return;
    this.said = now;
    const seconds = (now - this.started) / 1000;
    const rate = `${count(products)} products, ${count(Math.round(products / seconds))}/s`;
    const share = this.total ? Math.min(bytes / this.total, 1) : undefined;
    const left = share ? `, ${clock((seconds * (1 - share)) / share)} left` : "";
    if (this.terminal) process.stderr.write(`\r\x1b[K${share === undefined ? "" : bar(share)}${rate}${left}`);
    else console.error(`${share === undefined ? "" : `${Math.floor(share * 100)}%, `}${rate}${left}`);
  }

  /** The store has the word, and says nothing until it is done: on some engines this very thread waits for it. */
  async completing(products: number, write: boolean): Promise<void> {
    const what = write ? "completing the catalog, with its indexes" : "finding out what would change";
    const line = `${count(products)} products read; ${what}…`;
    if (this.terminal)
      await new Promise<void>((written) => process.stderr.write(`\r\x1b[K${line}`, () => written()));
    // Whoever has been told of no progress is not told of its end.
    else if (this.said > this.started) console.error(line);
  }

  /** A line of its own, above the bar. */
  say(line: string): void {
    this.clear();
    console.error(line);
  }

  clear(): void {
    if (this.terminal) process.stderr.write("\r\x1b[K");
  }
}

export function count(number: number): string {
  return number.toLocaleString("en-US");
}

function bar(share: number): string {
  const width = 24;
  const full = Math.round(share * width);
  return `[${"#".repeat(full)}${".".repeat(width - full)}] ${String(Math.floor(share * 100)).padStart(3)}%  `;
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
