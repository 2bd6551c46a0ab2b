/** The head of the page: cover, title, who wrote it, and what a bookseller wants to know first. */
import { hyphenate } from "isbn3";
import type { Origin as OriginResponse } from "../../../../client/generated/book.ts";
import { authorsOf } from "../../shared/core/authors.ts";
import { languageTag } from "../../shared/core/language-tag.ts";
import { useObservable } from "../../shared/core/observable.ts";
import { hrefOf } from "../../shared/core/router.ts";
import { loadsCovers, setLoadsCovers } from "../../shared/core/settings.ts";
import { useFormats, useTexts } from "../../shared/core/texts.ts";
import { COMMON } from "../../shared/ui/common-texts.ts";
import { useCopy } from "../../shared/ui/copying.ts";
import { Cover } from "../../shared/ui/cover.tsx";
import { seriesHref } from "../neighbours.tsx";
import type { Shown } from "../record/fields.ts";
import { TEXTS } from "../texts.ts";
import { Value, Values } from "../ui/shown.tsx";
import type { BestOffer } from "../view/best-offer.ts";
import type { BookView } from "../view/book-view.ts";
import type { ContributorView } from "../view/contributors.ts";
import { Offer } from "./offer.tsx";
import { showOrigin } from "./origin.tsx";

interface HeroProps {
  readonly view: BookView;
  readonly offer: BestOffer;
  readonly coverUrl: string | undefined;
  readonly origin: OriginResponse | undefined;
  /** The title of the series, when it is known. */
  readonly series: string | null | undefined;
}

export function Hero({ view, offer, coverUrl, origin, series }: HeroProps) {
  const common = useTexts(COMMON);
  const isAllowed = useObservable(loadsCovers);
  const { title, contributors, publishing } = view;
  const language = languageTag(title.title?.language ?? view.textLanguage);
  const author = authorsOf({
    contributors: contributors.contributors.map(({ name, roles }) => ({
      name: name?.text ?? null,
      roles: roles.flatMap(({ raw }) => raw ?? []),
    })),
  });
  return (
    <header class="book-hero">
      <div class="book-cover">
        <Cover
          book={{
            isbn: view.isbn,
            title: title.title?.text ?? null,
            author,
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
        <CollectionLine view={view} series={series} />
        <h1 class="book-title" dir="auto" lang={language}>
          {title.title?.text ?? common.untitled}
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
        <ChangeLine origin={origin} />
      </div>
    </header>
  );
}

function CollectionLine({ view, series }: Pick<HeroProps, "view" | "series">) {
  const all = [...view.title.collections, ...view.collections.flatMap(({ titles }) => titles)];
  // Many feeds name a collection twice: in the title, and by itself.
  const titles = all.filter(({ text }, index) => all.findIndex((other) => other.text === text) === index);
  if (titles.length === 0) return null;
  const names = <Values values={titles.slice(0, 2)} />;
  return <p class="book-collection">{series ? <a href={seriesHref(series)}>{names}</a> : names}</p>;
}

/** The most names that the head shows of one role. The section of contributors has all. */
const MAX_NAMES = 4;

/** "by Fred Vargas, translated by …": each role with its names. */
function Byline({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  const { contributors, isWithout } = view.contributors;
  const byRole = Map.groupBy(
    contributors.filter(({ name }) => name),
    ({ roles }) => roles[0]?.raw ?? "",
  );
  if (byRole.size === 0) return isWithout ? <p class="muted">{texts.noContributor}</p> : null;
  return (
    <p class="book-byline">
      {[...byRole.values()].slice(0, MAX_NAMES).map((named, index) => {
        const role = named[0]!.roles[0];
        const before = role && roleBefore(role, texts.by);
        return (
          <span key={index}>
            {index > 0 && ", "}
            {before && <span class="muted">{before} </span>}
            <Names named={named} />
            {role && !before && <span class="muted"> ({role.text.toLowerCase()})</span>}
          </span>
        );
      })}
    </p>
  );
}

/** ONIX list 17: A01 is "By (author)" in English, and "Autor" in Spanish. */
const AUTHOR = "A01";

/** Returns the role as it stands before a name, or undefined when it can only stand behind it, as "narrator" does. */
function roleBefore({ raw, text }: Shown, by: string): string | undefined {
  const label = text.replace(/\s*\(.*\)$/, "");
  if (raw === AUTHOR || label === "By") return by;
  return /(?:\b(?:by|por|de)|^with|^con)$/i.test(label) ? label.toLowerCase() : undefined;
}

function Names({ named }: { named: readonly ContributorView[] }) {
  return (
    <>
      {named.slice(0, MAX_NAMES).map(({ name }, at) => (
        <>
          {at > 0 && ", "}
          <a href={hrefOf("", { contributor: name!.text })} dir="auto" lang={languageTag(name!.language)}>
            {name!.text}
          </a>
        </>
      ))}
      {named.length > MAX_NAMES && ` + ${named.length - MAX_NAMES}`}
    </>
  );
}

/** Form, extent, language, imprint and date, in one line. */
function Essentials({ view }: { view: BookView }) {
  const { product, publishing, timeline } = view;
  const date = timeline.find(({ isMain }) => isMain);
  const imprint = publishing.imprints[0] ?? publishing.publishers[0]?.values[0];
  return (
    <ul class="book-essentials">
      <Form view={view} />
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

/** ONIX list 150: E is digital, A is audio. A short word says it better than "Digital (delivered electronically)". */
function Form({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  const { form, formDetail } = view.product;
  if (!form) return null;
  const word = { E: texts.ebook, A: texts.audiobook }[form.raw?.slice(0, 1) ?? ""];
  return (
    <li>
      <Value shown={word === undefined ? form : { ...form, text: word }} />
      {word !== undefined && formDetail && (
        <>
          {" ("}
          <Value shown={formDetail} />)
        </>
      )}
    </li>
  );
}

function IsbnLine({ isbn }: { isbn: string }) {
  const texts = useTexts(TEXTS);
  const copy = useCopy();
  return (
    <p class="book-isbn">
      <span class="muted">ISBN</span>{" "}
      <data class="digits" value={isbn}>
        {hyphenate(isbn) ?? isbn}
      </data>{" "}
      <button type="button" class="link-button" onClick={() => copy(isbn)}>
        {texts.copyIsbn}
      </button>
    </p>
  );
}

/** The line keeps its place while the history loads. */
function ChangeLine({ origin }: { origin: OriginResponse | undefined }) {
  const texts = useTexts(TEXTS);
  const formats = useFormats();
  const moment = (origin?.changed ?? origin?.added)?.at;
  return (
    <p class="book-changed">
      {moment && (
        <button type="button" class="link-button" onClick={showOrigin}>
          {texts.changedOn(formats.dayOf(moment))}
        </button>
      )}
    </p>
  );
}
