/** Where the book may be sold, how it may be used, and who owns its copyright. */
import { useTexts } from "../../shared/core/texts.ts";
import { TEXTS } from "../texts.ts";
import { Facts, Links, Section, Value, Values } from "../ui/shown.tsx";
import type { BookView } from "../view/book-view.ts";
import { Territory } from "./prices.tsx";

export function Rights({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  const { sales, restrictions, usage, licenses, copyright } = view.rights;
  if ([sales, restrictions, usage, licenses, copyright].every((list) => list.length === 0)) return null;
  return (
    <Section id="rights" title={texts.rights}>
      {sales.length > 0 && (
        <ul class="sales-rights">
          {sales.map(({ type, territory, facts }, index) => (
            <li key={index}>
              {type && <Value shown={type} />}
              <div class="muted">
                <Territory text={territory} />
              </div>
              <Facts facts={facts} />
            </li>
          ))}
        </ul>
      )}
      <Facts facts={[...restrictions, ...usage, ...copyright]} />
      {licenses.map(({ names, links }, index) => (
        <div key={index}>
          <p>
            <Values values={names} />
          </p>
          <Links links={links} />
        </div>
      ))}
    </Section>
  );
}
