/** How the share of each need has changed over the last imports, as small lines with their numbers. */

import { BOOK_NEEDS } from "../../../onix/completeness/needs.ts";
import { useBody } from "../shared/core/loading.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { QUALITY } from "./texts.ts";
import type { CountedBooks } from "./work-rows.ts";
import { completenessOf } from "./work-rows.ts";

/** The most that `/api/imports` returns at once. */
const MAX_IMPORTS = 100;

interface Import {
  readonly finished: string;
  readonly outcome: string;
  readonly quality: CountedBooks | null;
}

export function Trend() {
  const texts = useTexts(QUALITY);
  const formats = useFormats();
  const imports = useBody<readonly Import[]>("imports", { limit: MAX_IMPORTS }) ?? [];
  const states = imports
    .filter(({ outcome, quality }) => outcome === "changed" && (quality?.books ?? 0) > 0)
    .reverse();
  // Without two imports there is no trend, and the list above has the numbers of today.
  if (states.length < 2) return null;
  const lines = [
    { name: texts.columns.complete, shares: states.map(({ quality }) => completenessOf(quality!)) },
    ...BOOK_NEEDS.map((need) => ({
      name: texts.needs[need],
      shares: states.map(({ quality }) => quality!.has[need] / quality!.books),
    })),
  ];
  return (
    <section class="quality-section" aria-labelledby="trend">
      <h2 id="trend">{texts.trend}</h2>
      <p class="muted">
        {texts.trendText(formats.number(states.length), formats.moment(states[0]!.finished))}
      </p>
      <ul class="trends">
        {lines.map((line) => (
          <TrendLine key={line.name} {...line} />
        ))}
      </ul>
    </section>
  );
}

function TrendLine({ name, shares }: { readonly name: string; readonly shares: readonly number[] }) {
  const texts = useTexts(QUALITY);
  const formats = useFormats();
  const now = shares.at(-1)!;
  const change = Math.round((now - shares[0]!) * 1000) / 10;
  const sign = change > 0 ? "+" : change < 0 ? "−" : "±";
  return (
    <li>
      <span>{name}</span>
      <span class="trend-number">{formats.percent(now)}</span>
      <span class={`trend-number trend-${change > 0 ? "up" : change < 0 ? "down" : "same"}`}>
        {sign}
        {formats.decimal(Math.abs(change))}
        <span class="visually-hidden"> {texts.points}</span>
      </span>
      <svg class="trend-drawn" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
        <polyline points={pointsOf(shares)} vector-effect="non-scaling-stroke" />
      </svg>
    </li>
  );
}

/** The line fills its height, so that a small change is seen; a span of at least 2 % keeps noise flat. */
function pointsOf(shares: readonly number[]): string {
  const low = Math.min(...shares);
  const span = Math.max(0.02, Math.max(...shares) - low);
  return shares
    .map(
      (share, at) => `${(at / (shares.length - 1)) * 100},${(22 - ((share - low) / span) * 20).toFixed(2)}`,
    )
    .join(" ");
}
