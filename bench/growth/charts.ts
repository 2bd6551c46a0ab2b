/** Draws how rates, times, memory and sizes grow with the catalog: small charts with the same axis. */
/** What was measured at one size of the catalog. */
export interface GrowthPoint {
  readonly records: number;
  readonly date: string;
  readonly feedBytes: number;
  readonly fileBytes: number;
  /** The import of the feed into a new catalog. */
  readonly import: { readonly seconds: number; readonly cpuSeconds: number; readonly peakMB: number };
  /** Random lookups, without a response cache. */
  readonly uncached: Lookups;
  /** Random lookups on a server without options. */
  readonly asItComes: Lookups;
  /** The service without options: after its first response, and its peak under random lookups. */
  readonly memory: { readonly idleMB: number; readonly loadMB: number };
}

export interface Lookups {
  readonly requestsPerSecond: number;
  readonly cpuMicroseconds: number;
}

/** Returns 10 k, 1 M, … */
export function shortCount(records: number): string {
  return records >= 1_000_000 ? `${records / 1_000_000} M` : `${records / 1000} k`;
}

const COLUMNS = 3;
const TITLE_HEIGHT = 40;
const COLOURS = ["#1f6f8b", "#b4552d"];

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
  type Line = readonly [name: string, pick: (point: GrowthPoint) => number];
  const panel = (title: string, scale: Panel["scale"], ...lines: readonly Line[]): Panel => ({
    title,
    scale,
    series: lines.map(([name, pick], index) => ({
      name,
      colour: COLOURS[index]!,
      values: points.map(pick),
      labels: index === 0 ? "above" : "below",
    })),
  });
  const cpuTime = panel(
    "CPU time of a random lookup, µs",
    "linear",
    ["as it comes", ({ asItComes }) => asItComes.cpuMicroseconds],
    ["--cache 0", ({ uncached }) => uncached.cpuMicroseconds],
  );
  return [
    panel(
      "Random lookups, requests/s",
      "linear",
      ["as it comes", ({ asItComes }) => asItComes.requestsPerSecond],
      ["--cache 0", ({ uncached }) => uncached.requestsPerSecond],
    ),
    // The colours are those of the chart before it. Here the second line is the upper one.
    {
      ...cpuTime,
      series: cpuTime.series.map((line, index) => ({ ...line, labels: index === 0 ? "below" : "above" })),
    },
    panel(
      "Memory of the service, MB",
      "linear",
      ["under random lookups", ({ memory }) => memory.loadMB],
      ["idle", ({ memory }) => memory.idleMB],
    ),
    panel(
      "Import, seconds (logarithmic)",
      "logarithmic",
      ["CPU time", (point) => point.import.cpuSeconds],
      ["time", (point) => point.import.seconds],
    ),
    panel("Memory of the import, MB", "linear", ["peak", (point) => point.import.peakMB]),
    panel(
      "Sizes, MB (logarithmic)",
      "logarithmic",
      ["catalog", ({ fileBytes }) => fileBytes / 1e6],
      ["feed", ({ feedBytes }) => feedBytes / 1e6],
    ),
  ];
}

interface Series {
  readonly name: string;
  readonly colour: string;
  /** The values at the sizes, in their order. */
  readonly values: readonly number[];
  /** Where the values stand: above the points, or below them. */
  readonly labels: "above" | "below";
}

interface Panel {
  readonly title: string;
  readonly series: readonly Series[];
  /** On a logarithmic scale, what grows in proportion to the catalog is a straight line. */
  readonly scale: "linear" | "logarithmic";
}

const PANEL_WIDTH = 300;
const PANEL_HEIGHT = 216;
const PLOT = { left: 34, right: 266, top: 62, bottom: 160 };
const LEFT_EDGE = PLOT.left - 14;
/** The room for the values below the lowest points. */
const BELOW_LABEL_HEIGHT = 22;

/** Returns the elements of the chart, with the corner of its area at `x` and `y`. Sizes are on a logarithmic scale. */
function drawPanel(panel: Panel, sizes: readonly number[], x: number, y: number): string {
  const yOf = verticalScale(panel);
  const xOf = horizontalScale(sizes);
  const axisY = PLOT.bottom + BELOW_LABEL_HEIGHT;
  const axis = `<line x1="${LEFT_EDGE}" x2="${PLOT.right + 14}" y1="${axisY}" y2="${axisY}" stroke="#999"/>`;
  const ticks = sizes.map(
    (size) =>
      `<text x="${round(xOf(size))}" y="${axisY + 16}" text-anchor="middle" fill="#555">${shortCount(size)}</text>`,
  );
  const names = panel.series.map(
    ({ name, colour }, index) =>
      `<tspan${index > 0 ? ' dx="14"' : ""} fill="${colour}">${escapeXml(name)}</tspan>`,
  );
  const lines = panel.series.map((series) => drawSeries(series, sizes, xOf, yOf));
  return [
    `<g transform="translate(${x} ${y})">`,
    `<text x="${LEFT_EDGE}" y="18" font-size="14" font-weight="600">${escapeXml(panel.title)}</text>`,
    `<text x="${LEFT_EDGE}" y="36">${names.join("")}</text>`,
    axis,
    ...ticks,
    ...lines,
    "</g>",
  ].join("\n");
}

function drawSeries(
  { colour, values, labels }: Series,
  sizes: readonly number[],
  xOf: (size: number) => number,
  yOf: (value: number) => number,
): string {
  const points = values.map((value, index) => ({
    x: round(xOf(sizes[index]!)),
    y: round(yOf(value)),
    value,
  }));
  const path = points.map(({ x, y }) => `${x},${y}`).join(" ");
  const marks = points.map(({ x, y, value }) => {
    const labelY = labels === "above" ? y - 8 : y + 16;
    return `<circle cx="${x}" cy="${y}" r="3.5" fill="${colour}"/>
<text x="${x}" y="${labelY}" text-anchor="middle" font-size="11" fill="${colour}">${formatValue(value)}</text>`;
  });
  return [`<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`, ...marks].join(
    "\n",
  );
}

/** A linear scale begins at zero, so that heights can be compared. */
function verticalScale({ series, scale }: Panel): (value: number) => number {
  const values = series.flatMap((each) => each.values);
  const height = PLOT.bottom - PLOT.top;
  const max = Math.max(...values);
  if (scale === "linear") {
    const zeroY = PLOT.bottom + BELOW_LABEL_HEIGHT;
    return (value) => zeroY - (value / max) * (zeroY - PLOT.top);
  }
  const [low, high] = [Math.log(Math.min(...values)), Math.log(max)];
  const span = high - low || 1;
  return (value) => PLOT.bottom - ((Math.log(value) - low) / span) * height;
}

function horizontalScale(sizes: readonly number[]): (size: number) => number {
  const [low, high] = [Math.log(sizes[0]!), Math.log(sizes.at(-1)!)];
  const span = high - low || 1;
  return (size) => PLOT.left + ((Math.log(size) - low) / span) * (PLOT.right - PLOT.left);
}

function formatValue(value: number): string {
  if (value >= 10_000) return `${Math.round(value / 1000).toLocaleString("en")} k`;
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(2);
}

function round(coordinate: number): number {
  return Math.round(coordinate * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
