/** The charts of the HTML page, as inline SVG. Colours come from its style sheet. */
import type { BlockScore, CriterionScore } from "../../catalog/quality/score.ts";
import { formatCount } from "../terminal/format.ts";
import { percent } from "./findings-text.ts";
import { escapeHtml } from "./html-text.ts";

const ROW_HEIGHT = 26;
const BAR_HEIGHT = 14;

/** A bar with its label on the left and its value on the right. */
export interface Bar {
  readonly label: string;
  readonly value: string;
  /** From 0 to 1. */
  readonly fraction: number;
  readonly className: string;
}

const LABEL_WIDTH = 170;
const BAR_WIDTH = 300;
const CHART_WIDTH = 620;

/** Draws a ring that is filled as far as the score goes. */
export function scoreRing(score: number | undefined, label: string): string {
  const radius = 52;
  const length = 2 * Math.PI * radius;
  const filled = ((score ?? 0) / 100) * length;
  const text = score === undefined ? "–" : String(score);
  return `<svg class="ring ${gradeOf(score)}" viewBox="0 0 128 128" role="img" aria-label="${escapeHtml(`${label}: ${text} of 100`)}">
<circle class="track" cx="64" cy="64" r="${radius}"/>
<circle class="fill" cx="64" cy="64" r="${radius}" stroke-dasharray="${filled.toFixed(1)} ${length.toFixed(1)}" transform="rotate(-90 64 64)"/>
<text x="64" y="74" text-anchor="middle">${text}</text></svg>`;
}

/** Draws how many products meet each criterion, block by block. */
export function completenessChart(blocks: readonly BlockScore[]): string {
  const bars = blocks.flatMap(({ criteria }) => criteria.map(criterionBar));
  return barChart(bars, "Share of products that have what a shop needs");
}

function criterionBar({ name, assessed, met }: CriterionScore): Bar {
  const fraction = assessed === 0 ? 0 : met / assessed;
  const value =
    assessed === 0
      ? "not sent"
      : `${percent(met, assessed)}  ${formatCount(met)} of ${formatCount(assessed)}`;
  const grade = assessed === 0 ? undefined : Math.floor(fraction * 100);
  return { label: name, value, fraction, className: gradeOf(grade) };
}

/** Draws one bar for each row. */
export function barChart(bars: readonly Bar[], title: string): string {
  const height = bars.length * ROW_HEIGHT;
  const rows = bars.map(({ label, value, fraction, className }, index) => {
    const top = index * ROW_HEIGHT + (ROW_HEIGHT - BAR_HEIGHT) / 2;
    const baseline = index * ROW_HEIGHT + ROW_HEIGHT / 2 + 4;
    const width = Math.max(fraction * BAR_WIDTH, fraction > 0 ? 2 : 0);
    return `<g class="${className}"><text class="label" x="${LABEL_WIDTH - 10}" y="${baseline}" text-anchor="end">${escapeHtml(label)}</text>
<rect class="track" x="${LABEL_WIDTH}" y="${top}" width="${BAR_WIDTH}" height="${BAR_HEIGHT}" rx="3"/>
<rect class="fill" x="${LABEL_WIDTH}" y="${top}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" rx="3"/>
<text class="value" x="${LABEL_WIDTH + BAR_WIDTH + 10}" y="${baseline}">${escapeHtml(value)}</text></g>`;
  });
  return `<svg class="bars" viewBox="0 0 ${CHART_WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}">
${rows.join("\n")}</svg>`;
}

/** Returns the class of a score: it decides the colour. */
export function gradeOf(score: number | undefined): string {
  if (score === undefined) return "none";
  if (score >= 95) return "good";
  return score >= 75 ? "fair" : "poor";
}
