/** The search field. Results follow each letter, after a short pause. */
import { useEffect, useRef, useState } from "preact/hooks";
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

export function SearchField({ selection }: { selection: Selection }) {
  const texts = useTexts(SHELF);
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(selection.q ?? "");
  /** The text that has suggestions: what was typed since they were last closed. */
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(-1);
  const suggestions = useSuggestions(typed);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The query of the URL, as far as this field knows it. */
  const known = useRef(selection.q ?? "");

  // The field owns its text. Only the back button or a link, which bring another query, may replace it.
  useEffect(
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
  useEffect(() => focusOnSlash(field), []);

  const search = (typed: string, delayMs: number) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const q = typed.trim();
      if (q === known.current) return;
      // One entry in the history for a search, not one for each letter.
      const replace = known.current !== "" && q !== "";
      known.current = q;
      navigate(hrefOf("", { ...selectionOf(place.value.query), q }), { replace });
    }, delayMs);
  };
  const close = () => {
    setTyped("");
    setActive(-1);
  };
  const choose = (suggestion: Suggestion) => {
    clearTimeout(timer.current);
    close();
    navigate(placeOf(suggestion));
  };
  const isOpen = suggestions.length > 0;
  const move = (step: number) => {
    const count = suggestions.length + 1;
    setActive(((active + 1 + step + count) % count) - 1);
  };
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const chosen = suggestions[active];
          if (chosen) return choose(chosen);
          close();
          search(text, 0);
          focusFirstResult();
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
            search(currentTarget.value, DEBOUNCE_MS);
            setTyped(currentTarget.value);
            setActive(-1);
          }}
          onBlur={close}
          onKeyDown={(event) => {
            if (isOpen && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
              event.preventDefault();
              move(event.key === "ArrowDown" ? 1 : -1);
            } else if (event.key === "ArrowDown" && focusFirstResult()) event.preventDefault();
            if (event.key === "Escape" && text !== "") {
              event.preventDefault();
              if (isOpen) close();
              else search("", 0);
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
              search("", 0);
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
