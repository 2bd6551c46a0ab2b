/** Suggestions below the search field: books, people, imprints and series. */
import { useEffect, useState } from "preact/hooks";
import type { Suggestions } from "../../../client/generated/book.ts";
import { get } from "../shared/core/api.ts";
import { hrefOf } from "../shared/core/router.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { SHELF } from "./texts.ts";

export type Suggestion = Suggestions["suggestions"][number];

const DEBOUNCE_MS = 120;
const MIN_LETTERS = 2;

export const LIST_ID = "suggestions";

export function optionId(index: number): string {
  return `${LIST_ID}-${index}`;
}

/** Returns what may complete a text. An empty text has nothing, at once; while others load, those before stay. */
export function useSuggestions(typed: string): readonly Suggestion[] {
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  const q = typed.trim();
  useEffect(() => {
    if (q.length < MIN_LETTERS) return setFound([]);
    const controller = new AbortController();
    const timer = setTimeout(() => {
      get<Suggestions>("suggest", { q }, controller.signal)
        .then(({ body }) => body.suggestions)
        // Without suggestions the search goes on.
        .catch(() => [])
        .then((suggestions) => {
          if (!controller.signal.aborted) setFound(suggestions);
        });
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [q]);
  return q.length < MIN_LETTERS ? [] : found;
}

/** Returns the place in the app that the path of the API stands for. */
export function placeOf({ isbn, slug, path }: Suggestion): string {
  if (isbn !== undefined) return hrefOf(`book/${isbn}`);
  if (slug !== undefined) return hrefOf("", { imprint: slug });
  return hrefOf("", new URLSearchParams(path.slice(path.indexOf("?"))));
}

interface ListProps {
  readonly suggestions: readonly Suggestion[];
  /** The index of the one that the arrow keys have reached, or -1. */
  readonly active: number;
  readonly onChoose: (suggestion: Suggestion) => void;
}

export function SuggestionList({ suggestions, active, onChoose }: ListProps) {
  const texts = useTexts(SHELF);
  const formats = useFormats();
  return (
    <div
      class="panel suggestions"
      id={LIST_ID}
      role="listbox"
      aria-label={texts.suggestions}
      // The focus stays in the field.
      onMouseDown={(event) => event.preventDefault()}
    >
      {suggestions.map((each, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: The field has the focus, and names the active option.
        // biome-ignore lint/a11y/useKeyWithClickEvents: The field has the keys.
        <div
          key={`${each.kind} ${each.path}`}
          id={optionId(index)}
          role="option"
          aria-selected={index === active}
          onClick={() => onChoose(each)}
        >
          <span dir="auto">{each.label}</span>
          <small>
            {texts.kinds[each.kind]}
            {each.books !== undefined && ` · ${formats.books(each.books)}`}
          </small>
        </div>
      ))}
    </div>
  );
}
