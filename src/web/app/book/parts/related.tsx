/** Related products and works. Those that the catalog has are links to their pages. */
import type { Summary } from "../../../../client/generated/book.ts";
import { useBody } from "../../shared/core/loading.ts";
import { hrefOf } from "../../shared/core/router.ts";
import { useTexts } from "../../shared/core/texts.ts";
import { Cover } from "../../shared/ui/cover.tsx";
import { TEXTS } from "../texts.ts";
import { Aside, Section, Values } from "../ui/shown.tsx";
import type { BookView } from "../view/book-view.ts";
import type { RelatedView } from "../view/related.ts";

/** The API takes 1,000 ISBNs; a URL of 100 passes every proxy. */
const MAX_ISBNS = 100;

export function Related({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  const all = [...view.relatedProducts, ...view.relatedWorks];
  const isbns = [...new Set(all.flatMap(({ isbn }) => isbn ?? []))].slice(0, MAX_ISBNS);
  const known = useSummaries(isbns);
  return (
    <>
      <RelatedList id="related" title={texts.related} related={view.relatedProducts} known={known} />
      <RelatedList id="works" title={texts.works} related={view.relatedWorks} known={known} />
    </>
  );
}

/** Returns the books that the catalog has, by ISBN. While it is asked, and when it fails, there are none. */
function useSummaries(isbns: readonly string[]): ReadonlyMap<string, Summary> {
  const path = isbns.length === 0 ? undefined : `isbns/${isbns.join(",")}`;
  const summaries = useBody<readonly Summary[]>(path, { missing: "skip", view: "summary" });
  return new Map(summaries?.map((summary) => [summary.isbn, summary]));
}

interface ListProps {
  readonly id: string;
  readonly title: string;
  readonly related: readonly RelatedView[];
  readonly known: ReadonlyMap<string, Summary>;
}

function RelatedList({ id, title, related, known }: ListProps) {
  if (related.length === 0) return null;
  return (
    <Section id={id} title={title}>
      <ul class="related">
        {related.map((each, index) => (
          <li key={index}>
            <RelatedItem related={each} summary={known.get(each.isbn ?? "")} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function RelatedItem({ related, summary }: { related: RelatedView; summary: Summary | undefined }) {
  const { titles, contributors, relations, identifiers, form } = related;
  return (
    <>
      {summary && (
        <span class="related-cover">
          <Cover
            book={{
              isbn: summary.isbn,
              title: summary.title,
              author: summary.contributors[0]?.name ?? "",
              imprint: summary.imprint,
              cover: summary.cover,
            }}
          />
        </span>
      )}
      <div>
        <p class="related-relation muted">
          <Values values={relations} />
        </p>
        <p class="related-title">
          {summary ? (
            <a href={hrefOf(`book/${summary.isbn}`)} dir="auto">
              {summary.title ?? summary.isbn}
            </a>
          ) : (
            <Values values={titles} />
          )}
          <Aside shown={form} />
        </p>
        {contributors.length > 0 && (
          <p>
            <Values values={contributors} />
          </p>
        )}
        <p class="related-identifiers muted">
          {identifiers.map(({ type, value }, index) => (
            <span key={index}>
              {type} <span class="digits">{value.text}</span>
            </span>
          ))}
        </p>
      </div>
    </>
  );
}
