/** Books like this one: other editions, its series in order, the newest books on its main subject. They end the page. */
import type { Summary, Work } from "../../../client/generated/book.ts";
import { totalOf } from "../../../client/list.ts";
import { get } from "../shared/core/api.ts";
import { useLabels } from "../shared/core/labels.ts";
import { useBody, useLoading } from "../shared/core/loading.ts";
import { hrefOf } from "../shared/core/router.ts";
import { THEMA, useSubjects } from "../shared/core/subjects.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { type Shelf, ShelfRow } from "../shelf/shelves.tsx";
import { TEXTS } from "./texts.ts";

const SERIES_BOOKS = 100;
const SUBJECT_BOOKS = 40;

export function seriesHref(series: string): string {
  return hrefOf("", { series, sort: "oldest" });
}

export function Neighbours({ book }: { readonly book: Summary | undefined }) {
  const texts = useTexts(TEXTS);
  const series = book?.collection ?? undefined;
  const main = book?.subjects.find(({ code }) => code !== null);
  const subject = main && `${main.scheme}:${main.code}`;
  const [thema] = useSubjects(THEMA.test(main?.scheme ?? "") ? [main!.code!] : []);
  const words = thema?.label ?? main?.text;
  const ofSeries = useOthers(book, series && { series, sort: "oldest", limit: SERIES_BOOKS });
  const ofSubject = useOthers(book, subject && { subject, limit: SUBJECT_BOOKS });
  const isOther = ({ isbn, collection }: Summary) =>
    isbn !== book!.isbn && (series === undefined || collection !== series);
  return (
    <div class="book-neighbours">
      {book && <Editions book={book} />}
      {ofSeries && (
        <ShelfRow
          id="series"
          title={texts.series(series!)}
          shelf={{ ...ofSeries, books: ofSeries.books.toSorted(byNumber) }}
          isLoading={false}
          href={seriesHref(series!)}
        />
      )}
      {ofSubject && words && (
        <ShelfRow
          id="subject"
          title={texts.moreOn(words)}
          shelf={{ ...ofSubject, books: ofSubject.books.filter(isOther) }}
          isLoading={false}
          href={hrefOf("", { subject })}
        />
      )}
    </div>
  );
}

/** The other editions of the work, for a person who wants another form, language or year. */
function Editions({ book }: { readonly book: Summary }) {
  const texts = useTexts(TEXTS);
  const formats = useFormats();
  const label = useLabels();
  const editions = useBody<Work>(`work/${book.isbn}`)?.editions ?? [];
  const others = editions.filter(({ isbn }) => isbn !== book.isbn);
  if (others.length === 0) return null;
  return (
    <section class="shelf" aria-labelledby="shelf-editions">
      <div class="shelf-head">
        <h2 id="shelf-editions">{texts.otherEditions}</h2>
      </div>
      <ul class="editions">
        {others.map(({ isbn, title, form, languages, published }) => (
          <li key={isbn}>
            <a href={hrefOf(`book/${isbn}`)} dir="auto">
              {title ?? isbn}
            </a>{" "}
            <span class="muted">
              {[
                form && label("product_forms", form),
                ...languages.map((code) => label("languages", code)),
                published && formats.day(published),
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** "2" is before "10". Books without a number come last, in the order of publication. */
const numbers = new Intl.Collator("en", { numeric: true });

function byNumber(a: Summary, b: Summary): number {
  const placeOf = ({ collectionNumber }: Summary) => collectionNumber ?? "\uffff";
  return numbers.compare(placeOf(a), placeOf(b)) || (a.published ?? "9").localeCompare(b.published ?? "9");
}

/** Returns what a search finds, when it finds other books than this one. */
function useOthers(
  book: Summary | undefined,
  query: Readonly<Record<string, string | number>> | "" | undefined,
): Shelf<Summary> | undefined {
  const loading = useLoading(JSON.stringify([book?.isbn, query]), async (signal) => {
    if (!query) return undefined;
    const { body, headers } = await get<readonly Summary[]>("search", query, signal);
    return { books: body, total: totalOf(headers) ?? body.length };
  });
  const shelf = loading.kind === "loaded" ? loading.value : undefined;
  return shelf?.books.some(({ isbn }) => isbn !== book?.isbn) ? shelf : undefined;
}
