/** Shelf and search. The query of the URL has the whole state. */
import { useEffect, useState } from "preact/hooks";
import { type PageProps, useTitle } from "../shared/core/page.ts";
import { useTexts } from "../shared/core/texts.ts";
import { ActiveFilters } from "./active-filters.tsx";
import { FacetList } from "./facets.tsx";
import { useFilterWords } from "./filter-words.ts";
import { ResultList } from "./result-list.tsx";
import { useResults } from "./results.ts";
import { SearchField } from "./search-field.tsx";
import { FILTERS, isBrowsing, type Selection, selectionOf, yearOf } from "./selection.ts";
import { Shelves } from "./shelves.tsx";
import { SHELF } from "./texts.ts";

export function ShelfPage({ query }: PageProps) {
  const texts = useTexts(SHELF);
  const selection = selectionOf(query);
  const browsing = isBrowsing(selection);
  const state = useResults(selection);
  const heading = useHeading(selection);
  const [showsFilters, setShowsFilters] = useState(false);
  const filterCount = FILTERS.filter((filter) => selection[filter] !== undefined).length;
  useTitle(browsing ? "" : heading);
  useEffect(() => setShowsFilters(false), [query.toString()]);
  return (
    <>
      <SearchField selection={selection} />
      <h1 class={browsing ? "visually-hidden" : "results-title"} dir="auto">
        {heading}
      </h1>
      <ActiveFilters selection={selection} />
      {browsing && <Shelves />}
      {browsing && <h2 class="catalog-title">{texts.all}</h2>}
      <div class="columns">
        <div class={showsFilters ? "facets facets-open" : "facets"}>
          <button
            type="button"
            class="button button-quiet facets-toggle"
            aria-expanded={showsFilters}
            aria-controls="facets"
            onClick={() => setShowsFilters(!showsFilters)}
          >
            {texts.showFilters(filterCount)}
          </button>
          <div id="facets" class="facets-body">
            <h2 class="visually-hidden">{texts.filters}</h2>
            {(state.results || state.isLoading) && (
              <FacetList selection={selection} results={state.isLoading ? undefined : state.results} />
            )}
          </div>
        </div>
        <ResultList selection={selection} state={state} />
      </div>
    </>
  );
}

function useHeading(selection: Selection): string {
  const texts = useTexts(SHELF);
  const words = useFilterWords();
  if (selection.q !== undefined) return texts.resultsFor(selection.q);
  const year = yearOf(selection);
  const filters = FILTERS.filter((filter) => !(year && (filter === "from" || filter === "to")));
  const parts = filters.flatMap((filter) => {
    const value = selection[filter];
    if (value === undefined) return [];
    const text = words(filter, value);
    return filter === "lacks" || filter === "from" || filter === "to"
      ? `${texts.chips[filter].toLowerCase()} ${text}`
      : text;
  });
  const heading = [...parts, ...(year ? [year] : [])].join(" · ");
  return heading.slice(0, 1).toUpperCase() + heading.slice(1) || texts.title;
}
