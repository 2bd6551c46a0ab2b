/** The dates of a book on a line, from the first to the last, with today between them. */
import { useTexts } from "../../shared/core/texts.ts";
import { TEXTS } from "../texts.ts";
import { Section, Value } from "../ui/shown.tsx";
import type { BookView } from "../view/book-view.ts";
import type { TimelineDate } from "../view/dates.ts";
import { Territory } from "./prices.tsx";

export function Timeline({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  if (view.timeline.length === 0) return null;
  const past = view.timeline.filter(({ isPast }) => isPast);
  const others = view.timeline.filter(({ isPast }) => !isPast);
  return (
    <Section id="dates" title={texts.dates}>
      <ol class="timeline">
        {past.map((date, index) => (
          <DateItem key={`past ${index}`} date={date} />
        ))}
        <li class="timeline-today">
          <span>{texts.today}</span>
        </li>
        {others.map((date, index) => (
          <DateItem key={`next ${index}`} date={date} />
        ))}
      </ol>
    </Section>
  );
}

function DateItem({ date }: { date: TimelineDate }) {
  const kind = date.day === undefined ? "undated" : date.isPast ? "past" : "next";
  return (
    <li class={`timeline-${kind} ${date.isMain ? "timeline-main" : ""}`}>
      <time dateTime={date.machine} title={date.shown!.raw}>
        {date.shown!.text}
      </time>
      <span>
        {date.role && <Value shown={date.role} />}
        {date.places.length > 0 && (
          <small class="muted" dir="auto">
            <Territory text={date.places.join("; ")} />
          </small>
        )}
      </span>
    </li>
  );
}
