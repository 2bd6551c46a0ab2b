/**
 * The HTML page of `colophon check --html`: one file, without scripts and without anything from elsewhere. It is sent to
 * publishers, so it names feeds without their folders.
 */
import { basename } from "node:path";
import type { ComplaintGroup } from "../../catalog/quality/complaint-groups.ts";
import type { FeedScore } from "../../catalog/quality/feed-quality.ts";
import { fixesFor } from "../../catalog/quality/score.ts";
import scale from "../../web/styles/scale.css" with { type: "text" };
import tokens from "../../web/styles/tokens.css" with { type: "text" };
import { formatCount, formatCountOf } from "../terminal/format.ts";
import { complaintChart, completenessChart, escapeHtml, scoreRing } from "./html-charts.ts";
import { type CheckResult, describeFix, formatPlace, groupTitle, sentenceOf } from "./result-text.ts";

/** Longer lists say how many are left out. */
const MAX_FEEDS = 100;
const MAX_LISTED_GROUPS = 500;
const MAX_FIXES = 6;

interface HtmlReport {
  readonly checkResult: CheckResult;
  /** The line that the check prints. */
  readonly summary: string;
  readonly time: Date;
}

export const PAGE_START = "<!DOCTYPE html>";

export function renderPage({ checkResult, summary, time }: HtmlReport): string {
  const scores = checkResult.quality.scores();
  const [only] = scores;
  const title =
    only && scores.length === 1 ? titleOf(only) : `Quality of ${formatCountOf(scores.length, "feed")}`;
  const total = { ...checkResult.quality.total(), file: "All feeds" };
  return `${PAGE_START}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p class="quiet">Checked by Colophon on <time>${time.toISOString().slice(0, 16).replace("T", " ")} UTC</time></p>
<p>${escapeHtml(summary)}</p>
${scores.length === 1 ? "" : feedSection(total)}
${scores.slice(0, MAX_FEEDS).map(feedSection).join("\n")}
${moreNotice(scores.length - MAX_FEEDS, "feed")}
${complaintSection(checkResult)}
</main>
</body>
</html>
`;
}

function titleOf({ sender, file }: FeedScore): string {
  return sender === "" ? basename(file) : `${sender}: ${basename(file)}`;
}

function feedSection(feed: FeedScore): string {
  const { products, score, blocks } = feed;
  return `<section class="card">
<div class="summary">${scoreRing(score)}
<div><h3>${escapeHtml(titleOf(feed))}</h3>
<p>${formatCountOf(products, "product")} assessed.</p></div></div>
${fixList(feed)}
<h3>Completeness: products that have what a shop needs</h3>
${completenessChart(blocks)}
</section>`;
}

function fixList(feed: FeedScore): string {
  const fixes = fixesFor(feed).slice(0, MAX_FIXES);
  if (fixes.length === 0) return "";
  const rows = fixes.map(
    (fix) =>
      `<tr><td class="number">+${fix.gain.toFixed(1)}</td><td>${escapeHtml(describeFix(fix))}</td></tr>`,
  );
  return `<h3>What would raise the score most</h3>
<table><tr><th class="number">Points</th><th>Change</th></tr>${rows.join("")}</table>`;
}

function complaintSection({ groups }: CheckResult): string {
  const sorted = groups.sorted();
  if (sorted.length === 0) return "<h2>Complaints</h2><p>None.</p>";
  const rest = sorted.slice(MAX_LISTED_GROUPS).reduce((sum, { count }) => sum + count, groups.ungrouped);
  return `<h2>Complaints</h2>
<p>${formatCountOf(groups.total, "complaint")} in ${formatCountOf(sorted.length, "group")}, by kind, element and code.
The report of <code>--report</code> lists all of them.</p>
<div class="card">${complaintChart(sorted)}</div>
<div class="card">${sorted.slice(0, MAX_LISTED_GROUPS).map(groupDetails).join("\n")}
${moreNotice(rest, "complaint")}</div>`;
}

function groupDetails(group: ComplaintGroup): string {
  const { first, count, text, advice } = group;
  const places = first.map((complaint) => {
    const place = formatPlace({ ...complaint, file: basename(complaint.file) });
    return `<li>${text === undefined ? `${escapeHtml(complaint.text)} ` : ""}<code>${escapeHtml(place)}</code></li>`;
  });
  const more = count - first.length;
  return `<details><summary><span class="number">${formatCount(count)}</span>${escapeHtml(sentenceOf(group))} <code class="quiet">${escapeHtml(groupTitle(group))}</code></summary>
<div><p>${escapeHtml(advice)}</p>
<ul>${places.join("")}${more > 0 ? `<li class="quiet">and in ${formatCountOf(more, "more place")}</li>` : ""}</ul></div></details>`;
}

function moreNotice(count: number, noun: string): string {
  return count > 0 ? `<p class="quiet">… and ${formatCountOf(count, noun)} more</p>` : "";
}

/** For light and dark mode and for paper. Colours and scale are those of the pages. */
const STYLE = `
${tokens}
${scale}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 var(--sans); }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1, h2, .summary h3 { font-family: var(--serif); line-height: 1.25; }
h1 { font-size: 2rem; margin: 0 0 .25rem; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; overflow-wrap: anywhere; }
p { margin: .25rem 0; }
.quiet { color: var(--muted); }
.card { background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.25rem; margin: 1rem 0; }
.summary { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: center; }
.summary > div { flex: 1 1 16rem; min-width: 0; }
.summary h3 { margin-top: 0; font-size: 1.1rem; }
.ring { width: 8rem; height: 8rem; flex: none; }
.ring circle { fill: none; stroke-width: 12; }
.ring .track { stroke: var(--sunken); }
.ring text { font-size: 34px; font-weight: 600; fill: var(--ink); }
.chart th { font-weight: 400; color: inherit; width: 11rem; }
.chart.complaints th { width: 22rem; overflow-wrap: anywhere; }
.chart th, .chart td { border: 0; padding: .2rem .75rem .2rem 0; vertical-align: middle; }
.chart td:last-child { width: 10.5rem; padding-right: 0; font-variant-numeric: tabular-nums; }
.chart.complaints td:last-child { width: 5rem; text-align: right; }
.chart .block th, .chart .block td { font-weight: 600; padding-top: .9rem; }
.chart .block .quiet { font-weight: 400; }
.chart svg { display: block; width: 100%; height: .8rem; border-radius: 3px; }
.chart .track { fill: var(--sunken); }
.chart .fill { fill: var(--accent); }
.chart .warning .fill { fill: var(--strong-line); }
.ring .fill { stroke: var(--accent); }
.chart .share { display: inline-block; min-width: 3.2rem; padding: 0 .4rem; border-radius: 3px; text-align: center; }
.ring.none .fill { stroke: none; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--muted); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
details { border-bottom: 1px solid var(--line); padding: .4rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary .number { display: inline-block; min-width: 5rem; text-align: right; padding-right: .75rem; font-variant-numeric: tabular-nums; }
details > div { padding: .2rem 0 .6rem 5.75rem; }
details ul { margin: .4rem 0 0; padding: 0; list-style: none; }
details li { overflow-wrap: anywhere; margin: .2rem 0; }
code { font: .9em ui-monospace, monospace; }
@media (max-width: 40rem) {
  .chart tr { display: grid; grid-template-columns: 1fr auto; align-items: end; padding: .25rem 0; }
  .chart th, .chart.complaints th, .chart td:last-child, .chart.complaints td:last-child { width: auto; padding: 0; }
  .chart .bar { grid-column: 1 / 3; grid-row: 2; padding: .1rem 0; }
  details > div { padding-left: .5rem; } summary .number { min-width: 3.5rem; }
}
@media print {
  :root { color-scheme: light; }
  body { background: none; font-size: 10pt; }
  main { max-width: none; padding: 0; }
  .card { border: 0; padding: 0; } .summary, .chart tr, details, table tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
  .share, .chart svg, .ring { print-color-adjust: exact; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
`;
