/** Small parts that all sections use: values, facts, links and sections. */
import type { ComponentChildren } from "preact";
import { languageTag } from "../../shared/core/language-tag.ts";
import { useTexts } from "../../shared/core/texts.ts";
import type { Fact, Shown } from "../record/fields.ts";
import { TEXTS } from "../texts.ts";
import { hostOf, type LinkView } from "../view/links.ts";
import { withoutMarkup } from "./sanitise.ts";

/** A value, in its language and direction. The code or number behind it is in the `value` attribute. */
export function Value({ shown }: { shown: Shown }) {
  const texts = useTexts(TEXTS);
  if (shown.isUnknownCode) {
    return (
      <code class="unknown-code" title={texts.unknownCode}>
        {shown.text}
      </code>
    );
  }
  const attributes = { dir: "auto" as const, lang: languageTag(shown.language) };
  // A format says that the value may have markup (ONIX list 34).
  const text = shown.format === undefined ? shown.text : withoutMarkup(shown.text);
  if (shown.raw === undefined) return <span {...attributes}>{text}</span>;
  return (
    <data value={shown.raw} {...attributes}>
      {shown.text}
    </data>
  );
}

/** Values one after the other, with a separator that screen readers pause at. */
export function Values({ values }: { values: readonly Shown[] }) {
  return (
    <>
      {values.map((shown, index) => (
        <>
          {index > 0 && ", "}
          <Value shown={shown} />
        </>
      ))}
    </>
  );
}

/** A value that stands behind another one, and tells more about it. */
export function Aside({ shown }: { shown: Shown | undefined }) {
  if (!shown) return null;
  return (
    <small class="muted">
      {" "}
      <Value shown={shown} />
    </small>
  );
}

/** Facts with the same name are one fact with several values. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  const byName = new Map<string, Shown[]>();
  for (const { name, values } of facts) byName.set(name, [...(byName.get(name) ?? []), ...values]);
  if (byName.size === 0) return null;
  return (
    <dl class="facts">
      {[...byName].map(([name, values]) => (
        <div key={name}>
          <dt>{name}</dt>
          {values.map((shown) => (
            <dd key={shown.text}>
              <Value shown={shown} />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

/** A link to another site, or the text of what is no web address. */
export function ExternalLink({ link }: { link: LinkView }) {
  const texts = useTexts(TEXTS);
  const { href, url, description, role } = link;
  const words = [description, role].filter((each) => each !== undefined);
  if (href === undefined) {
    return (
      <span>
        <Values values={words} /> <code dir="ltr">{url}</code>
      </span>
    );
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" title={url}>
      {words.length > 0 ? <Values values={words} /> : <span dir="auto">{url}</span>}
      {words.length > 0 && <span class="muted"> {hostOf(href)}</span>}
      <span class="visually-hidden"> ({texts.opensOther})</span>
    </a>
  );
}

export function Links({ links }: { links: readonly LinkView[] }) {
  if (links.length === 0) return null;
  return (
    <ul class="links">
      {links.map((link) => (
        <li key={link.url}>
          <ExternalLink link={link} />
        </li>
      ))}
    </ul>
  );
}

/** The audience "unrestricted" (ONIX list 154) needs no words. */
const UNRESTRICTED = "00";

/** For whom a text or a file is meant, when it is not for everybody. */
export function ForAudience({ audience }: { audience: readonly Shown[] }) {
  const texts = useTexts(TEXTS);
  const restricted = audience.filter(({ raw }) => raw !== UNRESTRICTED);
  if (restricted.length === 0) return null;
  return (
    <span>
      {texts.restricted}: <Values values={restricted} />
    </span>
  );
}

interface SectionProps {
  readonly id: string;
  readonly title: string;
  /** Most sections are folded: a person opens what they need. */
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

export function Section({ id, title, isOpen = false, children }: SectionProps) {
  return (
    <section class="book-section" id={id} aria-labelledby={`${id}-title`}>
      <details open={isOpen}>
        <summary class="book-section-head">
          <h2 id={`${id}-title`}>{title}</h2>
        </summary>
        {children}
      </details>
    </section>
  );
}
