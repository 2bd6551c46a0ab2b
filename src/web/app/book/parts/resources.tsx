/** Files and links about the book, and what others have written. Images are links, too: nothing is loaded. */
import { useTexts } from "../../shared/core/texts.ts";
import { TEXTS } from "../texts.ts";
import { Markup } from "../ui/markup.tsx";
import { Aside, ExternalLink, Facts, ForAudience, Section, Value } from "../ui/shown.tsx";
import type { BookView } from "../view/book-view.ts";

export function Resources({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  if (view.resources.length === 0) return null;
  return (
    <Section id="resources" title={texts.resources}>
      <ul class="resources">
        {view.resources.map(({ type, mode, audience, facts, versions }, index) => (
          <li key={index}>
            <h3>
              {type && <Value shown={type} />}
              <Aside shown={mode} />
            </h3>
            <p class="muted">
              <ForAudience audience={audience} />
            </p>
            <Facts facts={facts} />
            {versions.map((version, at) => (
              <div key={at} class="resource-version">
                {version.links.map((link) => (
                  <p key={link.url}>
                    <ExternalLink link={link} />
                  </p>
                ))}
                <Facts
                  facts={[
                    ...(version.form ? [{ name: texts.formats, values: [version.form] }] : []),
                    ...version.facts,
                  ]}
                />
              </div>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function Citations({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  if (view.citations.length === 0) return null;
  return (
    <Section id="citations" title={texts.citations}>
      <ul class="resources">
        {view.citations.map(({ type, source, facts, notes, links }, index) => (
          <li key={index}>
            <h3>
              {source && <Value shown={source} />}
              <Aside shown={type} />
            </h3>
            {notes.map((note, at) => (
              <Markup key={at} shown={note} />
            ))}
            <Facts facts={facts} />
            {links.map((link) => (
              <p key={link.url}>
                <ExternalLink link={link} />
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}
