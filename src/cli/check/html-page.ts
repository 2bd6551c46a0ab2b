/**
 * The HTML page of `colophon check --html`: one file, without scripts and without anything from elsewhere. It is sent to
 * publishers, so it names feeds without their folders.
 */
import { basename } from "node:path";
import type { ComplaintGroup } from "../../catalog/quality/complaint-groups.ts";
import type { FeedScore } from "../../catalog/quality/feed-quality.ts";
import { fixesFor } from "../../catalog/quality/score.ts";
import { formatCount, formatCountOf } from "../terminal/format.ts";
import { complaintChart, completenessChart, escapeHtml, scoreRing } from "./html-charts.ts";
import { STYLE } from "./html-style.ts";
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

export function renderPage({ checkResult, summary, time }: HtmlReport): string {
  const scores = checkResult.quality.scores();
  const [only] = scores;
  const title =
    only && scores.length === 1 ? titleOf(only) : `Quality of ${formatCountOf(scores.length, "feed")}`;
  const total = { ...checkResult.quality.total(), file: "All feeds" };
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
