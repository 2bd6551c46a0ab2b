/** The books that a search has found. */
import { ColophonError } from "../shared/core/api.ts";
import { hrefOf, useScrollMemory } from "../shared/core/router.ts";
import { useTexts } from "../shared/core/texts.ts";
import { priceBandOf } from "../shared/format/price-band.ts";
import { CoverConsent } from "../shared/ui/cover.tsx";
import { Busy, Empty, Failure } from "../shared/ui/states.tsx";
import { type ListShape, WindowedList } from "../shared/ui/windowed-list.tsx";
import { BookCard, BookRow } from "./book-row.tsx";
import type { ResultsState } from "./results.ts";
import { apiQuery, hasFilters, isBrowsing, type Selection, sortOf, valuesOf } from "./selection.ts";
import { SHELF } from "./texts.ts";

interface Props {
  readonly selection: Selection;
  readonly state: ResultsState;
}

const ROWS: ListShape = { rowRem: 9, narrowRowRem: 13.25 };
/** The height of a cover follows its width; titles and names below it have a fixed height. */
const CARDS: ListShape = { rowRem: 5.25, columnRem: 8.5, heightPerWidth: 1.5 };
const BAD_REQUEST = 400;

export function ResultList({ selection, state }: Props) {
  const texts = useTexts(SHELF);
  const { results, isLoading, error, retry, loadMore } = state;
  const browsing = isBrowsing(selection);
  useScrollMemory(
    results !== undefined && !isLoading,
    JSON.stringify([apiQuery(selection), sortOf(selection)]),
  );
  // A person who filters by a price in euros compares prices in euros.
  const currencies = valuesOf(selection, "price").flatMap((band) => priceBandOf(band)?.currency ?? []);
  const areCovers = selection.show === "covers";
  const areGrouped = results?.books.some(({ editions }) => editions !== undefined) === true;
  const placeholder = areCovers ? <CardSkeleton /> : <RowSkeleton />;
  const hasLink = !browsing && results?.books.some(({ cover }) => cover !== null) === true;
  return (
    <section aria-label={texts.list} aria-busy={isLoading} data-results>
      <h2 class="visually-hidden">{texts.list}</h2>
      {isLoading && <Busy />}
      {!isLoading && results?.corrected !== undefined && (
        <p class="notice">{texts.corrected(selection.q ?? "", results.corrected)}</p>
      )}
      {!isLoading && results?.prefix && results.corrected === undefined && results.books.length > 0 && (
        <p class="notice">{texts.beginsWith}</p>
      )}
      {results && (
        <>
          <CoverConsent isNeeded={hasLink} />
          {results.books.length === 0 && !isLoading && <NoResults selection={selection} />}
          <WindowedList
            items={results.books}
            shape={areCovers ? CARDS : ROWS}
            label={texts.list}
            keyOf={({ isbn }) => isbn}
            render={(book) =>
              areCovers ? <BookCard book={book} /> : <BookRow book={book} currencies={currencies} />
            }
            // The total counts books, and a row can stand for several.
            total={typeof results.total === "number" && !areGrouped ? results.total : -1}
            onEnd={loadMore}
            placeholder={results.nextUrl !== undefined && error === undefined ? placeholder : undefined}
          />
        </>
      )}
      {!results && isLoading && <RowSkeletons />}
      {error !== undefined && <SearchFailure error={error} retry={retry} selection={selection} />}
    </section>
  );
}

/** Rows without text, in the place of the first books. */
function RowSkeletons() {
  return (
    <div aria-hidden="true">
      {Array.from({ length: 5 }, (_, index) => (
        <RowSkeleton key={index} />
      ))}
    </div>
  );
}

function RowSkeleton() {
  return (
    <div class="row-skeleton">
      <span class="skeleton skeleton-cover" />
      <div>
        <span class="skeleton skeleton-title" />
        <span class="skeleton" />
      </div>
    </div>
  );
}

function CardSkeleton() {
  return (
    <div class="book-card">
      <span class="skeleton skeleton-cover" />
    </div>
  );
}

function NoResults({ selection }: { selection: Selection }) {
  const texts = useTexts(SHELF);
  if (isBrowsing(selection)) return <Empty title={texts.emptyCatalog} text={texts.emptyCatalogText} />;
  return <Empty title={texts.none} text={hasFilters(selection) ? texts.noneFiltered : texts.noneText} />;
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
