/** What a search has found: how many, in which order, and the list itself. */
import { ColophonError } from "../shared/core/api.ts";
import { hrefOf, navigate, useScrollMemory } from "../shared/core/router.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { CoverConsent } from "../shared/ui/cover.tsx";
import { Busy, Empty, Failure } from "../shared/ui/states.tsx";
import { type ListShape, WindowedList } from "../shared/ui/windowed-list.tsx";
import { BookCard, BookRow } from "./book-row.tsx";
import type { ResultsState } from "./results.ts";
import { isBrowsing, type Selection, SORTS, sortOf } from "./selection.ts";
import { SHELF } from "./texts.ts";

type Layout = "list" | "covers";

interface Props {
  readonly selection: Selection;
  readonly state: ResultsState;
}

const ROWS: ListShape = { rowRem: 9, narrowRowRem: 10.5 };
/** The height of a cover follows its width; titles and names below it have a fixed height. */
const CARDS: ListShape = { rowRem: 5.25, columnRem: 8.5, heightPerWidth: 1.5 };
const BAD_REQUEST = 400;

export function ResultList({ selection, state }: Props) {
  const texts = useTexts(SHELF);
  const { results, isLoading, error, retry, loadMore } = state;
  const browsing = isBrowsing(selection);
  useScrollMemory(results !== undefined && !isLoading);
  const areCovers = layoutOf(selection) === "covers";
  const isBegun = results?.sentQuery !== undefined && results.sentQuery !== selection.q;
  const hasLink = !browsing && results?.books.some(({ cover }) => cover !== null) === true;
  return (
    <section class="results" aria-label={texts.list} aria-busy={isLoading} data-results>
      <Toolbar selection={selection} state={state} />
      {isLoading && <Busy />}
      {!isLoading && isBegun && <p class="notice">{texts.beginsWith}</p>}
      {results && (
        <>
          <CoverConsent isNeeded={hasLink} />
          {results.books.length === 0 && !isLoading && <NoResults selection={selection} />}
          <WindowedList
            class={isLoading ? "results-stale" : ""}
            items={results.books}
            shape={areCovers ? CARDS : ROWS}
            label={texts.list}
            keyOf={({ isbn }) => isbn}
            render={(book) => (areCovers ? <BookCard book={book} /> : <BookRow book={book} />)}
            total={typeof results.total === "number" ? results.total : -1}
            onEnd={loadMore}
          />
        </>
      )}
      {error !== undefined ? (
        <SearchFailure error={error} retry={retry} selection={selection} />
      ) : (
        results?.nextUrl !== undefined && <p class="loading-more muted">{texts.loadingMore}</p>
      )}
    </section>
  );
}

function Toolbar({ selection, state: { results, isLoading } }: Props) {
  const texts = useTexts(SHELF);
  const count = useCount(results?.total);
  const sort = sortOf(selection);
  return (
    <div class="toolbar">
      <p class="toolbar-count" role="status">
        {!isLoading && results && count}
      </p>
      <label class="toolbar-sort">
        <span>{texts.sort}</span>
        <select
          class="field"
          value={sort}
          onChange={({ currentTarget }) => navigate(hrefOf("", { ...selection, sort: currentTarget.value }))}
        >
          {SORTS.filter((each) => each !== "relevance" || selection.q !== undefined).map((each) => (
            <option key={each} value={each}>
              {texts.sorts[each]}
            </option>
          ))}
        </select>
      </label>
      <fieldset class="toolbar-layout">
        <legend class="visually-hidden">{texts.layout}</legend>
        {(["list", "covers"] as const).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === layoutOf(selection)}
            onClick={() => navigate(hrefOf("", { ...selection, show: showOf(each) }), { replace: true })}
          >
            {texts.layouts[each]}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

const layoutOf = ({ show }: Selection): Layout => (show === "covers" ? "covers" : "list");
const showOf = (layout: Layout) => (layout === "covers" ? "covers" : undefined);

function useCount(total: number | string | undefined): string {
  const texts = useTexts(SHELF);
  const formats = useFormats();
  if (total === undefined) return "";
  if (typeof total === "number") return texts.books(formats.number(total), total === 1);
  return texts.moreThan(formats.number(Number.parseInt(total, 10)));
}

function NoResults({ selection }: { selection: Selection }) {
  const texts = useTexts(SHELF);
  if (isBrowsing(selection)) {
    return (
      <Empty title={texts.emptyCatalog}>
        <p>{texts.emptyCatalogText}</p>
      </Empty>
    );
  }
  return (
    <Empty title={texts.none}>
      <p>{texts.noneText}</p>
    </Empty>
  );
}

/** A query that is being typed is often wrong for a moment: that is no failure of the service. */
function SearchFailure(props: { error: unknown; retry: () => void; selection: Selection }) {
  const { error, retry, selection } = props;
  const texts = useTexts(SHELF);
  if (!(error instanceof ColophonError) || error.status !== BAD_REQUEST)
    return <Failure error={error} retry={retry} />;
  const problem = texts.problems[error.problem.code ?? ""];
  const { q, sort, show } = selection;
  return (
    <div class="state" role="status">
      {problem === undefined ? (
        <>
          <p>{texts.unknownFilter}</p>
          <p>
            <a href={hrefOf("", { q, sort, show })}>{texts.removeAll}</a>
          </p>
        </>
      ) : (
        <>
          <p>{texts.incomplete}</p>
          <p class="muted">{problem}</p>
        </>
      )}
    </div>
  );
}
