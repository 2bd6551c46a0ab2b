/** The filters that are set, each with a button that removes it. */
import { hrefOf } from "../shared/core/router.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { useFacetLabel } from "./facets.tsx";
import { FILTERS, type Filter, type Selection, withFilter, withYear, yearOf } from "./selection.ts";
import { SHELF } from "./texts.ts";

export function ActiveFilters({ selection }: { selection: Selection }) {
  const texts = useTexts(SHELF);
  const year = yearOf(selection);
  const active = FILTERS.filter(
    (filter) => selection[filter] !== undefined && !(year && (filter === "from" || filter === "to")),
  );
  if (active.length === 0 && year === undefined) return null;
  const { q, sort } = selection;
  return (
    <ul class="chips" aria-label={texts.filters}>
      {active.map((filter) => (
        <FilterChip key={filter} filter={filter} selection={selection} />
      ))}
      {year && (
        <Chip name={texts.facets.year} value={year} href={hrefOf("", withYear(selection, undefined))} />
      )}
      {active.length + (year ? 1 : 0) > 1 && (
        <li>
          <a class="chip-all" href={hrefOf("", { q, sort })}>
            {texts.removeAll}
          </a>
        </li>
      )}
    </ul>
  );
}

function FilterChip({ filter, selection }: { filter: Filter; selection: Selection }) {
  const texts = useTexts(SHELF);
  const formats = useFormats();
  const label = useFacetLabel(filter);
  const value = selection[filter]!;
  const day = /^(\d{4})(\d{2})(\d{2})$/.exec(value);
  const words =
    (filter === "from" || filter === "to") && day
      ? formats.day(day.slice(1).join("-"))
      : filter === "lacks"
        ? (texts.lacks[value] ?? value)
        : label(value);
  return (
    <Chip
      name={texts.chips[filter]}
      value={words}
      href={hrefOf("", withFilter(selection, filter, undefined))}
    />
  );
}

function Chip({ name, value, href }: { name: string; value: string; href: string }) {
  const texts = useTexts(SHELF);
  return (
    <li>
      <a class="chip" href={href} aria-label={texts.remove(`${name}: ${value}`)}>
        <span class="chip-name">{name}</span>
        <span dir="auto">{value}</span>
        <svg viewBox="0 0 24 24" width="14" height="14" aria-hidden="true">
          <path d="M6 6l12 12M18 6 6 18" />
        </svg>
      </a>
    </li>
  );
}
