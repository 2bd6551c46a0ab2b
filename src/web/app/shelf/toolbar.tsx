/** The bar above a list: what it is, how many books, the filters of a phone, the order and the layout. */
import type { ComponentChildren } from "preact";
import { hrefOf, navigate } from "../shared/core/router.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import type { ResultsState } from "./results.ts";
import { FILTERS, type Selection, SORTS, sortOf, valuesOf } from "./selection.ts";
import { TakeAlong } from "./take-along.tsx";
import { SHELF } from "./texts.ts";

interface Props {
  readonly selection: Selection;
  readonly state: ResultsState;
  readonly showsFilters: boolean;
  readonly onToggleFilters: () => void;
  /** The heading of the list. */
  readonly children: ComponentChildren;
}

export function Toolbar({ selection, state, showsFilters, onToggleFilters, children }: Props) {
  const texts = useTexts(SHELF);
  const count = useCountText(state);
  const filterCount = FILTERS.flatMap((filter) => valuesOf(selection, filter)).length;
  return (
    <div class={showsFilters ? "toolbar toolbar-open" : "toolbar"}>
      <div class="toolbar-title">
        {children}
        <p class="toolbar-count" role="status">
          {count}
        </p>
      </div>
      <button
        type="button"
        class="button button-quiet button-small facets-toggle"
        aria-expanded={showsFilters}
        aria-controls="facets"
        onClick={onToggleFilters}
      >
        {texts.showFilters(filterCount)}
      </button>
      <label class="toolbar-sort">
        <span>{texts.sort}</span>
        <select
          class="field"
          value={sortOf(selection)}
          onChange={({ currentTarget }) => navigate(hrefOf("", { ...selection, sort: currentTarget.value }))}
        >
          {SORTS.filter((each) => each !== "relevance" || selection.q !== undefined).map((each) => (
            <option key={each} value={each}>
              {texts.sorts[each]}
            </option>
          ))}
        </select>
      </label>
      <LayoutSwitch selection={selection} />
      <TakeAlong selection={selection} results={state.isLoading ? undefined : state.results} />
    </div>
  );
}

/** Returns the number of books in words, once it is known. */
export function useCountText(state: ResultsState): string | undefined {
  const texts = useTexts(SHELF);
  const formats = useFormats();
  const total = state.isLoading ? undefined : state.results?.total;
  if (typeof total === "string") return texts.moreThan(formats.number(Number.parseInt(total, 10)));
  return total === undefined ? undefined : formats.books(total);
}

/** The icons of a list and of a wall of covers. */
const LAYOUTS = {
  list: "M4 6h16M4 12h16M4 18h16",
  covers: "M5 5h5v6H5zM14 5h5v6h-5zM5 14h5v6H5zM14 14h5v6h-5z",
};

function LayoutSwitch({ selection }: { selection: Selection }) {
  const texts = useTexts(SHELF);
  return (
    <fieldset class="toolbar-layout">
      <legend class="visually-hidden">{texts.layout}</legend>
      {(["list", "covers"] as const).map((each) => (
        <button
          key={each}
          type="button"
          title={texts.layouts[each]}
          aria-label={texts.layouts[each]}
          aria-pressed={each === (selection.show ?? "list")}
          onClick={() =>
            navigate(hrefOf("", { ...selection, show: each === "covers" ? each : undefined }), {
              replace: true,
            })
          }
        >
          <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
            <path d={LAYOUTS[each]} />
          </svg>
        </button>
      ))}
    </fieldset>
  );
}
