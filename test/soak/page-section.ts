/** The section of docs/reliability.md about the last soak run. */
import { quarterPeaks } from "./measurements.ts";
import type { SoakResult } from "./soak.ts";

const BEGIN = "<!-- soak: written by `npm run soak` -->";
const END = "<!-- end of soak -->";

export function soakSection({ seconds, counts, samples }: SoakResult): string {
  const number = (value: number) => value.toLocaleString("en-US");
  const megabytes = (bytes: number) => `${number(Math.round(bytes / 1e6))} MB`;
  const row = (
    label: string,
    value: (sample: (typeof samples)[number]) => number,
    unit: (value: number) => string,
  ) => `| ${label} | ${quarterPeaks(samples, value).map(unit).join(" | ")} |`;
  const day = new Date().toISOString().slice(0, 10);
  return `${BEGIN}
## Soak

\`npm run soak\`, ${day}, ${number(Math.round(seconds / 60))} minutes, two workers, linux ${process.arch}. Meanwhile: ${number(counts.lookups)} lookups and ${number(counts.lists)} lists, each checked; ${number(counts.slowReaders)} lists read at 20 kB/s; ${number(counts.silentReaders)} lists of which nothing was read; ${number(counts.imports)} imports and ${number(counts.killedImports)} killed ones; ${number(counts.revocations)} revoked tokens; ${number(counts.killedWorkers)} killed and ${number(counts.stoppedWorkers)} stopped workers. No response was wrong, ${number(counts.cut)} were cut off by a worker that was killed or by an import, ${number(counts.refused)} got 503. \`colophon verify\` found no damage.

| Largest value in | first quarter | second | third | last |
|---|---|---|---|---|
${row("resident memory of all processes", (sample) => sample.residentBytes, megabytes)}
${row("open descriptors", (sample) => sample.descriptors, number)}
${row("write-ahead log", (sample) => sample.logBytes, megabytes)}
${END}`;
}

/** Replaces the section, or appends it to a page that has none. */
export function replaceSoakSection(page: string, section: string): string {
  const old = soakSectionOf(page);
  return old === undefined ? `${page.trimEnd()}\n\n${section}\n` : page.replace(old, () => section);
}

/** Returns the section of a page. */
export function soakSectionOf(page: string): string | undefined {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  return from < 0 || to < from ? undefined : page.slice(from, to + END.length);
}
