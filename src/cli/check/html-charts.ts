/** The charts of the HTML page: tables whose bars are inline SVG. Colours come from the style sheet. */
import type { ComplaintGroup } from "../../catalog/quality/complaint-groups.ts";
import type { BlockScore, CriterionScore } from "../../catalog/quality/score.ts";
import { levelOf } from "../../web/styles/scale.ts";
import { formatCount } from "../terminal/format.ts";
import { percent, sentenceOf } from "./result-text.ts";

/** Text inside HTML. */
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters, and format characters that could hide text or reverse its direction. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Escapes text for the content of an element or a quoted attribute. Everything from a feed goes through it. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!)
    .replace(UNPRINTABLE, (character) =>
      character === "\n" || character === "\t" ? " " : `\\u{${character.codePointAt(0)!.toString(16)}}`,
    );
}

const MAX_CHARTED_GROUPS = 12;
const MAX_LABEL_CHARS = 80;
const RING_RADIUS = 52;

/** Draws a ring that is filled as far as the score goes. */
export function scoreRing(score: number | undefined): string {
  const length = 2 * Math.PI * RING_RADIUS;
  const filled = ((score ?? 0) / 100) * length;
  const text = score === undefined ? "–" : String(score);
  const circle = `cx="64" cy="64" r="${RING_RADIUS}"`;
  return `<svg class="ring${score === undefined ? " none" : ""}" viewBox="0 0 128 128" role="img" aria-label="Score: ${text} of 100">
<circle class="track" ${circle}/>
<circle class="fill" ${circle} stroke-dasharray="${filled.toFixed(1)} ${length.toFixed(1)}" transform="rotate(-90 64 64)"/>
<text x="64" y="76" text-anchor="middle">${text}</text></svg>`;
}

/** Draws how many products meet each criterion, block by block. */
export function completenessChart(blocks: readonly BlockScore[]): string {
  const rows = blocks.map(({ number, name, score, criteria }) => {
    const label = number === undefined ? name : `Block ${number}: ${name}`;
    const heading = `<tr class="block"><th colspan="2">${label}</th><td>${score ?? "–"} <span class="quiet">of 100</span></td></tr>`;
    return heading + criteria.map(criterionRow).join("");
  });
  return `<table class="chart">${rows.join("\n")}</table>`;
}

function criterionRow({ name, assessed, met }: CriterionScore): string {
  if (assessed === 0) return chartRow(name, 0, "none", "not sent");
  const fraction = met / assessed;
  const share = `<span class="share heat-${levelOf(met, assessed)}">${percent(met, assessed)}</span>`;
  const value = `${share} <span class="quiet">${formatCount(met)} of ${formatCount(assessed)}</span>`;
  return chartRow(name, fraction, "criterion", value);
}

/** Draws the most frequent groups. */
export function complaintChart(groups: readonly ComplaintGroup[]): string {
  const largest = groups.toSorted((a, b) => b.count - a.count).slice(0, MAX_CHARTED_GROUPS);
  const rows = largest.map((group) => {
    const sentence = sentenceOf(group);
    const label = sentence.length > MAX_LABEL_CHARS ? `${sentence.slice(0, MAX_LABEL_CHARS - 1)}…` : sentence;
    return chartRow(label, group.count / largest[0]!.count, group.severity, formatCount(group.count));
  });
  return `<table class="chart complaints">${rows.join("\n")}</table>`;
}

/** `label` is text, `value` is HTML. */
function chartRow(label: string, fraction: number, className: string, value: string): string {
  const width = Math.max(fraction * 100, fraction > 0 ? 0.5 : 0).toFixed(2);
  return `<tr class="${className}"><th>${escapeHtml(label)}</th><td class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
<rect class="track" width="100" height="10"/><rect class="fill" width="${width}" height="10"/></svg></td><td>${value}</td></tr>`;
}
