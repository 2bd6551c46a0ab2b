/** The HTML page of `colophon check --html`: one file, without scripts and without anything from elsewhere. */
import type { ComplaintGroup } from "../../catalog/quality/complaint-groups.ts";
import type { FeedScore } from "../../catalog/quality/feed-quality.ts";
import { fixesFor } from "../../catalog/quality/score.ts";
import { formatCount, formatCountOf } from "../terminal/format.ts";
import type { Findings } from "./findings.ts";
import { commonText, describeFix, formatPlace, groupTitle } from "./findings-text.ts";
import { type Bar, barChart, completenessChart, scoreRing } from "./html-charts.ts";
import { STYLE } from "./html-style.ts";
import { escapeHtml } from "./html-text.ts";

/** Longer lists say how many are left out. */
const MAX_FEEDS = 100;
const MAX_LISTED_GROUPS = 500;
const MAX_CHARTED_GROUPS = 12;
const MAX_FIXES = 6;
const MAX_LABEL_CHARS = 26;

export interface HtmlReport {
  readonly findings: Findings;
  /** The line that the check prints. */
  readonly summary: string;
  readonly time: Date;
}

export function renderPage({ findings, summary, time }: HtmlReport): string {
  const scores = findings.quality.scores();
  const title =
    scores.length === 1
      ? `Quality of ${scores[0]!.file}`
      : `Quality of ${formatCountOf(scores.length, "feed")}`;
  const total = { ...findings.quality.total(), file: "All feeds" };
  return `<!DOCTYPE html>
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
${complaintSection(findings)}
</main>
</body>
</html>
`;
}

function feedSection(feed: FeedScore): string {
  const { file, sender, products, score, blocks } = feed;
  const rows = blocks.map(({ number, name, score: blockScore }) => {
    const label = number === undefined ? name : `Block ${number}: ${name}`;
    return `<tr><td>${label}</td><td class="number">${blockScore ?? "–"}</td></tr>`;
  });
  return `<section class="card">
<div class="summary">${scoreRing(score, "Score")}
<div><h3>${escapeHtml(file)}</h3>
<p>${sender === "" ? "" : `From ${escapeHtml(sender)}. `}${formatCountOf(products, "product")} assessed.</p>
<table><tr><th>Block</th><th class="number">Score of 100</th></tr>${rows.join("")}</table></div></div>
${fixList(feed)}
<h3>Completeness</h3>
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

function complaintSection({ groups }: Findings): string {
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

function complaintChart(groups: readonly ComplaintGroup[]): string {
  const largest = groups.toSorted((a, b) => b.count - a.count).slice(0, MAX_CHARTED_GROUPS);
  const bars = largest.map((group): Bar => {
    const { severity, kind, element, code, count } = group;
    const label = code || element || kind;
    const isLong = label.length > MAX_LABEL_CHARS;
    return {
      label: isLong ? `${label.slice(0, MAX_LABEL_CHARS - 1)}…` : label,
      value: `${formatCount(count)}  ${kind}`,
      fraction: count / largest[0]!.count,
      className: severity,
    };
  });
  return barChart(bars, "The most frequent complaints");
}

function groupDetails(group: ComplaintGroup): string {
  const { first, count, advice } = group;
  const sentence = commonText(group);
  const places = first.map(
    (complaint) =>
      `<li><code>${escapeHtml(formatPlace(complaint))}</code>${sentence === undefined ? ` ${escapeHtml(complaint.text)}` : ""}</li>`,
  );
  const more = count - first.length;
  return `<details><summary><span class="number">${formatCount(count)}</span>${escapeHtml(groupTitle(group))}</summary>
<div>${sentence === undefined ? "" : `<p>${escapeHtml(sentence)}</p>`}<p class="quiet">${escapeHtml(advice)}</p>
<ul>${places.join("")}${more > 0 ? `<li class="quiet">and in ${formatCountOf(more, "more place")}</li>` : ""}</ul></div></details>`;
}

function moreNotice(count: number, noun: string): string {
  return count > 0 ? `<p class="quiet">… and ${formatCountOf(count, noun)} more</p>` : "";
}
