/** The search field. Results follow each letter, after a short pause. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { hrefOf, navigate, place } from "../shared/core/router.ts";
import { useTexts } from "../shared/core/texts.ts";
import { type Selection, selectionOf } from "./selection.ts";
import {
  LIST_ID,
  optionId,
  placeOf,
  type Suggestion,
  SuggestionList,
  useSuggestions,
} from "./suggestions.tsx";
import { SHELF } from "./texts.ts";

const DEBOUNCE_MS = 160;

interface Props {
  readonly selection: Selection;
  /** True while the books of the query are not there yet. */
  readonly isLoading: boolean;
}

export function SearchField({ selection, isLoading }: Props) {
  const texts = useTexts(SHELF);
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(selection.q ?? "");
  /** The text that has suggestions: what was typed since they were last closed. */
  const [typed, setTyped] = useState("");
  const suggestions = useSuggestions(typed);
  /** The path of the suggestion that the arrow keys have reached. It stays when another list has it too. */
  const [reached, setReached] = useState<string>();
  const active = suggestions.findIndex(({ path }) => path === reached);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The query of the URL, as far as this field knows it. */
  const known = useRef(selection.q ?? "");

  // The field owns its text. Only the back button or a link, which bring another query, may replace it.
  // Before the first paint, because a person can press a key right after it.
  useLayoutEffect(
    () =>
      place.subscribe(() => {
        const q = selectionOf(place.value.query).q ?? "";
        if (q === known.current) return;
        known.current = q;
        clearTimeout(timer.current);
        setText(q);
        setTyped("");
      }),
    [],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  useLayoutEffect(() => focusOnSlash(field), []);
  /** True from the Enter key until the books are there. */
  const [isSubmitted, setSubmitted] = useState(false);
  useEffect(() => {
    if (!isSubmitted || isLoading) return;
    setSubmitted(false);
    focusFirstResult();
  }, [isSubmitted, isLoading]);

  const search = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    const q = typed.trim();
    if (q === known.current) return;
    // One entry in the history for a search, not one for each letter.
    const replace = known.current !== "" && q !== "";
    known.current = q;
    navigate(hrefOf("", { ...selectionOf(place.value.query), q }), { replace });
  };
  const close = () => {
    setTyped("");
    setReached(undefined);
  };
  const choose = (suggestion: Suggestion) => {
    clearTimeout(timer.current);
    close();
    // A suggestion replaces what was typed, also when no search has begun.
    setText("");
    known.current = "";
    navigate(placeOf(suggestion));
  };
  const isOpen = suggestions.length > 0;
  const move = (step: number) => {
    const count = suggestions.length + 1;
    setReached(suggestions[((active + 1 + step + count) % count) - 1]?.path);
  };
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const chosen = suggestions[active];
          if (chosen) return choose(chosen);
          close();
          search(text);
          setSubmitted(true);
        }}
      >
        <label class="visually-hidden" for="search">
          {texts.searchLabel}
        </label>
        <svg class="search-icon" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path d="M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13ZM15.500 15.500 21 21" />
        </svg>
        <input
          id="search"
          ref={field}
          class="field search-input"
          type="search"
          name="q"
          dir="auto"
          autocomplete="off"
          spellcheck={false}
          enterkeyhint="search"
          maxlength={500}
          placeholder={texts.placeholder}
          aria-describedby="search-help"
          value={text}
          aria-autocomplete="list"
          aria-controls={isOpen ? LIST_ID : undefined}
          aria-activedescendant={suggestions[active] ? optionId(active) : undefined}
          onInput={({ currentTarget }) => {
            const { value } = currentTarget;
            setText(value);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => search(value), DEBOUNCE_MS);
            setTyped(value);
            setReached(undefined);
            setSubmitted(false);
          }}
          onBlur={() => {
            close();
            setSubmitted(false);
          }}
          onKeyDown={(event) => {
            // The keys of an input method, and those that select text.
            if (event.isComposing || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
            if (isOpen && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
              event.preventDefault();
              move(event.key === "ArrowDown" ? 1 : -1);
            } else if (event.key === "ArrowDown" && focusFirstResult()) event.preventDefault();
            if (event.key === "Escape" && text !== "") {
              event.preventDefault();
              // Suggestions that are not there yet are not wanted either.
              close();
              if (!isOpen) search("");
            }
          }}
        />
        {isOpen && <SuggestionList suggestions={suggestions} active={active} onChoose={choose} />}
        {text !== "" && (
          <button
            type="button"
            class="search-clear"
            aria-label={texts.clear}
            title={texts.clear}
            onClick={() => {
              search("");
              field.current?.focus();
            }}
          >
            <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
              <path d="M6 6l12 12M18 6 6 18" />
            </svg>
          </button>
        )}
        <span class="visually-hidden" id="search-help">
          {texts.searchHelp}
        </span>
      </form>
    </search>
  );
}

function focusFirstResult(): boolean {
  const link = document.querySelector<HTMLElement>("[data-results] [data-index] a");
  link?.focus();
  return link !== null;
}

/** `/` goes to the search field, unless a person is writing somewhere. */
function focusOnSlash(field: { readonly current: HTMLInputElement | null }): () => void {
  const onKey = (event: KeyboardEvent) => {
    const isWriting = event.target instanceof Element && event.target.closest("input, textarea, select");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isWriting) return;
    event.preventDefault();
    field.current?.focus();
    field.current?.select();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
