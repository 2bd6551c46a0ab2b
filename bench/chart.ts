/** The ratios as bars, each against its goal: 1 is the goal, and right of it is better. */
import { type Row, reached } from "./row.ts";

const WIDTH = 860;
const LABELS = 400;
const LINE = 26;
const SCALE = 180;

export function chartOf(rows: readonly Row[], date: string): string {
  const drawn = rows.filter((row) => row.ratio && row.goal);
  const height = 60 + drawn.length * LINE;
  const bars = drawn.map((row, place) => barOf(row, 44 + place * LINE)).join("\n");
  const goal = LABELS + SCALE;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13">
<title>Colophon against its goals, ${date}</title>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="12" y="22" font-size="15" font-weight="600">Colophon against its goals, ${date}</text>
<text x="${goal}" y="22" text-anchor="middle" fill="#555">goal</text>
${bars}
<line x1="${goal}" x2="${goal}" y1="30" y2="${height - 14}" stroke="#333" stroke-dasharray="3 3"/>
</svg>
`;
}

function barOf(row: Row, y: number): string {
  const { ratio, goal } = row;
  const share = "atLeast" in goal! ? ratio!.value / goal.atLeast : goal!.atMost / ratio!.value;
  const width = Math.max(2, Math.min(share, 2.2) * SCALE);
  const colour = reached(row) ? "#2f7d4f" : "#b4552d";
  const label = row.name.replace(/ \(.*/, "").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="12" y="${y + 13}">${label}</text>
<rect x="${LABELS}" y="${y}" width="${width.toFixed(1)}" height="18" rx="2" fill="${colour}"/>
<text x="${LABELS + 6}" y="${y + 13}" fill="#fff">${ratio!.value.toFixed(2)}</text>`;
}
