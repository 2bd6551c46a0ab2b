/** The books that changed on each day, as columns. The table below it has the same numbers as text. */

import type { Import as ImportEntry } from "../../../client/generated/book.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { changedByDay } from "./diary.ts";
import { IMPORTS } from "./texts.ts";

const MAX_DAYS = 60;
const HEIGHT = 40;

export function DayChart({ entries }: { readonly entries: readonly ImportEntry[] }) {
  const texts = useTexts(IMPORTS);
  const formats = useFormats();
  const days = changedByDay(entries, MAX_DAYS);
  if (days.length < 2) return null;
  const most = days.reduce((best, day) => (day.books > best.books ? day : best));
  const scale = HEIGHT / Math.max(1, most.books);
  const text = (day: string) => formats.day(day);
  return (
    <section class="day-section" aria-labelledby="by-day">
      <h2 id="by-day">{texts.byDay}</h2>
      <svg
        class="day-chart"
        viewBox={`0 0 ${days.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.byDaySummary(
          text(days[0]!.day),
          text(days.at(-1)!.day),
          text(most.day),
          formats.number(most.books),
        )}
      >
        {days.map(({ day, books }, at) => (
          <rect key={day} x={at + 0.1} width="0.8" y={HEIGHT - books * scale} height={books * scale}>
            <title>{`${text(day)}: ${formats.number(books)}`}</title>
          </rect>
        ))}
      </svg>
      <p class="day-axis muted" aria-hidden="true">
        <span>{text(days[0]!.day)}</span>
        <span>{text(days.at(-1)!.day)}</span>
      </p>
      <details>
        <summary>{texts.byDayTable}</summary>
        <table class="day-table">
          <tbody>
            {days.toReversed().map(({ day, books }) => (
              <tr key={day}>
                <th scope="row">{text(day)}</th>
                <td>{formats.number(books)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
