/** Shelf and search. The query of the URL has the whole state. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useTranslations } from "../shared/core/labels.ts";
import { type PageProps, useTitle } from "../shared/core/page.ts";
import { useTexts } from "../shared/core/texts.ts";
import { ActiveFilters } from "./active-filters.tsx";
import { FacetList } from "./facets.tsx";
import { type FilterWords, useFilterWords, useSubjectWords } from "./filter-words.ts";
import { ResultList } from "./result-list.tsx";
import { useResults } from "./results.ts";
import { SearchField } from "./search-field.tsx";
import { choicesOf, hasFilters, isBrowsing, type Selection, selectionOf, valuesOf } from "./selection.ts";
import { Shelves } from "./shelves.tsx";
import { SHELF } from "./texts.ts";
import { Toolbar, useCountText } from "./toolbar.tsx";

export function ShelfPage({ query }: PageProps) {
  const texts = useTexts(SHELF);
  const selection = selectionOf(query);
  const browsing = isBrowsing(selection);
  const found = useResults(selection);
  // Books and counts come with words of their own. Those of chosen filters are longer than codes: books wait for them,
  // so that no line moves.
  const isFiltered = hasFilters(selection);
  const hasWords = useTranslations(isFiltered) !== undefined || !isFiltered;
  const state =
    hasWords || found.error !== undefined ? found : { ...found, results: undefined, isLoading: true };
  const count = useCountText(state);
  const subjectWords = useSubjectWords(valuesOf(selection, "subject"), state.results?.books ?? []);
  const words = useFilterWords(isFiltered, subjectWords);
  const heading = useHeading(selection, words);
  const [areShelvesSettled, setShelvesSettled] = useState(false);
  const [showsFilters, setShowsFilters] = useState(false);
  const facets = useRef<HTMLDivElement>(null);
  const isSettled = !browsing || areShelvesSettled;
  // What finds nothing without a filter leaves nothing to filter.
  const isBare = !state.isLoading && !isFiltered && state.results?.books.length === 0;
  useTitle(browsing ? "" : heading);
  const closeFilters = () => {
    setShowsFilters(false);
    // The focus would be lost with the filters.
    document.querySelector<HTMLElement>(".facets-toggle")?.focus({ preventScroll: true });
  };
  // The filters of a phone stay open for further choices. Another query begins with its books.
  useEffect(() => setShowsFilters(false), [selection.q]);
  // The bar of a phone stays while the page is scrolled; the filters are above the list.
  const wereShown = useRef(false);
  useEffect(() => {
    if (showsFilters) facets.current?.scrollIntoView();
    else if (wereShown.current) document.querySelector("[data-results]")?.scrollIntoView();
    wereShown.current = showsFilters;
  }, [showsFilters]);
  const toolbar = (title: ComponentChildren) => (
    <Toolbar
      selection={selection}
      state={state}
      showsFilters={showsFilters}
      onToggleFilters={() => setShowsFilters(!showsFilters)}
    >
      {title}
    </Toolbar>
  );
  return (
    <>
      <div class={browsing ? "finder" : "finder finder-sticky"}>
        <SearchField selection={selection} isLoading={state.isLoading} />
        {browsing ? (
          <h1 class="visually-hidden">{heading}</h1>
        ) : (
          toolbar(
            <h1 class="results-title" dir="auto">
              {heading}
            </h1>,
          )
        )}
      </div>
      <ActiveFilters selection={selection} words={words} />
      {browsing && <Shelves onSettled={() => setShelvesSettled(true)} />}
      {browsing && isSettled && toolbar(<h2 class="results-title">{texts.all}</h2>)}
      {isSettled && (
        <div class={isBare ? "columns columns-bare" : "columns"}>
          <div id="facets" ref={facets} class={showsFilters ? "facets facets-open" : "facets"}>
            <h2 class="visually-hidden">{texts.filters}</h2>
            {(state.results || state.isLoading) && (
              <FacetList selection={selection} results={state.isLoading ? undefined : state.results} />
            )}
            {showsFilters && (
              <button type="button" class="button facets-done" onClick={closeFilters}>
                {texts.showBooks(count)}
              </button>
            )}
          </div>
          <ResultList selection={selection} state={state} />
        </div>
      )}
    </>
  );
}

function useHeading(selection: Selection, words: FilterWords): string {
  const texts = useTexts(SHELF);
  if (selection.q !== undefined) return texts.resultsFor(selection.q);
  const parts = choicesOf(selection).flatMap((choice) => {
    const values = valuesOf(selection, choice);
    if (values.length === 0) return [];
    const text = values.map((value) => words(choice, value)).join(", ");
    return choice === "lacks" || choice === "from" || choice === "to"
      ? `${texts.choices[choice].toLowerCase()} ${text}`
      : text;
  });
  const heading = parts.join(" · ");
  return heading.slice(0, 1).toUpperCase() + heading.slice(1) || texts.title;
}
