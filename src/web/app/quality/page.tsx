/** How complete the records of the catalog are, and how its books are distributed. For publishers. */
import { useState } from "preact/hooks";
import { get } from "../shared/core/api.ts";
import { useLabels } from "../shared/core/labels.ts";
import { useLoading } from "../shared/core/loading.ts";
import { type PageProps, useTitle } from "../shared/core/page.ts";
import { hrefOf, useScrollMemory } from "../shared/core/router.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { Busy, Empty, Failure } from "../shared/ui/states.tsx";
import { BarList } from "./bar-list.tsx";
import { HeatMap } from "./heat-map.tsx";
import { MonthChart } from "./month-chart.tsx";
import type { CountedValue } from "./months.ts";
import { bandsByCurrency, type PriceBand, type Quality } from "./quality-data.ts";
import { QUALITY } from "./texts.ts";

export function QualityPage(_: PageProps) {
  const texts = useTexts(QUALITY);
  const formats = useFormats();
  const loading = useLoading("quality", async (signal) => (await get<Quality>("quality", {}, signal)).body);
  useTitle(texts.title);
  useScrollMemory(loading.kind === "loaded");
  if (loading.kind === "failed") return <Failure error={loading.error} retry={loading.retry} />;
  if (loading.kind === "loading") return <Busy />;
  const quality = loading.value;
  if (quality.books === 0) {
    return (
      <Empty title={texts.empty}>
        <p>{texts.emptyText}</p>
      </Empty>
    );
  }
  return (
    <>
      <h1>{texts.title}</h1>
      <p class="lead">{texts.lead(formats.number(quality.books))}</p>
      <HeatMap quality={quality} />
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

/** Amounts of different currencies cannot be compared: one is shown at a time. No search finds books by price. */
function PriceChart({ prices }: { readonly prices: readonly PriceBand[] }) {
  const texts = useTexts(QUALITY);
  const formats = useFormats();
  const byCurrency = bandsByCurrency(prices);
  const [chosen, setChosen] = useState<string>();
  const currency = chosen !== undefined && byCurrency.has(chosen) ? chosen : [...byCurrency.keys()][0];
  const bars = (byCurrency.get(currency ?? "") ?? []).map(({ from, below, books }) => ({
    key: String(from),
    label: bandName(from, below),
    books,
  }));
  function bandName(from: number, below: number | null): string {
    const amount = (value: number) => formats.price(String(value), currency ?? null);
    if (below === null) return texts.andMore(amount(from));
    return from === 0 ? texts.below(amount(below)) : texts.band(amount(from), amount(below));
  }
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
