/** The cover of a book: its image when a person has agreed to load images, otherwise a drawn one. */
import { useState } from "preact/hooks";
import { languageTag } from "../core/language-tag.ts";
import { useObservable } from "../core/observable.ts";
import { hasDecidedOnCovers, loadsCovers, setLoadsCovers } from "../core/settings.ts";
import { useTexts } from "../core/texts.ts";
import { COMMON } from "./common-texts.ts";
import { type CoverDesign, coverDesign, titleSize } from "./cover-design.ts";

interface CoverBook {
  readonly isbn: string;
  readonly title: string | null;
  /** Names of authors, or other contributors. */
  readonly author: string;
  readonly imprint: string | null;
  /** An http or https URL. */
  readonly cover: string | null;
  /** ONIX codes of the languages of the text. */
  readonly languages?: readonly string[];
}

/** Draws a cover as decoration, because the title is beside it. Its width is that of the parent. */
export function Cover({ book }: { book: CoverBook }) {
  const isAllowed = useObservable(loadsCovers);
  const [failedUrl, setFailedUrl] = useState("");
  const url = book.cover === null ? "" : secureUrl(book.cover);
  if (!isAllowed || !url || failedUrl === url) return <DrawnCover book={book} />;
  return (
    <span class="cover" aria-hidden="true">
      <img
        class="cover-image"
        src={url}
        alt=""
        loading="lazy"
        decoding="async"
        referrerpolicy="no-referrer"
        onError={() => setFailedUrl(url)}
      />
    </span>
  );
}

/** The policy of the page allows images over https alone. Most hosts serve both. */
function secureUrl(url: string): string {
  return URL.canParse(url) && /^https?:\/\//i.test(url) ? url.replace(/^http:/i, "https:") : "";
}

function DrawnCover({ book }: { book: CoverBook }) {
  const { isbn, title, author, imprint, languages } = book;
  const language = languageTag(languages?.[0]);
  const design = coverDesign(isbn);
  const { paper, ink } = design.palette;
  return (
    <span class="cover" style={{ backgroundColor: paper, color: ink }} aria-hidden="true">
      <OrnamentShape design={design} />
      <span class={`cover-title cover-title-${titleSize(title ?? isbn)}`} dir="auto" lang={language}>
        {title ?? isbn}
      </span>
      <span class="cover-author" dir="auto">
        {author}
      </span>
      <span class="cover-imprint" dir="auto">
        {imprint}
      </span>
    </span>
  );
}

/** Title and names stand above and below: no ornament is behind them. */
function OrnamentShape({ design: { ornament, palette, variation } }: { design: CoverDesign }) {
  const { accent, ink } = palette;
  return (
    <svg class="cover-ornament" viewBox="0 0 100 150" preserveAspectRatio="none" aria-hidden="true">
      {ornament === "frame" && (
        <g fill="none" stroke={accent}>
          <rect x="5" y="5" width="90" height="140" stroke-width="1.600" />
          <rect x="8" y="8" width="84" height="134" stroke-width=".6" />
        </g>
      )}
      {ornament === "bands" && (
        <g fill={accent}>
          <rect width="100" height="8" />
          <rect y="142" width="100" height="8" />
          <rect y="10" width="100" height="1.200" opacity=".6" />
          <rect y="139.600" width="100" height="1.200" opacity=".6" />
        </g>
      )}
      {ornament === "sun" && <circle cx={22 + variation * 56} cy="94" r={6 + variation * 3} fill={accent} />}
      {ornament === "stripes" && (
        <g fill={accent} opacity=".7">
          <rect x="0" width="5" height="150" />
          <rect x="7.500" width="1.200" height="150" />
        </g>
      )}
      {ornament === "lattice" && (
        <g stroke={accent} stroke-width=".8" opacity=".7">
          {Array.from({ length: 13 }, (_, at) => (
            <path key={at} d={`M${at * 8} 88 l8 12 M${at * 8 + 8} 88 l-8 12`} />
          ))}
        </g>
      )}
      {ornament === "hills" && (
        <path
          fill={accent}
          opacity=".8"
          d={`M0 102 V${94 + variation * 5} Q25 ${84 + variation * 6} 52 ${95 + variation * 3} T100 ${91 + variation * 5} V102Z`}
        />
      )}
      {ornament === "corner" && (
        <g fill="none" stroke={accent} stroke-width="1.600">
          <path d="M80 0 A20 20 0 0 0 100 20 M86 0 A14 14 0 0 0 100 14 M92 0 A8 8 0 0 0 100 8" />
          <path d="M8 150 V146 H92" stroke-width="1" />
        </g>
      )}
      {ornament === "rule" && (
        <g stroke={ink} opacity=".5">
          <path d="M10 12 H90" stroke-width="2.400" />
          <path d="M10 16 H90" stroke-width=".6" />
          <path d="M10 141 H90" stroke-width=".6" />
        </g>
      )}
      <rect width="3" height="150" fill="#000" opacity=".12" />
      <rect x="3.600" width=".7" height="150" fill="#fff" opacity=".14" />
    </svg>
  );
}

/**
 * Asks once whether covers may come from other hosts. Until then, and without an answer, they are drawn. `isNeeded` is
 * false while no book on the page has a cover on another host.
 */
export function CoverConsent({ isNeeded }: { isNeeded: boolean }) {
  const texts = useTexts(COMMON);
  if (useObservable(hasDecidedOnCovers) || !isNeeded) return null;
  return (
    <aside class="panel consent" aria-label={texts.covers}>
      <p>{texts.consentText}</p>
      <div class="consent-buttons">
        <button type="button" class="button button-small" onClick={() => setLoadsCovers(true)}>
          {texts.consentLoad}
        </button>
        <button type="button" class="button button-small button-quiet" onClick={() => setLoadsCovers(false)}>
          {texts.consentKeep}
        </button>
      </div>
    </aside>
  );
}
