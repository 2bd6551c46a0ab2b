/** A book in a list: as a row with its facts, or as a cover. */
import { priceFor } from "../../../client/offers.ts";
import { decodeEntities } from "../../../onix/summary/plain-text.ts";
import { authorsOf } from "../shared/core/authors.ts";
import { languageTag } from "../shared/core/language-tag.ts";
import { useObservable } from "../shared/core/observable.ts";
import { hrefOf } from "../shared/core/router.ts";
import { market } from "../shared/core/settings.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { COMMON } from "../shared/ui/common-texts.ts";
import { Cover } from "../shared/ui/cover.tsx";
import { Marked, reasonOf } from "../shared/ui/marked.tsx";
import { choose, chosenIsbns } from "./chosen-books.ts";
import type { CardBook, Hit } from "./results.ts";
import { SHELF } from "./texts.ts";

function coverBookOf(book: CardBook) {
  return { ...book, author: authorsOf(book), imprint: imprintOf(book) };
}

/** Other names have no entities in a summary. That of an imprint is as the catalog finds it. */
function imprintOf({ imprint }: CardBook): string | null {
  return imprint && decodeEntities(imprint);
}

/** The price is in one of the `currencies`, where the book has one. */
export function BookRow({ book, currencies }: { book: Hit; currencies: readonly string[] }) {
  const texts = useTexts(SHELF);
  const common = useTexts(COMMON);
  const formats = useFormats();
  const tag = languageTag(book.languages[0]);
  const authors = authorsOf(book);
  const { highlights } = book;
  const title = titleOf(book, common.untitled);
  const reason = reasonOf([title, book.subtitle ?? "", authors, imprintOf(book) ?? ""], highlights);
  // What stands in parentheses after the word explains it.
  const formOf = ({ form, formLabel }: Pick<Hit, "form" | "formLabel">) =>
    formLabel?.replace(/ \(.*\)$/, "") ?? form;
  const facts = [
    formOf(book),
    // The first of several names is enough: "Español / Castellano".
    book.languages
      .map((code, index) => book.languageLabels[index]?.replace(/ \/ .*$/, "") ?? code)
      .join(", "),
    book.published && formats.day(book.published),
    imprintOf(book),
  ].filter((fact): fact is string => typeof fact === "string" && fact !== "");
  const country = useObservable(market);
  const wish = country ? { market: country } : {};
  const price = [...currencies.map((currency) => ({ ...wish, currency })), wish]
    .map((each) => priceFor(book.prices, each))
    .find((each) => each !== undefined);
  const isMarked = useObservable(chosenIsbns).includes(book.isbn);
  return (
    <article class="book-row">
      <span class="book-row-cover">
        <Cover book={coverBookOf(book)} />
      </span>
      <div>
        <h3>
          <a href={hrefOf(`book/${book.isbn}`)} dir="auto" lang={tag}>
            <Marked text={title} highlights={highlights} />
          </a>
        </h3>
        {(reason || book.subtitle) && (
          <p class="book-row-subtitle muted" dir="auto" lang={tag}>
            <Marked text={reason?.text ?? book.subtitle!} highlights={reason ? [reason] : highlights} />
          </p>
        )}
        {authors && (
          <p class="book-row-authors" dir="auto">
            <Marked text={authors} highlights={highlights} />
          </p>
        )}
        <p class="book-row-facts">
          {facts.map((fact, index) => (
            <span key={index} dir="auto">
              <Marked text={fact} highlights={highlights?.filter(({ field }) => field === "imprint")} />
            </span>
          ))}
          {book.pages !== null && (
            <span class="book-row-pages" dir="auto">
              {texts.pages(formats.number(book.pages))}
            </span>
          )}
        </p>
        {book.editions && book.editions.length > 0 && (
          <p class="book-row-editions">
            {book.forms && book.forms.length > 0 && `${texts.alsoAs} `}
            {[...Map.groupBy(book.forms ?? [], (edition) => formOf(edition) ?? edition.isbn)].map(
              ([form, [first, ...others]], index) => (
                <span key={form}>
                  {index > 0 && ", "}
                  <a href={hrefOf(`book/${first!.isbn}`)}>{form}</a>
                  {others.length > 0 && ` (${formats.number(others.length + 1)})`}
                </span>
              ),
            )}
          </p>
        )}
      </div>
      <div class="book-row-trade">
        {price && <span class="book-row-price">{formats.price(price.amount!, price.currency)}</span>}
        {book.availability && (
          <span class="book-row-availability">{book.availabilityLabel ?? book.availability}</span>
        )}
        <label class="book-row-mark">
          <code class="book-row-isbn">{book.isbn}</code>
          <input
            type="checkbox"
            aria-label={`${texts.mark} ${titleOf(book, book.isbn)}`}
            checked={isMarked}
            onChange={({ currentTarget }) => choose(book.isbn, currentTarget.checked)}
          />
        </label>
      </div>
    </article>
  );
}

/** Volumes of a work have the same title. */
function titleOf({ title, partNumber, partTitle }: CardBook, untitled: string): string {
  const parts = [title ?? untitled, partNumber, partTitle].filter((part) => part !== null);
  return title?.endsWith(`, ${partNumber}`) ? title : parts.join(", ");
}

export function BookCard({ book }: { book: CardBook }) {
  const common = useTexts(COMMON);
  const tag = languageTag(book.languages[0]);
  return (
    <a class="book-card" href={hrefOf(`book/${book.isbn}`)}>
      <Cover book={coverBookOf(book)} />
      <span class="book-card-title" dir="auto" lang={tag}>
        {titleOf(book, common.untitled)}
      </span>
      <span class="book-card-author" dir="auto">
        {authorsOf(book)}
      </span>
    </a>
  );
}
