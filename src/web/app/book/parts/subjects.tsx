/** Subjects by scheme, with links to other books on them; keywords; names that the book is about. */

import { languageTag } from "../../shared/core/language-tag.ts";
import { hrefOf } from "../../shared/core/router.ts";
import { THEMA, useSubjects } from "../../shared/core/subjects.ts";
import { useTexts } from "../../shared/core/texts.ts";
import type { Shown } from "../record/fields.ts";
import { TEXTS } from "../texts.ts";
import { Section, Value } from "../ui/shown.tsx";
import type { BookView } from "../view/book-view.ts";
import type { SubjectGroup, SubjectView } from "../view/subjects.ts";

export function Subjects({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  const { groups, keywords, names } = view.subjects;
  const codes = groups.filter(({ schemeCode }) => THEMA.test(schemeCode)).flatMap(({ subjects }) => subjects);
  const loaded = useSubjects(codes.map(({ code }) => code));
  const words = new Map(loaded.map(({ scheme, code, label }) => [`${scheme}:${code}`, label]));
  if (groups.length + names.length === 0 && !keywords) return null;
  return (
    <Section id="subjects" title={texts.subjects}>
      {groups.map((group, index) => (
        <div key={index}>
          <h3>
            {group.scheme}
            {group.version && <span class="muted"> {group.version}</span>}
          </h3>
          <ul class="subjects">
            {group.subjects.map((subject, at) => (
              <li key={at}>
                <Subject
                  subject={subject}
                  group={group}
                  label={words.get(`${group.schemeCode}:${subject.code}`)}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
      {names.length > 0 && (
        <ul class="subjects">
          {names.map((name) => (
            <li key={name.text}>
              <Value shown={name} />
            </li>
          ))}
        </ul>
      )}
      {keywords && (
        <div>
          <h3>{keywords.name}</h3>
          <Keywords values={keywords.values.slice(0, FEW_KEYWORDS)} />
          {keywords.values.length > FEW_KEYWORDS && (
            <details class="keywords-more">
              <summary>{texts.moreKeywords(keywords.values.length - FEW_KEYWORDS)}</summary>
              <Keywords values={keywords.values.slice(FEW_KEYWORDS)} />
            </details>
          )}
        </div>
      )}
    </Section>
  );
}

/** Some books have 250 keywords. */
const FEW_KEYWORDS = 12;

function Keywords({ values }: { values: readonly Shown[] }) {
  return (
    <ul class="book-chips">
      {values.map(({ text, language }, index) => (
        <li key={index}>
          <a
            class="book-chip"
            href={hrefOf("", { q: `"${text.replaceAll('"', "")}"` })}
            dir="auto"
            lang={languageTag(language)}
          >
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Codes that a search understands; others have no link. */
const SEARCHABLE = /^[\p{L}\p{N}.-]{1,30}$/u;

interface SubjectProps {
  readonly subject: SubjectView;
  readonly group: SubjectGroup;
  /** The words of Thema. The headings of the feed, which may be in any language, stand behind them. */
  readonly label: string | undefined;
}

function Subject({ subject, group, label }: SubjectProps) {
  const texts = useTexts(TEXTS);
  const { code, headings, isMain } = subject;
  const href =
    SEARCHABLE.test(code) && group.schemeCode !== ""
      ? hrefOf("", { subject: `${group.schemeCode}:${code}` })
      : undefined;
  const words = [
    label,
    ...headings
      .filter(({ text }) => text !== label)
      .map((heading) => <Value key={heading.text} shown={heading} />),
    code && (
      <span key="code" class="subject-code">
        {code}
      </span>
    ),
  ].filter(Boolean);
  // What a person reads first is the link: the code only where there are no words.
  const [first, ...others] = words;
  return (
    <>
      {href === undefined ? (
        first
      ) : (
        <a href={href} title={texts.searchSubject}>
          {first}
        </a>
      )}
      {others.map((other) => (
        <> {other}</>
      ))}
      {isMain && <span class="book-chip">{texts.mainSubject}</span>}
    </>
  );
}
