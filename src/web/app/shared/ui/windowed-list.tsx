/** A list with thousands of rows, of which only the visible ones are in the document. It scrolls with the page. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { columnCount, type Range, visibleRange } from "./visible-range.ts";

/** All rows have the same height. Units of `rem` follow the font size that the person has set. */
export interface ListShape {
  readonly rowRem: number;
  /** The height of a row on a phone, when it is another one. */
  readonly narrowRowRem?: number;
  /** The least width of a column. When omitted, there is one column. */
  readonly columnRem?: number;
  /** The part of the height of a row that grows with the width of a column. */
  readonly heightPerWidth?: number;
}

interface Props<T> {
  readonly items: readonly T[];
  readonly shape: ListShape;
  readonly label: string;
  readonly keyOf: (item: T) => string;
  readonly render: (item: T) => ComponentChildren;
  /** The length of the whole list, when not all items are loaded. */
  readonly total?: number | undefined;
  /** The list calls this when its end comes near. */
  readonly onEnd?: (() => void) | undefined;
  /** Is drawn in the places of items that are being loaded, so that they move nothing. When omitted, none are. */
  readonly placeholder?: ComponentChildren;
}

export function WindowedList<T>(props: Props<T>) {
  const { items, label, keyOf, render, total, onEnd, placeholder } = props;
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState(-1);
  const hasMore = placeholder !== undefined;
  const { range, columns, rowPx, awaitedRows } = useWindow(list, items.length, props.shape, hasMore);
  const rows = Math.ceil(items.length / columns);
  useEffect(() => {
    if (range.end >= rows && items.length > 0) onEnd?.();
  }, [range.end, rows, items.length, onEnd]);
  const isPrinted = useIsPrinted();
  // Paper has all that is loaded.
  const shown = isPrinted ? { start: 0, end: rows } : range;
  const indexes = indexesOf(shown, columns, items.length);
  const awaited = isPrinted ? [] : indexesOf({ start: rows, end: range.end }, columns, Infinity);
  const placeOf = (index: number) => ({
    height: `${rowPx}px`,
    width: `${100 / columns}%`,
    insetInlineStart: `${((index % columns) * 100) / columns}%`,
    top: `${Math.floor(index / columns) * rowPx}px`,
  });
  // The focus would be lost with its row.
  if (focused >= 0 && focused < items.length && !indexes.includes(focused)) indexes.push(focused);
  return (
    <ul
      ref={list}
      class="windowed"
      aria-label={label}
      style={{ height: `${(rows + awaitedRows) * rowPx}px` }}
      onFocusCapture={({ target }) => setFocused(indexUnder(target))}
      onBlurCapture={() => setFocused(-1)}
      onKeyDown={(event) => moveFocus(event, columns)}
    >
      {indexes.map((index) => (
        <li
          key={keyOf(items[index]!)}
          data-index={index}
          aria-posinset={index + 1}
          aria-setsize={total ?? items.length}
          style={placeOf(index)}
        >
          {render(items[index]!)}
        </li>
      ))}
      {awaited.map((index) => (
        <li key={index} aria-hidden="true" style={placeOf(index)}>
          {placeholder}
        </li>
      ))}
    </ul>
  );
}

function useIsPrinted(): boolean {
  const [isPrinted, setIsPrinted] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    addEventListener("beforeprint", () => setIsPrinted(true), { signal });
    addEventListener("afterprint", () => setIsPrinted(false), { signal });
    return () => controller.abort();
  }, []);
  return isPrinted;
}

/** Arrow keys lead from row to row; the Tab key still reaches every link. */
function moveFocus(event: KeyboardEvent, columns: number): void {
  const step = { ArrowDown: columns, ArrowUp: -columns }[event.key];
  const index = indexUnder(event.target);
  if (step === undefined || index < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const list = (event.target as Element).closest(".windowed");
  const link = list?.querySelector<HTMLElement>(`[data-index="${index + step}"] a`);
  if (!link) return;
  event.preventDefault();
  link.focus();
}

const NARROW = "(max-width: 47.9375rem)";
/** As many are visible in most windows. */
const FIRST_ROWS = 4;
const OVERSCAN_ROWS = 4;

function useWindow(
  list: { readonly current: HTMLElement | null },
  count: number,
  shape: ListShape,
  hasMore: boolean,
) {
  const [layout, setLayout] = useState({
    range: { start: 0, end: FIRST_ROWS },
    columns: 1,
    rowPx: shape.rowRem * 16,
    awaitedRows: 0,
  });
  const measure = (overscanRows: number) => {
    const element = list.current;
    if (!element) return;
    const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const { top, width } = element.getBoundingClientRect();
    const { columnRem, narrowRowRem, heightPerWidth = 0 } = shape;
    const columns = columnRem === undefined ? 1 : columnCount(width, columnRem * remPx);
    const rowRem = matchMedia(NARROW).matches ? (narrowRowRem ?? shape.rowRem) : shape.rowRem;
    const rowPx = rowRem * remPx + (heightPerWidth * width) / columns;
    const awaitedRows = hasMore ? Math.ceil(innerHeight / rowPx) : 0;
    const range = visibleRange({
      topPx: -top,
      heightPx: innerHeight,
      rowPx,
      rows: Math.ceil(count / columns) + awaitedRows,
      overscanRows,
    });
    setLayout((before) =>
      before.columns === columns &&
      before.rowPx === rowPx &&
      before.awaitedRows === awaitedRows &&
      before.range.start === range.start &&
      before.range.end === range.end
        ? before
        : { range, columns, rowPx, awaitedRows },
    );
  };
  const isDrawn = useRef(false);
  // The first paint has the visible rows only. The observer calls its function when it begins, and so adds the others.
  useLayoutEffect(() => measure(isDrawn.current ? OVERSCAN_ROWS : 0), [count, shape, hasMore]);
  useEffect(() => {
    isDrawn.current = true;
    const measureAll = () => measure(OVERSCAN_ROWS);
    addEventListener("scroll", measureAll, { passive: true });
    const observer = new ResizeObserver(measureAll);
    observer.observe(list.current!);
    addEventListener("resize", measureAll);
    return () => {
      removeEventListener("scroll", measureAll);
      removeEventListener("resize", measureAll);
      observer.disconnect();
    };
  }, [count, shape, hasMore]);
  return layout;
}

function indexesOf({ start, end }: Range, columns: number, count: number): number[] {
  const indexes: number[] = [];
  for (let index = start * columns; index < Math.min(end * columns, count); index++) indexes.push(index);
  return indexes;
}

function indexUnder(target: EventTarget | null): number {
  const row = (target as Element | null)?.closest?.("[data-index]");
  return row ? Number(row.getAttribute("data-index")) : -1;
}
