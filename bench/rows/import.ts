/** The row for the import that has created a catalog. `npm run bench:import` measures feeds of many forms. */
import type { ImportCost } from "../catalog.ts";
import type { ResultRow } from "../result-row.ts";

export function importRow({ records, seconds, cpuSeconds, peakMB, fileBytes }: ImportCost): ResultRow {
  const details = [
    `${seconds.toFixed(1)} s`,
    `${cpuSeconds.toFixed(1)} s of CPU time`,
    `peak ${Math.round(peakMB)} MB`,
    `a file of ${Math.round(fileBytes / 1e6).toLocaleString("en")} MB`,
  ];
  const name = `import of ${records.toLocaleString("en")} records into a new catalog (${details.join(", ")})`;
  return { name, unit: "records/s", values: [{ label: "Colophon", value: records / seconds }] };
}
