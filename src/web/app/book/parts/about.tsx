/** Texts about the book. The description is open; other texts can be opened. */
import { useTexts } from "../../shared/core/texts.ts";
import { TEXTS } from "../texts.ts";
import { Markup } from "../ui/markup.tsx";
import { ExternalLink, Facts, ForAudience, Section, Values } from "../ui/shown.tsx";
import type { BookView } from "../view/book-view.ts";
import type { TextView } from "../view/texts.ts";

export function About({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  const [first, ...others] = view.texts;
  if (!first) return null;
  return (
    <Section id="about" title={texts.about} isOpen={true}>
      <TextBody text={first} language={view.textLanguage} />
      {others.map((text, index) => (
        <details class="fold" key={index}>
          <summary>
            <Summary text={text} />
          </summary>
          <TextBody text={text} language={view.textLanguage} />
        </details>
      ))}
    </Section>
  );
}

function Summary({ text }: { text: TextView }) {
  const [author] = text.facts.flatMap(({ values }) => values);
  return (
    <>
      <Values values={text.type ? [text.type] : []} />
      {author && (
        <span class="muted" dir="auto">
          {" "}
          · {author.text}
        </span>
      )}
    </>
  );
}

function TextBody({ text, language }: { text: TextView; language: string | undefined }) {
  return (
    <div class="text">
      <p class="text-type muted">
        <Values values={text.type ? [text.type] : []} />
        <ForAudience audience={text.audience} />
      </p>
      {text.texts.map((shown, index) => (
        <Markup key={index} shown={shown} language={language} />
      ))}
      <Facts facts={text.facts} />
      {text.links.map((link) => (
        <p key={link.url}>
          <ExternalLink link={link} />
        </p>
      ))}
    </div>
  );
}
