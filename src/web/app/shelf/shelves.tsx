/** The shelves that are shown while nothing is searched: new books, and forthcoming ones. */
import { useEffect } from "preact/hooks";
import { totalOf } from "../../../client/list.ts";
import { get } from "../shared/core/api.ts";
import { useLoading } from "../shared/core/loading.ts";
import { hrefOf } from "../shared/core/router.ts";
import { useTexts } from "../shared/core/texts.ts";
import { dayIn } from "../shared/format/dates.ts";
import { CoverConsent } from "../shared/ui/cover.tsx";
import { Failure } from "../shared/ui/states.tsx";
import { BookCard } from "./book-row.tsx";
import { CARD_FIELDS, type CardBook } from "./results.ts";
import { SHELF } from "./texts.ts";

const SHELF_BOOKS = 16;
const NEWS_DAYS = 90;

export interface Shelf<Book extends CardBook = CardBook> {
  readonly books: readonly Book[];
  readonly total: number | string;
}

/** The shelves as they were last, for a person who comes back. */
const known = new Map<string, Shelf>();

/**
 * What is below the shelves waits for `onSettled`: a shelf without books takes no room, and nothing that is shown may
 * move.
 */
export function Shelves({ onSettled }: { onSettled: () => void }) {
  const texts = useTexts(SHELF);
  const [today, tomorrow] = [dayIn(0), dayIn(1)];
  const news = useShelf("news", { view: "summary", limit: SHELF_BOOKS });
  const forthcoming = useShelf("search", { from: tomorrow, sort: "oldest", limit: SHELF_BOOKS });
  const isNewsLoading = news.kind === "loading" && !known.has("news");
  const isLoading = isNewsLoading || (forthcoming.kind === "loading" && !known.has("search"));
  useEffect(() => {
    if (!isLoading) onSettled();
  }, [isLoading]);
  if (news.kind === "failed") return <Failure error={news.error} retry={news.retry} />;
  const newBooks = known.get("news");
  const hasLink = newBooks?.books.some(({ cover }) => cover !== null) === true;
  const rows: readonly RowProps[] = [
    {
      id: "news",
      title: texts.news,
      shelf: newBooks,
      isLoading: isNewsLoading,
      href: hrefOf("", { from: dayIn(-NEWS_DAYS), to: today, sort: "newest" }),
    },
    {
      id: "forthcoming",
      title: texts.forthcoming,
      shelf: isNewsLoading ? undefined : known.get("search"),
      isLoading,
      href: hrefOf("", { from: tomorrow, sort: "oldest" }),
    },
  ];
  // A shelf without books leaves its place to the next one, so that no shelf moves.
  const [first, ...others] = rows.filter(({ shelf, isLoading }) => isLoading || shelf?.books.length);
  return (
    <>
      {first && <ShelfRow {...first} />}
      <CoverConsent isNeeded={hasLink} />
      {others.map((row) => (
        <ShelfRow key={row.id} {...row} />
      ))}
    </>
  );
}

function useShelf(path: string, query: Readonly<Record<string, string | number>>) {
  return useLoading<Shelf>(path, async (signal) => {
    const { body, headers } = await get<CardBook[]>(path, { ...query, fields: CARD_FIELDS.join() }, signal);
    const shelf = { books: body, total: totalOf(headers) ?? body.length };
    known.set(path, shelf);
    return shelf;
  });
}

interface RowProps {
  readonly id: string;
  readonly title: string;
  readonly shelf: Shelf | undefined;
  readonly isLoading: boolean;
  readonly href: string;
}

/** A shelf keeps its place while it loads, so that nothing below it jumps. */
export function ShelfRow({ id, title, shelf, isLoading, href }: RowProps) {
  const texts = useTexts(SHELF);
  if (!isLoading && (shelf === undefined || shelf.books.length === 0)) return null;
  return (
    <section class="shelf" aria-labelledby={`shelf-${id}`} aria-busy={isLoading}>
      <div class="shelf-head">
        <h2 id={`shelf-${id}`}>{title}</h2>
        {shelf && shelf.total !== shelf.books.length && (
          <a href={href} aria-describedby={`shelf-${id}`}>
            {texts.seeAll}
          </a>
        )}
      </div>
      <ul class="shelf-books">
        {isLoading &&
          !shelf &&
          Array.from({ length: SHELF_BOOKS }, (_, index) => (
            <li key={index} aria-hidden="true">
              <span class="skeleton skeleton-cover" />
            </li>
          ))}
        {shelf?.books.map((book) => (
          <li key={book.isbn}>
            <BookCard book={book} />
          </li>
        ))}
      </ul>
    </section>
  );
}
