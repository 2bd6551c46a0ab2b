/** Facts about the product: form, size, languages, edition, publisher, collection, audience, identifiers. */

import type { Language } from "../../../../client/labels.ts";
import { useTexts } from "../../shared/core/texts.ts";
import { nameInWords } from "../record/element-names.ts";
import { type Fact, factOf } from "../record/fields.ts";
import { TEXTS } from "../texts.ts";
import { Aside, Facts, Links, Section, Value } from "../ui/shown.tsx";
import type { BookView } from "../view/book-view.ts";

export function Details({ view, language }: { view: BookView; language: Language }) {
  const texts = useTexts(TEXTS);
  const { product, publishing, title } = view;
  const groups: readonly (readonly [title: string, facts: readonly Fact[]])[] = [
    [texts.details, [...product.formFacts, ...product.extents, ...product.measures, ...product.languages]],
    [
      texts.publisher,
      [
        ...factOf(nameInWords("Imprint", language), publishing.imprints),
        ...publishing.publishers,
        ...factOf(nameInWords("PublishingStatus", language), [publishing.status]),
        ...publishing.facts,
      ],
    ],
    [
      texts.edition,
      [
        ...product.edition,
        ...product.content,
        ...title.others.map(({ type, title }) => ({
          name: type?.text ?? nameInWords("TitleDetail", language),
          values: [title],
        })),
        ...factOf(nameInWords("TitleStatement", language), [title.statement]),
        ...factOf(nameInWords("NotificationType", language), [view.notification]),
      ],
    ],
    [texts.audience, view.audience],
  ];
  return (
    <Section id="details" title={texts.details}>
      {groups.map(
        ([name, facts], index) =>
          facts.length > 0 && (
            <div class="fact-group" key={name}>
              {index > 0 && <h3>{name}</h3>}
              <Facts facts={facts} />
              {index === 1 && <Links links={publishing.websites} />}
            </div>
          ),
      )}
      <Collections view={view} />
      <Identifiers view={view} />
    </Section>
  );
}

function Collections({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  if (view.collections.length === 0) return null;
  return (
    <div class="fact-group">
      <h3>{texts.collection}</h3>
      {view.collections.map(({ type, titles, facts, identifiers }, index) => (
        <div key={index}>
          {titles.map((title) => (
            <p key={title.text}>
              <Value shown={title} />
              <Aside shown={type} />
            </p>
          ))}
          <Facts
            facts={[
              ...(titles.length === 0 && type ? [{ name: texts.collection, values: [type] }] : []),
              ...facts,
              ...identifiers.map(({ type, value }) => ({ name: type, values: [value] })),
            ]}
          />
        </div>
      ))}
    </div>
  );
}

function Identifiers({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  if (view.identifiers.length === 0) return null;
  return (
    <div class="fact-group">
      <h3>{texts.identifiers}</h3>
      <Facts facts={view.identifiers.map(({ type, value }) => ({ name: type, values: [value] }))} />
    </div>
  );
}
