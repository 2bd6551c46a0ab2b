/** Renders metrics in the Prometheus text format, version 0.0.4. */
import type { Labels, MetricsSnapshot } from "./metric.ts";
import { METRICS } from "./metric-table.ts";
import { BUCKET_BOUNDS_SECONDS } from "./request-counts.ts";

export const PROMETHEUS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export function renderMetrics(snapshot: MetricsSnapshot): string {
  let text = "";
  for (const [name, { type, help, onlyWith = name, isSorted }] of Object.entries(METRICS)) {
    if (!snapshot[name] || !snapshot[onlyWith]) continue;
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    const series = Object.entries(snapshot[name]);
    if (isSorted) series.sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [labels, value] of series) {
      text += typeof value === "number" ? line(name, labels, value) : histogram(name, labels, value);
    }
  }
  return text;
}

/** Prometheus expects cumulative buckets. */
function histogram(name: string, labels: string, [sum = 0, ...counts]: readonly number[]): string {
  let text = "";
  let total = 0;
  counts.forEach((count, bucket) => {
    total += count;
    const bound = labelText({ le: String(BUCKET_BOUNDS_SECONDS[bucket] ?? "+Inf") });
    text += line(`${name}_bucket`, labels === "" ? bound : `${labels},${bound}`, total);
  });
  return text + line(`${name}_sum`, labels, sum) + line(`${name}_count`, labels, total);
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === "" ? "" : `{${labels}}`} ${value}\n`;
}

export function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([label, text]) => `${label}="${text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n")}"`)
    .join(",");
}
