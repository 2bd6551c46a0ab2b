/** The page of one book, at `book/{isbn}`. */
import { useEffect, useMemo } from "preact/hooks";
import { describeFields } from "../../../client/describe.ts";
import type { Book, Origin as OriginResponse, Summary } from "../../../client/generated/book.ts";
import { cover } from "../../../client/helpers.ts";
import type { Translations } from "../../../client/labels.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { ColophonError, get } from "../shared/core/api.ts";
import { useTranslations } from "../shared/core/labels.ts";
import { useBody, useLoading } from "../shared/core/loading.ts";
import { useObservable } from "../shared/core/observable.ts";
import { type PageProps, useTitle } from "../shared/core/page.ts";
import { hrefOf, navigate, useScrollMemory } from "../shared/core/router.ts";
import { language, market } from "../shared/core/settings.ts";
import { useTexts } from "../shared/core/texts.ts";
import { dayIn } from "../shared/format/dates.ts";
import { Busy, Failure } from "../shared/ui/states.tsx";
import { isbnOrProblem } from "./format/isbn-problem.ts";
import { Neighbours } from "./neighbours.tsx";
import { About } from "./parts/about.tsx";
import { Contributors, Prizes } from "./parts/contributors.tsx";
import { Details } from "./parts/details.tsx";
import { Hero } from "./parts/hero.tsx";
import { InvalidIsbn, UnknownBook } from "./parts/not-found.tsx";
import { Origin } from "./parts/origin.tsx";
import { Prices } from "./parts/prices.tsx";
import { Related } from "./parts/related.tsx";
import { Citations, Resources } from "./parts/resources.tsx";
import { Rights } from "./parts/rights.tsx";
import { Source } from "./parts/source.tsx";
import { Subjects } from "./parts/subjects.tsx";
import { Timeline } from "./parts/timeline.tsx";
import { Everything } from "./parts/tree.tsx";
import { TEXTS } from "./texts.ts";
import { bestOfferOf } from "./view/best-offer.ts";
import { bookViewOf } from "./view/book-view.ts";

const NOT_FOUND = 404;

export function BookPage({ parameter }: PageProps) {
  const text = decoded(parameter);
  const isbn = isbnOrProblem(text);
  // An ISBN-10, or one with hyphens, has the URL of its ISBN-13.
  useEffect(() => {
    if (typeof isbn === "string" && isbn !== parameter) navigate(hrefOf(`book/${isbn}`), { replace: true });
  }, [parameter]);
  if (typeof isbn !== "string") return <InvalidIsbn text={text} problem={isbn} />;
  return <LoadedBook key={isbn} isbn={isbn} />;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function LoadedBook({ isbn }: { isbn: Isbn13 }) {
  const translations = useTranslations();
  // Until the title is known, and when it cannot be.
  useTitle(isbn);
  const loading = useLoading(isbn, async (signal) => (await get<Book>(`isbn/${isbn}`, {}, signal)).body);
  if (loading.kind === "failed") {
    const { error } = loading;
    if (error instanceof ColophonError && error.status === NOT_FOUND) return <UnknownBook isbn={isbn} />;
    return <Failure isPage error={error} retry={loading.retry} />;
  }
  if (loading.kind === "loading" || !translations) return <Busy />;
  return <BookArticle isbn={isbn} book={loading.value} translations={translations} />;
}

function BookArticle({ isbn, book, translations }: { isbn: Isbn13; book: Book; translations: Translations }) {
  const texts = useTexts(TEXTS);
  const chosen = useObservable(language);
  const country = useObservable(market);
  // A service without a history has no origin. The summary has the series and the main subject.
  const origin = useBody<OriginResponse>(`origin/${isbn}`);
  const [summary] = useBody<readonly Summary[]>(`isbns/${isbn}`, { view: "summary" }) ?? [];
  const { view, offer } = useMemo(() => {
    const context = { language: chosen, today: dayIn(0) };
    const view = bookViewOf(describeFields(book, translations, chosen), context);
    return { view, offer: bestOfferOf(book, view.offers, context, country) };
  }, [book, translations, chosen, country]);
  useTitle(view.title.title?.text ?? view.isbn);
  useScrollMemory(true);
  useEffect(unfoldOnPaper, []);
  return (
    <article class="book" data-isbn={view.isbn} data-language={chosen}>
      <p class="book-back">
        <a href={hrefOf("")}>{texts.back}</a>
      </p>
      <Hero view={view} offer={offer} coverUrl={cover(book)} origin={origin} series={summary?.collection} />
      <About view={view} />
      <Prices view={view} />
      <Details view={view} language={chosen} />
      <Timeline view={view} />
      <Contributors view={view} />
      <Subjects view={view} />
      <Related view={view} />
      <Prizes view={view} />
      <Citations view={view} />
      <Resources view={view} />
      <Rights view={view} />
      <Origin origin={origin} language={chosen} />
      <Source isbn={view.isbn} record={book} />
      <Everything view={view} language={chosen} />
      <Neighbours book={summary} />
    </article>
  );
}

/** Paper shows everything. Afterwards, what was folded is folded again. */
function unfoldOnPaper(): () => void {
  const folded: HTMLDetailsElement[] = [];
  const unfold = () => {
    folded.push(...document.querySelectorAll<HTMLDetailsElement>(".book-section > details:not([open])"));
    for (const details of folded) details.open = true;
  };
  const fold = () => {
    for (const details of folded.splice(0)) details.open = false;
  };
  addEventListener("beforeprint", unfold);
  addEventListener("afterprint", fold);
  return () => {
    removeEventListener("beforeprint", unfold);
    removeEventListener("afterprint", fold);
  };
}
