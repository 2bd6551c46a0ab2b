/** How complete the records of the catalog are, and how its books are distributed. For publishers. */
import { useState } from "preact/hooks";
import type { Quality } from "../../../client/generated/book.ts";
import { matchingImprints } from "../imprints/matching.ts";
import { get } from "../shared/core/api.ts";
import { useLabels } from "../shared/core/labels.ts";
import { useLoading } from "../shared/core/loading.ts";
import { type PageProps, useTitle } from "../shared/core/page.ts";
import { hrefOf, navigate, useScrollMemory } from "../shared/core/router.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { dayIn } from "../shared/format/dates.ts";
import { download } from "../shared/ui/copying.ts";
import { Busy, Empty, Failure } from "../shared/ui/states.tsx";
import { BarList } from "./bar-list.tsx";
import { MonthChart } from "./month-chart.tsx";
import type { CountedValue } from "./months.ts";
import { QUALITY } from "./texts.ts";
import { Trend } from "./trend.tsx";
import { WorkList } from "./work-list.tsx";
import { rowsAsCsv, sortedRows, sortingOf } from "./work-rows.ts";

export function QualityPage({ query }: PageProps) {
  const texts = useTexts(QUALITY);
  const formats = useFormats();
  const loading = useLoading("quality", async (signal) => (await get<Quality>("quality", {}, signal)).body);
  useTitle(texts.title);
  useScrollMemory(loading.kind === "loaded");
  if (loading.kind === "failed") return <Failure isPage error={loading.error} retry={loading.retry} />;
  if (loading.kind === "loading") return <Busy />;
  const quality = loading.value;
  if (quality.books === 0) return <Empty isPage title={texts.empty} text={texts.emptyText} />;
  return (
    <>
      <h1>{texts.title}</h1>
      <p class="lead">{texts.lead(formats.number(quality.books))}</p>
      <WorkSection whole={quality} query={query} />
      <Trend />
      <div class="quality-charts">
        <CodeChart
          title={texts.languages}
          category="languages"
          filter="language"
          values={quality.languages}
        />
        <CodeChart title={texts.forms} category="product_forms" filter="form" values={quality.forms} />
        <PriceChart prices={quality.prices} />
      </div>
      <section class="quality-section" aria-labelledby="months">
        <h2 id="months">{texts.months}</h2>
        <MonthChart values={quality.months} />
      </section>
      <p>
        <a href={hrefOf("imports")}>{texts.toImports}</a>
      </p>
    </>
  );
}

interface WorkProps {
  /** The counts of all books. */
  readonly whole: Quality;
  readonly query: URLSearchParams;
}

/** The work list with its filters, which are in the URL. */
function WorkSection({ whole, query }: WorkProps) {
  const texts = useTexts(QUALITY);
  const from = query.has("forthcoming") ? dayIn(1) : undefined;
  const loading = useLoading(`quality ${from}`, async (signal) =>
    from === undefined ? whole : (await get<Quality>("quality", { from }, signal)).body,
  );
  const change = (name: string, value: string) => {
    const changed = new URLSearchParams(query);
    changed.set(name, value);
    navigate(hrefOf("quality", changed), { replace: true });
  };
  const quality = loading.kind === "loaded" ? loading.value : whole;
  const sorting = sortingOf(query.get("sort"));
  const imprints = matchingImprints(quality.imprints, query.get("imprint") ?? "");
  return (
    <section class="quality-section" aria-labelledby="completeness">
      <h2 id="completeness">{texts.completeness}</h2>
      <p class="muted">{texts.completenessText}</p>
      <div class="work-filters no-print">
        <label>
          {texts.find}{" "}
          <input
            type="search"
            class="field"
            placeholder={texts.findHint}
            value={query.get("imprint") ?? ""}
            onInput={(event) => change("imprint", event.currentTarget.value)}
          />
        </label>
        <label>
          <input
            type="checkbox"
            checked={from !== undefined}
            onChange={(event) => change("forthcoming", event.currentTarget.checked ? "1" : "")}
          />{" "}
          {texts.forthcoming}
        </label>
        <button
          type="button"
          class="button button-quiet"
          disabled={loading.kind !== "loaded"}
          onClick={() => download(rowsAsCsv(sortedRows(imprints, sorting)), "quality.csv", "text/csv")}
        >
          {texts.csvOfList}
        </button>
      </div>
      {loading.kind === "failed" && <Failure error={loading.error} retry={loading.retry} />}
      {loading.kind === "loading" && <Busy />}
      {!quality.complete && <p>{texts.cut}</p>}
      {quality.books === 0 || imprints.length === 0 ? (
        <p class="work-none">{quality.books === 0 ? texts.noneForthcoming : texts.noMatch}</p>
      ) : (
        <WorkList
          quality={quality}
          imprints={imprints}
          sorting={sorting}
          onSort={(text) => change("sort", text)}
          filter={from === undefined ? {} : { from }}
        />
      )}
    </section>
  );
}

interface CodeChartProps {
  readonly title: string;
  /** Of the translations. */
  readonly category: string;
  readonly filter: string;
  readonly values: readonly CountedValue[];
}

function CodeChart({ title, category, filter, values }: CodeChartProps) {
  const label = useLabels();
  const bars = values.map(({ value, books }) => ({
    key: value,
    label: label(category, value),
    books,
    href: hrefOf("", { [filter]: value }),
  }));
  return (
    <section class="quality-section">
      <h2>{title}</h2>
      <BarList bars={bars} label={title} />
    </section>
  );
}

/** Amounts of different currencies cannot be compared: one is shown at a time. */
function PriceChart({ prices }: { readonly prices: readonly PriceBand[] }) {
  const texts = useTexts(QUALITY);
  const formats = useFormats();
  const byCurrency = bandsByCurrency(prices);
  const [chosen, setChosen] = useState<string>();
  const currency = chosen !== undefined && byCurrency.has(chosen) ? chosen : [...byCurrency.keys()][0];
  const bars = (byCurrency.get(currency ?? "") ?? []).map((band) => ({
    key: String(band.from),
    label: formats.priceBand(band),
    books: band.books,
    href: hrefOf("", { price: `${band.currency} ${band.from}` }),
  }));
  return (
    <section class="quality-section">
      <h2>{texts.prices}</h2>
      {byCurrency.size > 1 && (
        <label class="currency">
          {texts.currency}{" "}
          <select class="field" value={currency} onChange={(event) => setChosen(event.currentTarget.value)}>
            {[...byCurrency.keys()].map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      )}
      <BarList key={currency} bars={bars} label={texts.prices} />
    </section>
  );
}

type PriceBand = Quality["prices"][number];

/** Returns the bands of each currency, the one with the most books first. Bands are in ascending order. */
function bandsByCurrency(prices: readonly PriceBand[]): ReadonlyMap<string, readonly PriceBand[]> {
  const sum = (bands: readonly PriceBand[]) => bands.reduce((total, { books }) => total + books, 0);
  const groups = [...Map.groupBy(prices, ({ currency }) => currency)];
  return new Map(
    groups
      .sort(([, a], [, b]) => sum(b) - sum(a))
      .map(([currency, bands]) => [currency, bands.toSorted((a, b) => a.from - b.from)]),
  );
}
