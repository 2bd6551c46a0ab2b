/** The filters that are set, each with a button that removes it. */
import { hrefOf } from "../shared/core/router.ts";
import { useTexts } from "../shared/core/texts.ts";
import type { FilterWords } from "./filter-words.ts";
import { choicesOf, type Selection, toggled, valuesOf } from "./selection.ts";
import { SHELF } from "./texts.ts";

export function ActiveFilters({ selection, words }: { selection: Selection; words: FilterWords }) {
  const texts = useTexts(SHELF);
  const active = choicesOf(selection).flatMap((choice) =>
    valuesOf(selection, choice).map((value) => ({ choice, value })),
  );
  if (active.length === 0) return null;
  const { q, sort, show } = selection;
  return (
    <ul class="filter-chips" aria-label={texts.filters}>
      {active.map(({ choice, value }) => (
        <Chip
          key={`${choice} ${value}`}
          name={texts.choices[choice]}
          value={words(choice, value)}
          href={hrefOf("", toggled(selection, choice, value))}
        />
      ))}
      {active.length > 1 && (
        <li>
          <a class="filter-chip-all" href={hrefOf("", { q, sort, show })}>
            {texts.removeAll}
          </a>
        </li>
      )}
    </ul>
  );
}

function Chip({ name, value, href }: { name: string; value: string; href: string }) {
  const texts = useTexts(SHELF);
  return (
    <li>
      <a class="filter-chip" href={href}>
        <span class="visually-hidden">{texts.remove} </span>
        <span class="muted">{name}</span> <span dir="auto">{value}</span>
        <svg viewBox="0 0 24 24" width="14" height="14" aria-hidden="true">
          <path d="M6 6l12 12M18 6 6 18" />
        </svg>
      </a>
    </li>
  );
}
