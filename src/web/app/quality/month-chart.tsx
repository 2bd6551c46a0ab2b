/** The books by month as columns, drawn by uPlot. The table below it has the same numbers as text, with links. */

import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { useObservable } from "../shared/core/observable.ts";
import { hrefOf, navigate } from "../shared/core/router.ts";
import { theme } from "../shared/core/settings.ts";
import { type Formats, useFormats, useTexts } from "../shared/core/texts.ts";
import { allMonths, type CountedValue, daysOf, type Month, monthText, secondsOf, yearsOf } from "./months.ts";
import { QUALITY } from "./texts.ts";

const HEIGHT_PX = 240;

export function MonthChart({ values }: { readonly values: readonly CountedValue[] }) {
  const texts = useTexts(QUALITY);
  const formats = useFormats();
  const months = allMonths(values);
  const [pointed, setPointed] = useState<Month>();
  const frame = useChart(months, formats, setPointed);
  if (months.length === 0) return <p class="muted">{texts.none}</p>;
  const name = (month: Month) => formats.day(monthText(month));
  const most = months.reduce((best, month) => (month.books > best.books ? month : best));
  const summary = texts.monthsSummary(
    name(months[0]!),
    name(months.at(-1)!),
    name(most),
    formats.number(most.books),
  );
  return (
    <>
      <p class="muted month-pointed">
        {pointed ? `${name(pointed)}: ${formats.books(pointed.books)}` : texts.monthsHint}
      </p>
      <div class="month-chart" role="img" aria-label={summary} ref={frame} />
      <MonthTable months={months} />
    </>
  );
}

/** Draws into the returned element, again when size, theme or language change. */
function useChart(months: readonly Month[], formats: Formats, onPoint: (month: Month | undefined) => void) {
  const frame = useRef<HTMLDivElement>(null);
  const colours = useObservable(theme);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const data: uPlot.AlignedData = [months.map(secondsOf), months.map(({ books }) => books)];
    const chart = new uPlot(optionsOf(element, formats, months, onPoint), data, element);
    const observer = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    observer.observe(element);
    const open = () => {
      const month = months[chart.cursor.idx ?? -1];
      if (month && month.books > 0) navigate(hrefOf("", daysOf(month)));
    };
    chart.over.addEventListener("click", open);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [JSON.stringify(months), formats, colours]);
  return frame;
}

function optionsOf(
  element: HTMLElement,
  formats: Formats,
  months: readonly Month[],
  onPoint: (month: Month | undefined) => void,
): uPlot.Options {
  const [ink, line, bar] = ["--muted", "--line", "--accent"].map((name) => colourOf(element, name));
  const axis = { stroke: ink!, grid: { stroke: line!, width: 1 }, ticks: { stroke: line!, width: 1 } };
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.05)] } },
    axes: [
      {
        ...axis,
        values: (_, splits, __, ___, step) => splits.map((seconds) => axisText(seconds, step, formats)),
      },
      {
        ...axis,
        values: (_, splits) =>
          splits.map((books) => (Number.isInteger(books) ? formats.shortNumber(books) : "")),
      },
    ],
    series: [
      {},
      {
        fill: bar!,
        stroke: bar!,
        width: 0,
        paths: uPlot.paths.bars!({ size: [0.8, 40] }),
        points: { show: false },
      },
    ],
    hooks: {
      setCursor: [
        ({ cursor: { idx } }) => onPoint(idx === null || idx === undefined ? undefined : months[idx]),
      ],
    },
  };
}

const YEAR_SECONDS = 360 * 24 * 3600;

function axisText(seconds: number, stepSeconds: number, formats: Formats): string {
  const day = new Date(seconds * 1000).toISOString();
  return formats.day(stepSeconds >= YEAR_SECONDS ? day.slice(0, 4) : day.slice(0, 7));
}

/** Returns the colour of a variable in the current theme. A canvas does not know variables. */
function colourOf(element: HTMLElement, variable: string): string {
  element.style.color = `var(${variable})`;
  const { color } = getComputedStyle(element);
  element.style.color = "";
  return color;
}

interface Props {
  readonly months: readonly Month[];
}

function MonthTable({ months }: Props) {
  const texts = useTexts(QUALITY);
  const formats = useFormats();
  const names = Array.from({ length: 12 }, (_, index) => formats.month(index + 1));
  return (
    <details class="month-table">
      <summary>{texts.monthsTable}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard. */}
      <figure class="heat-frame" aria-label={texts.months} tabIndex={0}>
        <table class="heat">
          <thead>
            <tr>
              <th scope="col">{texts.year}</th>
              {names.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {yearsOf(months).map(({ year, months: cells }) => (
              <tr key={year}>
                <th scope="row">{year}</th>
                {cells.map((month, index) => (
                  <td key={index} class="heat-number">
                    {month && <MonthCell month={month} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </figure>
    </details>
  );
}

function MonthCell({ month }: { readonly month: Month }) {
  const formats = useFormats();
  const books = formats.number(month.books);
  return month.books > 0 ? <a href={hrefOf("", daysOf(month))}>{books}</a> : books;
}
