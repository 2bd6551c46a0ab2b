/** Formats what a check finds as text for a terminal. */
import { type ComplaintGroup, ComplaintGroups } from "../../catalog/quality/complaint-groups.ts";
import { FeedQuality, type FeedScore } from "../../catalog/quality/feed-quality.ts";
import { type BlockScore, type CriterionScore, type Fix, fixesFor } from "../../catalog/quality/score.ts";
import type { ReportedComplaint } from "../../catalog/report.ts";
import type { FeedBatch } from "../../ingest/feed-reader.ts";
import { NEEDS } from "../../onix/completeness/needs.ts";
import { escapeControls } from "../../telemetry/printable.ts";
import { formatCount, formatCountOf } from "../terminal/format.ts";

/** What a check finds: groups of complaints, and the quality of each feed. */
export class CheckResult {
  readonly groups = new ComplaintGroups();
  readonly quality = new FeedQuality();

  addComplaint(complaint: ReportedComplaint): void {
    this.groups.add(complaint);
  }

  addBatch({ file, header, products }: FeedBatch): void {
    if (header) this.quality.add(file, header.sender?.name ?? "", products);
  }
}

/** More of each are in the HTML page and in the report. */
const MAX_GROUPS = 20;
const MAX_FEEDS = 10;
const MAX_FIXES = 5;

const COUNT_WIDTH = 9;

/** Returns the lines about the complaints, grouped, and about the scores. */
export function formatCheckResult(groups: ComplaintGroups, quality: FeedQuality): string[] {
  const lines = [...formatGroups(groups), ...formatScores(quality)];
  return lines.map(escapeControls);
}

function formatGroups(complaints: ComplaintGroups): string[] {
  const groups = complaints.sorted();
  if (groups.length === 0) return ["", "No complaints."];
  const rest = groups.slice(MAX_GROUPS).reduce((total, { count }) => total + count, complaints.ungrouped);
  const isMore = groups.length > MAX_GROUPS || complaints.ungrouped > 0;
  return [
    "",
    `Complaints: ${formatCount(complaints.total)}, in ${formatCountOf(groups.length, "group")}`,
    ...groups.slice(0, MAX_GROUPS).flatMap(formatGroup),
    ...(isMore ? [`  … and ${formatCountOf(rest, "more complaint")} (--report lists all of them)`] : []),
  ];
}

function formatGroup(group: ComplaintGroup): string[] {
  const { first, count, text, advice } = group;
  const places = first.map((complaint) =>
    text === undefined ? `${formatPlace(complaint)}: ${complaint.text}` : formatPlace(complaint),
  );
  const more = count - first.length;
  const lines = [
    ...(text === undefined ? [] : [text]),
    advice,
    ...places.map((place) => `at ${place}`),
    ...(more > 0 ? [`and in ${formatCountOf(more, "more place")}`] : []),
  ];
  return [
    `${formatCount(count).padStart(COUNT_WIDTH)}  ${groupTitle(group)}`,
    ...lines.map((line) => " ".repeat(COUNT_WIDTH + 2) + line),
  ];
}

export function groupTitle({ severity, kind, element, code }: ComplaintGroup): string {
  const quoted = code ? [`"${code}"`] : [];
  const subject = kind === "incomplete" ? (code ?? "") : [...(element ? [element] : []), ...quoted].join(" ");
  const title = subject === "" ? kind : `${kind}: ${subject}`;
  return severity === "rejected" ? `rejected, ${title}` : title;
}

/** Returns what the complaints of a group say, or the first of them when they do not all say the same. */
export function sentenceOf({ text, first }: ComplaintGroup): string {
  return text ?? `Such as: ${first[0]!.text}`;
}

export function formatPlace({ file, line, column, isbn, reference }: ReportedComplaint): string {
  const product = isbn ?? reference;
  return `${file}:${line}:${column}${product ? ` [${product}]` : ""}`;
}

function formatScores(quality: FeedQuality): string[] {
  const scores = quality.scores();
  const assessed = scores.filter(({ score }) => score !== undefined);
  if (assessed.length === 0) return [];
  const shown = assessed.slice(0, MAX_FEEDS);
  const more = assessed.length - shown.length;
  return [
    ...shown.flatMap((score) => ["", ...formatScore(score)]),
    ...(more > 0 ? ["", `… and ${formatCountOf(more, "feed")} more (--html shows all of them)`] : []),
    ...(assessed.length > 1 ? ["", ...formatScore({ ...quality.total(), file: "all feeds" })] : []),
  ];
}

function formatScore(score: FeedScore): string[] {
  const sender = score.sender === "" ? "" : ` from ${score.sender}`;
  const fixes = fixesFor(score);
  return [
    `Score: ${score.score} of 100 for ${score.file}${sender} (${formatCountOf(score.products, "product")})`,
    ...score.blocks.map(formatBlock),
    ...(fixes.length === 0 ? [] : ["  What would raise it most:"]),
    ...fixes
      .slice(0, MAX_FIXES)
      .map((fix) => `${`+${fix.gain.toFixed(1)}`.padStart(COUNT_WIDTH)}  ${describeFix(fix)}`),
  ];
}

function formatBlock({ number, name, score, criteria }: BlockScore): string {
  const label = `${number === undefined ? "" : `Block ${number}: `}${name}`;
  const value = score === undefined ? "–" : String(score);
  return `  ${label.padEnd(30)}${value.padStart(4)}  ${criteria.map(formatCriterion).join(", ")}`;
}

function formatCriterion({ name, assessed, met }: CriterionScore): string {
  return assessed === 0 ? `${name} –` : `${name} ${percent(met, assessed)}`;
}

/** Returns a whole percentage. Only what is complete has 100%. */
export function percent(part: number, whole: number): string {
  return `${part === whole ? 100 : Math.min(99, Math.floor((part / whole) * 100))}%`;
}

/** Describes what to send to raise the score. */
export function describeFix({ name, unmet, wrong, assessed }: Fix): string {
  const of = `of ${formatCountOf(assessed, "product")}`;
  if (name === "no errors") return `errors in ${formatCount(unmet)} ${of}: correct what is complained about`;
  const missing = unmet - wrong;
  const problems = [
    ...(wrong > 0 ? [`wrong in ${formatCount(wrong)}`] : []),
    ...(missing > 0 ? [`missing in ${formatCount(missing)}`] : []),
  ];
  const need = NEEDS.find((each) => each.name === name)?.hint ?? "an identifier of type 15";
  const hint = missing > 0 ? need : "amounts with a decimal point, such as 9.90";
  return `${name}: ${problems.join(" and ")} ${of}; send ${hint}`;
}
