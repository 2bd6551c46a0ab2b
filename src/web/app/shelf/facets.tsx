/** Filters with the number of books that each leaves. */
import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Facets } from "../../../client/generated/book.ts";
import { decodeEntities } from "../../../onix/summary/plain-text.ts";
import { get } from "../shared/core/api.ts";
import { useLoading } from "../shared/core/loading.ts";
import { useObservable } from "../shared/core/observable.ts";
import { hrefOf } from "../shared/core/router.ts";
import { language } from "../shared/core/settings.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { COMMON } from "../shared/ui/common-texts.ts";
import { useFilterWords } from "./filter-words.ts";
import type { Results } from "./results.ts";
import { apiQuery, type Selection, toggled, valuesOf } from "./selection.ts";
import { SubjectTree } from "./subject-tree.tsx";
import { SHELF } from "./texts.ts";

/** What books lack is a page of its own. */
type Facet = Exclude<keyof Facets["facets"], "lacks">;

/** In the order of the page. */
const IS_FACET: Readonly<Record<Facet, true>> = {
  language: true,
  form: true,
  price: true,
  audience: true,
  availability: true,
  imprint: true,
  year: true,
};
const FACETS = Object.keys(IS_FACET) as readonly Facet[];
type Value = { readonly value: string; readonly label?: string; readonly count: number };

const FEW_VALUES = 6;
/** More values are better searched: imprints have a page of their own. */
const MANY_VALUES = 60;

/** Counting takes longer than finding, so it begins when the books are there. Until then the counts before stay. */
export function FacetList({ selection, results }: { selection: Selection; results: Results | undefined }) {
  const texts = useTexts(SHELF);
  const common = useTexts(COMMON);
  const formats = useFormats();
  const labels = useObservable(language);
  const query = JSON.stringify({
    ...apiQuery(selection),
    q: results?.corrected ?? selection.q,
    prefix: results?.prefix,
    labels,
  });
  const wanted = useRef<string>(undefined);
  if (results) wanted.current = query;
  const key = wanted.current;
  const loading = useLoading(key ?? "", async (signal) =>
    key === undefined ? undefined : (await get<Facets>("facets", JSON.parse(key), signal)).body,
  );
  if (loading.kind === "failed") {
    return (
      <p class="facet-note">
        {texts.filtersFailed}{" "}
        <button type="button" class="link-button" onClick={loading.retry}>
          {common.retry}
        </button>
      </p>
    );
  }
  const loaded = loading.kind === "loaded" ? loading.value : loading.previous;
  if (!loaded) return <FacetSkeletons />;
  const { facets, total, counted } = loaded;
  return (
    <div class="facet-list" aria-busy={!results || loading.kind === "loading"}>
      {FACETS.map((facet) => (
        <Fragment key={facet}>
          <FacetGroup facet={facet} values={facets[facet].values} selection={selection} />
          {facet === "form" && <SubjectTree selection={selection} search={JSON.parse(key ?? "{}")} />}
        </Fragment>
      ))}
      {typeof total === "string" && <p class="facet-note">{texts.counted(formats.number(counted))}</p>}
    </div>
  );
}

/** Groups without text, in the place of the first ones. */
function FacetSkeletons() {
  return (
    <div aria-hidden="true">
      {[3, 4, 3].map((lines, index) => (
        <div key={index} class="facet">
          {Array.from({ length: lines }, (_, line) => (
            <span key={line} class="skeleton" />
          ))}
        </div>
      ))}
    </div>
  );
}

/** Years descend. Amounts ascend within their currency. Other values are in the order of their counts. */
function sortedValues(facet: Facet, values: readonly Value[]): readonly Value[] {
  if (facet === "year") return values.toSorted((a, b) => b.value.localeCompare(a.value));
  if (facet !== "price") return values;
  return [...Map.groupBy(values, ({ value }) => value.slice(0, 3)).values()].flatMap((bands) =>
    bands.toSorted((a, b) => Number(a.value.slice(4)) - Number(b.value.slice(4))),
  );
}

/** Returns the values of a group in the order of the page. Those that are chosen are always among the first. */
function shownValues(facet: Facet, values: readonly Value[], chosen: readonly string[], limit: number) {
  const sorted = sortedValues(facet, values);
  const first = sorted.slice(0, limit);
  const hidden = chosen.filter((each) => !first.some(({ value }) => value === each));
  const added = hidden.map((each) => values.find(({ value }) => value === each) ?? { value: each, count: 0 });
  return [...added, ...first.slice(0, Math.max(0, limit - added.length))];
}

function FacetGroup(props: { facet: Facet; values: readonly Value[]; selection: Selection }) {
  const { facet, values, selection } = props;
  const texts = useTexts(SHELF);
  const formats = useFormats();
  const otherWords = useFilterWords(false);
  const isOwn = facet === "price" || facet === "year";
  const words = ({ value, label }: Value) =>
    label === undefined || isOwn ? otherWords(facet, value) : decodeEntities(label);
  const [isLong, setIsLong] = useState(false);
  // A link may have the name of an imprint instead of its slug.
  const given = valuesOf(selection, facet);
  const codeOf = (text: string) =>
    values.find((each) => each.value === text || words(each) === text)?.value ?? text;
  const chosen = given.map(codeOf);
  useEffect(() => setIsLong(false), [chosen.join()]);
  if (values.length === 0 && chosen.length === 0) return null;
  const shown = shownValues(facet, values, chosen, isLong ? MANY_VALUES : FEW_VALUES);
  return (
    <section class="facet">
      <h3 id={`facet-${facet}`}>{texts.choices[facet]}</h3>
      <ul aria-labelledby={`facet-${facet}`} class={isLong ? "plain facet-long" : "plain"}>
        {shown.map((each) => {
          const { value, count } = each;
          const at = chosen.indexOf(value);
          const target = toggled(selection, facet, given[at] ?? value);
          return (
            <li key={value}>
              <a href={hrefOf("", target)} aria-current={at >= 0 ? "true" : undefined}>
                <span class="facet-label" dir="auto">
                  {words(each)}
                </span>
                <span class="facet-count">{formats.number(count)}</span>
              </a>
            </li>
          );
        })}
      </ul>
      {values.length > FEW_VALUES && (
        <button
          type="button"
          class="link-button facet-more"
          aria-expanded={isLong}
          aria-describedby={`facet-${facet}`}
          onClick={() => setIsLong(!isLong)}
        >
          {isLong ? texts.fewer : texts.more}
        </button>
      )}
    </section>
  );
}
