/** Which rows of a list are near the visible part of the page. */

export interface Range {
  readonly start: number;
  /** The index after the last visible item. */
  readonly end: number;
}

interface View {
  /** How far the top of the list is above the top of the window; negative when it is below. */
  readonly topPx: number;
  readonly heightPx: number;
  readonly rowPx: number;
  readonly rows: number;
  /** Rows before and after the visible ones, so that quick scrolling and the Tab key find them. */
  readonly overscanRows: number;
}

export function visibleRange({ topPx, heightPx, rowPx, rows, overscanRows }: View): Range {
  const first = Math.floor(topPx / rowPx) - overscanRows;
  const last = Math.ceil((topPx + heightPx) / rowPx) + overscanRows;
  const start = Math.min(Math.max(0, first), Math.max(0, rows - 1));
  return { start, end: Math.max(start, Math.min(rows, last)) };
}

export function columnCount(widthPx: number, minColumnPx: number): number {
  return Math.max(1, Math.floor(widthPx / minColumnPx));
}
