/** Everyone who has contributed, with roles and biographical notes, and the prizes of them and of the book. */
import { languageTag } from "../../shared/core/language-tag.ts";
import { hrefOf } from "../../shared/core/router.ts";
import { useTexts } from "../../shared/core/texts.ts";
import { TEXTS } from "../texts.ts";
import { Markup } from "../ui/markup.tsx";
import { Facts, Links, Section, Value, Values } from "../ui/shown.tsx";
import type { BookView } from "../view/book-view.ts";
import type { ContributorView, PrizeView } from "../view/contributors.ts";

export function Contributors({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  const { contributors, statements } = view.contributors;
  if (contributors.length === 0 && statements.length === 0) return null;
  return (
    <Section id="contributors" title={texts.contributors}>
      {statements.map((statement) => (
        <p key={statement.text} class="muted">
          <Value shown={statement} />
        </p>
      ))}
      <ul class="people">
        {contributors.map((contributor, index) => (
          <li key={index} class={contributor.hasDetails ? "person person-detailed" : "person"}>
            <Person contributor={contributor} language={view.textLanguage} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface PersonProps {
  readonly contributor: ContributorView;
  readonly language: string | undefined;
}

function Person({ contributor, language }: PersonProps) {
  const texts = useTexts(TEXTS);
  const { name, roles, fromLanguages, toLanguages, notes, facts, websites, prizes } = contributor;
  return (
    <>
      <h3 class="person-name">
        {name ? (
          <a href={hrefOf("", { contributor: name.text })} dir="auto" lang={languageTag(name.language)}>
            {name.text}
          </a>
        ) : (
          "—"
        )}
      </h3>
      <p class="person-roles muted">
        <Values values={roles} />
        {fromLanguages.length > 0 && (
          <>
            {` ${texts.translatedFrom} `}
            <Values values={fromLanguages} />
          </>
        )}
        {toLanguages.length > 0 && (
          <>
            {` ${texts.translatedTo} `}
            <Values values={toLanguages} />
          </>
        )}
      </p>
      {notes.map((note, index) => (
        <Markup key={index} shown={note} language={language} />
      ))}
      <Facts facts={facts} />
      <Links links={websites} />
      <PrizeList prizes={prizes} />
    </>
  );
}

export function Prizes({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  if (view.prizes.length === 0) return null;
  return (
    <Section id="prizes" title={texts.prizes}>
      <PrizeList prizes={view.prizes} />
    </Section>
  );
}

function PrizeList({ prizes }: { prizes: readonly PrizeView[] }) {
  if (prizes.length === 0) return null;
  return (
    <ul class="prizes">
      {prizes.map(({ name, result, year, place, facts }, index) => (
        <li key={index}>
          <strong>{name && <Value shown={name} />}</strong>
          {year && (
            <>
              {" "}
              <Value shown={year} />
            </>
          )}
          {result && (
            <span class="book-chip">
              <Value shown={result} />
            </span>
          )}{" "}
          <span class="muted">
            <Values values={place} />
          </span>
          <Facts facts={facts} />
        </li>
      ))}
    </ul>
  );
}
