/** Texts of a hit with the words of the query marked, by the highlights of the API. */
import type { Highlight } from "../../../../client/shapes.ts";

type Range = readonly [start: number, end: number];

const CHARS_BEFORE = 16;

interface Props {
  readonly text: string;
  readonly highlights: readonly Highlight[] | undefined;
}

export function Marked({ text, highlights = [] }: Props) {
  const parts: preact.ComponentChild[] = [];
  let end = 0;
  for (const [from, to] of rangesIn(text, highlights)) {
    if (from < end) continue;
    parts.push(text.slice(end, from), <mark key={from}>{text.slice(from, to)}</mark>);
    end = to;
  }
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
}

/** A highlighted text can be a part of the shown one, as one of several names. */
function rangesIn(text: string, highlights: readonly Highlight[]): readonly Range[] {
  return highlights
    .flatMap((highlight) => {
      const at = text.indexOf(highlight.text);
      return at < 0 ? [] : highlight.ranges.map(([from, to]): Range => [at + from, at + to]);
    })
    .sort(([a], [b]) => a - b);
}

/** Returns the text with the most words of the query that the shown texts do not have, from shortly before the first. */
export function reasonOf(
  shown: readonly string[],
  highlights: readonly Highlight[] = [],
): Highlight | undefined {
  const isShown = ({ text }: Highlight) => shown.some((each) => each.includes(text));
  const known = new Set(highlights.filter(isShown).flatMap((each) => each.ranges.map(wordIn(each))));
  const reasons = highlights
    .map((each) => ({ ...each, ranges: each.ranges.filter((range) => !known.has(wordIn(each)(range))) }))
    .sort((a, b) => wordsOf(b).size - wordsOf(a).size);
  return reasons[0] && reasons[0].ranges.length > 0 ? fromFirstMatch(reasons[0]) : undefined;
}

const wordIn =
  ({ text }: Highlight) =>
  ([from, to]: readonly number[]) =>
    text.slice(from, to).toLowerCase();

function wordsOf(highlight: Highlight): ReadonlySet<string> {
  return new Set(highlight.ranges.map(wordIn(highlight)));
}

function fromFirstMatch(highlight: Highlight): Highlight {
  const { text, ranges } = highlight;
  const start = ranges[0]![0];
  const space = start <= CHARS_BEFORE ? -1 : text.indexOf(" ", start - CHARS_BEFORE);
  if (space < 0 || space >= start) return highlight;
  // An ellipsis replaces the text before the space.
  return {
    ...highlight,
    text: `…${text.slice(space + 1)}`,
    ranges: ranges.map(([from, to]) => [from - space, to - space]),
  };
}
