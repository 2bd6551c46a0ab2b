/** Shelf and search. The query of the URL has the whole state. */
import { useEffect, useState } from "preact/hooks";
import { useImprintNames } from "../shared/core/imprints.ts";
import type { PageProps } from "../shared/core/page-props.ts";
import { useTexts } from "../shared/core/texts.ts";
import { useTitle } from "../shared/core/title.ts";
import { ActiveFilters } from "./active-filters.tsx";
import { FacetList } from "./facets.tsx";
import { ResultList } from "./result-list.tsx";
import { useResults } from "./results.ts";
import { SearchField } from "./search-field.tsx";
import { FILTERS, isBrowsing, type Selection, selectionOf } from "./selection.ts";
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
            <FacetList selection={selection} sentQuery={state.results?.sentQuery ?? selection.q} />
          </div>
        </div>
        <ResultList
          selection={selection}
          state={state}
          layout={query.get("show") === "covers" ? "covers" : "list"}
        />
      </div>
    </>
  );
}

function useHeading(selection: Selection): string {
  const texts = useTexts(SHELF);
  const imprintName = useImprintNames();
  if (selection.q !== undefined) return texts.resultsFor(selection.q);
  if (selection.imprint !== undefined) return imprintName(selection.imprint);
  if (selection.contributor !== undefined) return selection.contributor;
  return isBrowsing(selection) ? texts.title : texts.selection;
}
