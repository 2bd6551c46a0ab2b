/** Draws each ratio as a bar relative to its goal. Bars that cross the goal line have reached it. */

import { isGoalReached, PROMISED_ROWS, type ResultRow } from "./rows.ts";

const WIDTH = 860;
const LABEL_WIDTH = 400;
const MAX_LABEL_CHARACTERS = 58;
const LINE_HEIGHT = 26;
/** The length of a bar that reaches its goal exactly. */
const GOAL_LENGTH = 180;
const MAX_SHARE = 2.2;

export function drawChart(rows: readonly ResultRow[], date: string): string {
  const drawn = rows.filter((row) => row.ratio && row.goal);
  const height = 60 + drawn.length * LINE_HEIGHT;
  const bars = drawn.map((row, index) => drawBar(row, 44 + index * LINE_HEIGHT)).join("\n");
  const goalX = LABEL_WIDTH + GOAL_LENGTH;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13">
<title>Colophon against its goals, ${date}</title>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="12" y="22" font-size="15" font-weight="600">Colophon against its goals, ${date}</text>
<text x="${goalX}" y="22" text-anchor="middle" fill="#555">goal</text>
${bars}
<line x1="${goalX}" x2="${goalX}" y1="30" y2="${height - 14}" stroke="#333" stroke-dasharray="3 3"/>
</svg>
`;
}

function drawBar(row: ResultRow, y: number): string {
  const { ratio, goal } = row;
  const share = "atLeast" in goal! ? ratio!.value / goal.atLeast : goal!.atMost / ratio!.value;
  const width = Math.max(2, Math.min(share, MAX_SHARE) * GOAL_LENGTH);
  const colour = isGoalReached(row) ? "#2f7d4f" : "#b4552d";
  const label = labelOf(row).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="12" y="${y + 13}">${label}</text>
<rect x="${LABEL_WIDTH}" y="${y}" width="${width.toFixed(1)}" height="18" rx="2" fill="${colour}"/>
<text x="${LABEL_WIDTH + 6}" y="${y + 13}" fill="#fff">${ratio!.value.toFixed(2)}</text>`;
}

/** A promised row has a short name. Others are cut. */
function labelOf({ name, promise }: ResultRow): string {
  const label = promise === undefined ? name.replace(/ \(.*/, "") : PROMISED_ROWS[promise].what;
  return label.length <= MAX_LABEL_CHARACTERS ? label : `${label.slice(0, MAX_LABEL_CHARACTERS - 1)}…`;
}
