/** A bar chart that is a list: each bar has its words and its number, and leads to its books where a filter exists. */
import { useState } from "preact/hooks";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { QUALITY } from "./texts.ts";

interface Bar {
  readonly key: string;
  readonly label: string;
  readonly books: number;
  readonly href?: string;
}

const FEW_BARS = 10;

export function BarList({ bars, label }: { readonly bars: readonly Bar[]; readonly label: string }) {
  const texts = useTexts(QUALITY);
  const formats = useFormats();
  const [isLong, setLong] = useState(false);
  if (bars.length === 0) return <p class="muted">{texts.none}</p>;
  const most = Math.max(...bars.map(({ books }) => books));
  const shown = isLong ? bars : bars.slice(0, FEW_BARS);
  return (
    <>
      <ul class="bars" aria-label={label}>
        {shown.map((bar) => (
          <BarRow key={bar.key} bar={bar} most={most} />
        ))}
      </ul>
      {bars.length > FEW_BARS && (
        <button type="button" class="button button-quiet" onClick={() => setLong(!isLong)}>
          {isLong ? texts.fewer : texts.more(formats.number(bars.length - FEW_BARS))}
        </button>
      )}
    </>
  );
}

function BarRow({ bar: { label, books, href }, most }: { readonly bar: Bar; readonly most: number }) {
  const texts = useTexts(QUALITY);
  const formats = useFormats();
  const content = (
    <>
      <span class="bar-label" dir="auto">
        {label}
      </span>
      <span class="bar-number">
        {formats.number(books)}
        <span class="visually-hidden"> {texts.books}</span>
      </span>
      {/* The width is an attribute: the policy of the page forbids styles in attributes. */}
      <svg class="bar-drawn" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={Math.max(0.5, (books / most) * 100)} height="1" />
      </svg>
    </>
  );
  return <li>{href ? <a href={href}>{content}</a> : <div>{content}</div>}</li>;
}
