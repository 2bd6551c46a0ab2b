/** The head of the page: cover, title, who wrote it, and what a bookseller wants to know first. */

import { languageTag } from "../../shared/core/language-tag.ts";
import { useObservable } from "../../shared/core/observable.ts";
import { hrefOf } from "../../shared/core/router.ts";
import { loadsCovers, setLoadsCovers } from "../../shared/core/settings.ts";
import { useTexts } from "../../shared/core/texts.ts";
import { COMMON } from "../../shared/ui/common-texts.ts";
import { Cover } from "../../shared/ui/cover.tsx";
import { TEXTS } from "../texts.ts";
import { useCopy } from "../ui/copying.ts";
import { Value, Values } from "../ui/shown.tsx";
import type { BestOffer } from "../view/best-offer.ts";
import type { BookView } from "../view/book-view.ts";
import type { ContributorView } from "../view/contributors.ts";

interface HeroProps {
  readonly view: BookView;
  readonly offer: BestOffer;
  readonly coverUrl: string | undefined;
}

export function Hero({ view, offer, coverUrl }: HeroProps) {
  const texts = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const isAllowed = useObservable(loadsCovers);
  const { title, contributors, publishing } = view;
  const language = languageTag(title.title?.language ?? view.textLanguage);
  const names = contributors.contributors.flatMap(({ name }) => name?.text ?? []);
  return (
    <header class="book-hero">
      <div class="book-cover">
        <Cover
          book={{
            isbn: view.isbn,
            title: title.title?.text ?? null,
            author: names.slice(0, 3).join(", "),
            imprint: publishing.imprints[0]?.text ?? null,
            cover: coverUrl ?? null,
          }}
        />
        {coverUrl !== undefined && !isAllowed && (
          <button
            type="button"
            class="link-button book-cover-consent"
            title={common.coversNote}
            onClick={() => setLoadsCovers(true)}
          >
            {common.covers}
          </button>
        )}
      </div>
      <div class="book-head">
        <CollectionLine view={view} />
        <h1 class="book-title" dir="auto" lang={language}>
          {title.title?.text ?? texts.untitled}
        </h1>
        {title.subtitle && (
          <p
            class="book-subtitle"
            dir="auto"
            lang={languageTag(title.subtitle.language ?? view.textLanguage)}
          >
            {title.subtitle.text}
          </p>
        )}
        <Byline view={view} />
        <Essentials view={view} />
        <Offer offer={offer} />
        <IsbnLine isbn={view.isbn} />
      </div>
    </header>
  );
}

function CollectionLine({ view }: { view: BookView }) {
  const all = [...view.title.collections, ...view.collections.flatMap(({ titles }) => titles)];
  // Many feeds name a collection twice: in the title, and by itself.
  const titles = all.filter(({ text }, index) => all.findIndex((other) => other.text === text) === index);
  if (titles.length === 0) return null;
  return (
    <p class="book-collection">
      <Values values={titles.slice(0, 2)} />
    </p>
  );
}

/** The most names that the head shows of one role. The section of contributors has all. */
const MAX_NAMES = 4;

function Byline({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  const { contributors, isWithout } = view.contributors;
  const byRole = new Map<string, ContributorView[]>();
  for (const contributor of contributors.filter(({ name }) => name)) {
    const role = contributor.roles[0]?.text ?? "";
    byRole.set(role, [...(byRole.get(role) ?? []), contributor]);
  }
  if (byRole.size === 0) return isWithout ? <p class="muted">{texts.noContributor}</p> : null;
  return (
    <ul class="book-byline">
      {[...byRole].slice(0, MAX_NAMES).map(([role, named], index) => (
        <li key={role} class={index === 0 ? "book-byline-first" : undefined}>
          <span class="book-names">
            {named.slice(0, MAX_NAMES).map(({ name }, at) => (
              <>
                {at > 0 && ", "}
                <a
                  href={hrefOf("", { contributor: name!.text })}
                  dir="auto"
                  lang={languageTag(name!.language)}
                >
                  {name!.text}
                </a>
              </>
            ))}
            {named.length > MAX_NAMES && ` + ${named.length - MAX_NAMES}`}
          </span>{" "}
          <span class="book-role">{role}</span>
        </li>
      ))}
    </ul>
  );
}

/** Form, extent, language, imprint and date, in one line. */
function Essentials({ view }: { view: BookView }) {
  const { product, publishing, timeline } = view;
  const date = timeline.find(({ isMain }) => isMain);
  const imprint = publishing.imprints[0] ?? publishing.publishers[0]?.values[0];
  return (
    <ul class="book-essentials">
      {product.form && (
        <li>
          <Value shown={product.form} />
        </li>
      )}
      {product.mainExtent && (
        <li>
          <Value shown={product.mainExtent} />
        </li>
      )}
      {product.languages[0] && (
        <li>
          <Value shown={product.languages[0].values[0]!} />
        </li>
      )}
      {imprint && (
        <li>
          <a href={hrefOf("", { imprint: imprint.raw ?? imprint.text })} dir="auto">
            {imprint.text}
          </a>
        </li>
      )}
      {date?.shown && (
        <li>
          <time dateTime={date.machine}>{date.shown.text}</time>
        </li>
      )}
      {publishing.status && (
        <li>
          <span class="book-chip">
            <Value shown={publishing.status} />
          </span>
        </li>
      )}
    </ul>
  );
}

function Offer({ offer }: { offer: BestOffer }) {
  if (!offer.amount && !offer.availability) return null;
  return (
    <p class="book-offer">
      {offer.amount && (
        <span class="book-price">
          <Value shown={offer.amount} />
        </span>
      )}
      {offer.type && (
        <span class="muted">
          <Value shown={offer.type} />
        </span>
      )}
      {offer.availability && (
        <span class={`availability ${offer.isAvailable ? "availability-yes" : ""}`}>
          <Value shown={offer.availability} />
        </span>
      )}
    </p>
  );
}

function IsbnLine({ isbn }: { isbn: string }) {
  const texts = useTexts(TEXTS);
  const copy = useCopy();
  return (
    <p class="book-isbn">
      <span class="muted">ISBN</span> <span class="digits">{isbn}</span>{" "}
      <button type="button" class="link-button" onClick={() => copy(isbn)}>
        {texts.copyIsbn}
      </button>
    </p>
  );
}
