/** Prizes of the book or of a contributor. */
import { useTexts } from "../../shared/core/texts.ts";
import { TEXTS } from "../texts.ts";
import { Facts, Section, Value, Values } from "../ui/shown.tsx";
import type { BookView } from "../view/book-view.ts";
import type { PrizeView } from "../view/contributors.ts";

export function Prizes({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  if (view.prizes.length === 0) return null;
  return (
    <Section id="prizes" title={texts.prizes}>
      <PrizeList prizes={view.prizes} />
    </Section>
  );
}

export function PrizeList({ prizes }: { prizes: readonly PrizeView[] }) {
  if (prizes.length === 0) return null;
  return (
    <ul class="prizes">
      {prizes.map(({ name, result, year, place, facts }, index) => (
        <li key={index}>
          <strong>{name && <Value shown={name} />}</strong>
          {year && (
            <>
              {" "}
              <Value shown={year} />
            </>
          )}
          {result && (
            <span class="book-chip">
              <Value shown={result} />
            </span>
          )}{" "}
          <span class="muted">
            <Values values={place} />
          </span>
          <Facts facts={facts} />
        </li>
      ))}
    </ul>
  );
}
