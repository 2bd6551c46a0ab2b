/** Pages for an ISBN that the catalog does not have, and for what is no ISBN. Both offer a search. */
import { useRef } from "preact/hooks";
import type { Isbn13 } from "../../../../onix/isbn.ts";
import { useTitle } from "../../shared/core/page.ts";
import { hrefOf, navigate } from "../../shared/core/router.ts";
import { useTexts } from "../../shared/core/texts.ts";
import { expectedCheckDigit, type IsbnProblem } from "../format/isbn-problem.ts";
import { TEXTS, type Texts } from "../texts.ts";

export function UnknownBook({ isbn }: { isbn: Isbn13 }) {
  const texts = useTexts(TEXTS);
  const checkDigit = expectedCheckDigit(isbn);
  return (
    <Message title={texts.notFoundTitle} search={isbn}>
      <p>
        {texts.notFoundText} <span class="digits">{isbn}</span>.
      </p>
      {checkDigit !== undefined && (
        <p>
          {texts.wrongCheckDigit} <strong>{checkDigit}</strong>.
        </p>
      )}
    </Message>
  );
}

export function InvalidIsbn({ text, problem }: { text: string; problem: IsbnProblem }) {
  const texts = useTexts(TEXTS);
  return (
    <Message title={texts.invalidTitle} search={text}>
      <p>
        <code dir="auto">{text}</code>
      </p>
      <p>{reasonOf(problem, texts)}</p>
    </Message>
  );
}

function reasonOf(problem: IsbnProblem, texts: Texts): string {
  if (problem.kind === "length") return `${texts.invalidLength} ${problem.count}.`;
  if (problem.kind === "check") return `${texts.invalidCheck} ${problem.expected}.`;
  return `${texts.invalidCharacters} ${problem.characters}`;
}

interface MessageProps {
  readonly title: string;
  /** What the field of the search begins with. */
  readonly search: string;
  readonly children: preact.ComponentChildren;
}

function Message({ title, search, children }: MessageProps) {
  const texts = useTexts(TEXTS);
  const field = useRef<HTMLInputElement>(null);
  useTitle(title);
  return (
    <div class="state">
      <h1>{title}</h1>
      {children}
      <search>
        <form
          class="book-search"
          onSubmit={(event) => {
            event.preventDefault();
            navigate(hrefOf("", { q: field.current!.value.trim() }));
          }}
        >
          <label for="book-search">{texts.searchLabel}</label>
          <input
            key={search}
            id="book-search"
            ref={field}
            type="search"
            class="field"
            defaultValue={search}
          />
          <button type="submit" class="button">
            {texts.search}
          </button>
        </form>
      </search>
      <p>
        <a href={hrefOf("")}>{texts.back}</a>
      </p>
    </div>
  );
}
