/** What the last imports did: newest first, each with its complaints. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Import as ImportEntry } from "../../../client/generated/book.ts";
import { get, getUrl, nextPageOf } from "../shared/core/api.ts";
import { useLoading } from "../shared/core/loading.ts";
import { type PageProps, useTitle } from "../shared/core/page.ts";
import { hrefOf, navigate, useScrollMemory } from "../shared/core/router.ts";
import { useTexts } from "../shared/core/texts.ts";
import { Busy, Empty, Failure } from "../shared/ui/states.tsx";
import { DayChart } from "./day-chart.tsx";
import { sendersOf } from "./diary.ts";
import { ImportItem } from "./import-item.tsx";
import { IMPORTS } from "./texts.ts";

/** The most that the API returns at once. The chart shows what was loaded. */
const PAGE_LENGTH = 100;
const OUTCOMES = ["changed", "unchanged", "failed"] as const;

/** The imports that were loaded with a filter: those of earlier pages, and the URL of the page that is loaded now. */
interface Pages {
  readonly key: string;
  readonly before: readonly ImportEntry[];
  readonly url: string | undefined;
}
const NO_PAGES: Pages = { key: "", before: [], url: undefined };

export function ImportsPage({ query }: PageProps) {
  const texts = useTexts(IMPORTS);
  const filter = { sender: query.get("sender") || undefined, outcome: query.get("outcome") || undefined };
  const key = JSON.stringify(filter);
  const [pages, setPages] = useState<Pages>(NO_PAGES);
  const { before, url } = pages.key === key ? pages : NO_PAGES;
  const loading = useLoading(`${key} ${url ?? ""}`, (signal) =>
    url === undefined
      ? get<readonly ImportEntry[]>("imports", { ...filter, limit: PAGE_LENGTH }, signal)
      : getUrl<readonly ImportEntry[]>(url, signal),
  );
  useTitle(texts.title);
  useScrollMemory(loading.kind === "loaded");
  const entries = loading.kind === "loaded" ? [...before, ...loading.value.body] : before;
  const next = loading.kind === "loaded" ? nextPageOf(loading.value) : undefined;
  if (loading.kind === "loaded" && entries.length === 0 && key === "{}")
    return <Empty isPage title={texts.empty} text={texts.emptyText} />;
  return (
    <>
      <h1>{texts.title}</h1>
      <p class="lead">{texts.lead}</p>
      <DayChart entries={entries} />
      <Filters entries={entries} query={query} />
      <ol class="imports" aria-label={texts.list}>
        {entries.map((entry, index) => (
          <li key={entry.number}>
            <ImportItem entry={entry} isOpenAtFirst={index === 0} />
          </li>
        ))}
      </ol>
      {loading.kind === "loaded" && entries.length === 0 && <p>{texts.noMatch}</p>}
      {loading.kind === "loading" && <Busy />}
      {loading.kind === "failed" && <Failure error={loading.error} retry={loading.retry} />}
      {next && (
        <button
          type="button"
          class="button button-quiet"
          onClick={() => setPages({ key, before: entries, url: next })}
        >
          {texts.older}
        </button>
      )}
    </>
  );
}

interface FilterProps {
  readonly entries: readonly ImportEntry[];
  readonly query: URLSearchParams;
}

/** Filters by sender and outcome, which are in the URL. The senders of the loaded imports are suggested. */
function Filters({ entries, query }: FilterProps) {
  const texts = useTexts(IMPORTS);
  const known = useRef(new Set<string>());
  for (const each of entries.flatMap(sendersOf)) known.current.add(each);
  const sender = query.get("sender") ?? "";
  const field = useRef<HTMLInputElement>(null);
  // The field owns its text: a response that comes while somebody types must not change it.
  useLayoutEffect(() => {
    field.current!.value = sender;
  }, [sender]);
  const choose =
    (name: string) => (event: { readonly currentTarget: HTMLSelectElement | HTMLInputElement }) => {
      const changed = new URLSearchParams(query);
      changed.set(name, event.currentTarget.value);
      navigate(hrefOf("imports", changed), { replace: true });
    };
  return (
    <div class="import-filters">
      <label>
        {texts.sender}{" "}
        <input
          type="search"
          class="field"
          list="senders"
          placeholder={texts.allSenders}
          ref={field}
          onChange={choose("sender")}
        />
        <datalist id="senders">
          {[...known.current].sort().map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </label>
      <label>
        {texts.outcome}{" "}
        <select class="field" value={query.get("outcome") ?? ""} onChange={choose("outcome")}>
          <option value="">{texts.allOutcomes}</option>
          {OUTCOMES.map((outcome) => (
            <option key={outcome} value={outcome}>
              {texts.outcomes[outcome]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
