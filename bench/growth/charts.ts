/** Draws how rates, times, memory and sizes grow with the catalog: small charts with the same axis. */
import type { GrowthPoint } from "./growth-point.ts";
import { drawPanel, PANEL_HEIGHT, PANEL_WIDTH, type Panel, type Series } from "./panel.ts";

const COLUMNS = 3;
const TITLE_HEIGHT = 40;
const FIRST_COLOUR = "#1f6f8b";
const SECOND_COLOUR = "#b4552d";

export function drawGrowth(points: readonly GrowthPoint[]): string {
  const sizes = points.map(({ records }) => records);
  const panels = panelsOf(points);
  const width = COLUMNS * PANEL_WIDTH;
  const height = TITLE_HEIGHT + Math.ceil(panels.length / COLUMNS) * PANEL_HEIGHT;
  const drawn = panels.map((panel, index) => {
    const [column, line] = [index % COLUMNS, Math.floor(index / COLUMNS)];
    return drawPanel(panel, sizes, column * PANEL_WIDTH, TITLE_HEIGHT + line * PANEL_HEIGHT);
  });
  const title = `Colophon by catalog size, ${points.at(-1)?.date ?? "not measured"}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="20" y="26" font-size="16" font-weight="600">${title}</text>
${drawn.join("\n")}
</svg>
`;
}

function panelsOf(points: readonly GrowthPoint[]): Panel[] {
  const first = (name: string, pick: (point: GrowthPoint) => number): Series => ({
    name,
    colour: FIRST_COLOUR,
    values: points.map(pick),
    labels: "above",
  });
  const second = (name: string, pick: (point: GrowthPoint) => number): Series => ({
    name,
    colour: SECOND_COLOUR,
    values: points.map(pick),
    labels: "below",
  });
  return [
    {
      title: "Random lookups, requests/s",
      scale: "linear",
      series: [
        first("as it comes", ({ asItComes }) => asItComes.requestsPerSecond),
        second("--cache 0", ({ uncached }) => uncached.requestsPerSecond),
      ],
    },
    {
      title: "CPU time of a random lookup, µs",
      scale: "linear",
      series: [
        // The colours are those of the chart beside it. Here the second line is the upper one.
        { ...first("as it comes", ({ asItComes }) => asItComes.cpuMicroseconds), labels: "below" },
        { ...second("--cache 0", ({ uncached }) => uncached.cpuMicroseconds), labels: "above" },
      ],
    },
    {
      title: "Memory of the service, MB",
      scale: "linear",
      series: [
        first("under random lookups", ({ memory }) => memory.loadMB),
        second("idle", ({ memory }) => memory.idleMB),
      ],
    },
    {
      title: "Import, seconds (logarithmic)",
      scale: "logarithmic",
      series: [
        first("CPU time", (point) => point.import.cpuSeconds),
        second("time", (point) => point.import.seconds),
      ],
    },
    {
      title: "Memory of the import, MB",
      scale: "linear",
      series: [first("peak", (point) => point.import.peakMB)],
    },
    {
      title: "Sizes, MB (logarithmic)",
      scale: "logarithmic",
      series: [
        first("catalog", ({ fileBytes }) => fileBytes / 1e6),
        second("feed", ({ feedBytes }) => feedBytes / 1e6),
      ],
    },
  ];
}
