/** The cover of a book: its image when a person has agreed to load images, otherwise a drawn one. */
import { useState } from "preact/hooks";
import { useObservable } from "../core/observable.ts";
import { loadsCovers } from "../core/settings.ts";
import { type CoverDesign, coverDesign } from "./cover-design.ts";

export interface CoverBook {
  readonly isbn: string;
  readonly title: string | null;
  /** Names of authors, or other contributors. */
  readonly author: string;
  readonly imprint: string | null;
  /** An http or https URL. */
  readonly cover: string | null;
}

/** Is decoration: the title stands beside it. Its width is that of the parent. */
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
export function secureUrl(url: string): string {
  return URL.canParse(url) && /^https?:\/\//i.test(url) ? url.replace(/^http:/i, "https:") : "";
}

function DrawnCover({ book }: { book: CoverBook }) {
  const { isbn, title, author, imprint } = book;
  const design = coverDesign(isbn, imprint);
  const { paper, ink, accent } = design.palette;
  const length = (title ?? "").length;
  const size = length > 70 ? "tiny" : length > 38 ? "small" : length > 16 ? "medium" : "large";
  return (
    <span
      class={`cover cover-drawn cover-${design.ornament}`}
      style={{ backgroundColor: paper, color: ink, "--cover-accent": accent }}
      aria-hidden="true"
    >
      <OrnamentShape design={design} />
      <span class={`cover-title cover-title-${size}`} dir="auto">
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
          <rect width="100" height="10" />
          <rect y="140" width="100" height="10" />
          <rect y="13" width="100" height="1.500" opacity=".6" />
          <rect y="135.500" width="100" height="1.500" opacity=".6" />
        </g>
      )}
      {ornament === "sun" && (
        <circle cx={20 + variation * 60} cy="108" r={20 + variation * 10} fill={accent} opacity=".55" />
      )}
      {ornament === "stripes" && (
        <g fill={accent} opacity=".7">
          <rect x="0" width="5" height="150" />
          <rect x="7.500" width="1.200" height="150" />
        </g>
      )}
      {ornament === "lattice" && (
        <g stroke={accent} stroke-width=".7" opacity=".55">
          {Array.from({ length: 9 }, (_, at) => (
            <path key={at} d={`M${at * 25 - 60} 150 l60 -60 M${at * 25 - 40} 90 l60 60`} />
          ))}
        </g>
      )}
      {ornament === "hills" && (
        <g fill={accent}>
          <path
            d={`M0 ${118 + variation * 8} Q25 ${96 + variation * 14} 52 118 T100 112 V150 H0Z`}
            opacity=".45"
          />
          <path d={`M0 134 Q30 ${112 + variation * 12} 60 132 T100 128 V150 H0Z`} opacity=".6" />
        </g>
      )}
      {ornament === "arch" && (
        <path
          d="M12 150 V62 A38 38 0 0 1 88 62 V150"
          fill="none"
          stroke={accent}
          stroke-width="1.400"
          opacity=".8"
        />
      )}
      {ornament === "rule" && (
        <g stroke={ink} opacity=".5">
          <path d="M10 12 H90" stroke-width="2.400" />
          <path d="M10 16 H90" stroke-width=".6" />
          <path d="M10 138 H90" stroke-width=".6" />
        </g>
      )}
      <rect width="3" height="150" fill="#000" opacity=".12" />
      <rect x="3.600" width=".7" height="150" fill="#fff" opacity=".14" />
    </svg>
  );
}
