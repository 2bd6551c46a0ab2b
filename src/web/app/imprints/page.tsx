/** All imprints. Each leads to its books. */
import { useMemo } from "preact/hooks";
import type { Facets } from "../../../client/generated/book.ts";
import { getImprints } from "../shared/core/imprints.ts";
import { useBody, useLoading } from "../shared/core/loading.ts";
import { useObservable } from "../shared/core/observable.ts";
import { type PageProps, useTitle } from "../shared/core/page.ts";
import { hrefOf, navigate, useScrollMemory } from "../shared/core/router.ts";
import { LANGUAGE_TAGS, language } from "../shared/core/settings.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { Busy, Empty, Failure } from "../shared/ui/states.tsx";
import { type ListShape, WindowedList } from "../shared/ui/windowed-list.tsx";
import { byName, matchingImprints } from "./matching.ts";
import { IMPRINTS } from "./texts.ts";

const SHAPE: ListShape = { rowRem: 3.75, columnRem: 22 };

export function ImprintsPage({ query }: PageProps) {
  const texts = useTexts(IMPRINTS);
  const formats = useFormats();
  const filter = query.get("q") ?? "";
  const loading = useLoading("imprints", getImprints);
  useTitle(texts.title);
  useScrollMemory(loading.kind === "loaded");
  const tag = LANGUAGE_TAGS[useObservable(language)];
  const all = loading.kind === "loaded" ? loading.value : [];
  const sorted = useMemo(() => byName(all, tag), [all, tag]);
  const shown = useMemo(() => matchingImprints(sorted, filter), [sorted, filter]);
  const counts = useBookCounts();
  if (loading.kind === "failed") return <Failure isPage error={loading.error} retry={loading.retry} />;
  return (
    <>
      <h1>{texts.title}</h1>
      <div class="toolbar imprints-toolbar">
        <label class="imprints-filter">
          <span class="visually-hidden">{texts.filter}</span>
          <input
            type="search"
            class="field"
            dir="auto"
            placeholder={texts.placeholder}
            value={filter}
            onInput={({ currentTarget }) =>
              navigate(hrefOf("imprints", { q: currentTarget.value }), { replace: true })
            }
          />
        </label>
        <p class="toolbar-count" role="status">
          {loading.kind === "loaded" && texts.count(formats.number(shown.length), shown.length === 1)}
        </p>
      </div>
      {loading.kind === "loading" && <Busy />}
      {loading.kind === "loaded" && all.length === 0 && <Empty title={texts.empty} />}
      {all.length > 0 && shown.length === 0 && <Empty title={texts.none} text={texts.noneText} />}
      <WindowedList
        items={shown}
        shape={SHAPE}
        label={texts.list}
        keyOf={({ slug }) => slug}
        render={({ slug, name }) => {
          const count = counts.get(slug);
          return (
            <a class="imprint" href={hrefOf("", { imprint: slug })}>
              <span class="imprint-name" dir="auto">
                {name}
              </span>
              {count !== undefined && <span class="imprint-count">{formats.books(count)}</span>}
            </a>
          );
        }}
      />
    </>
  );
}

/** The facets have the counts of the largest imprints. In a large catalog they count the newest books only. */
function useBookCounts(): ReadonlyMap<string, number> {
  const body = useBody<Facets>("facets");
  return useMemo(() => {
    if (typeof body?.total !== "number") return new Map();
    return new Map(body.facets.imprint.values.map(({ value, count }) => [value, count]));
  }, [body]);
}
