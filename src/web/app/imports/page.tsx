/** What the last imports did: newest first, each with its complaints. */
import { useState } from "preact/hooks";
import { get, getUrl, nextPageOf } from "../shared/core/api.ts";
import { useLoading } from "../shared/core/loading.ts";
import { type PageProps, useTitle } from "../shared/core/page.ts";
import { hrefOf, navigate, useScrollMemory } from "../shared/core/router.ts";
import { useTexts } from "../shared/core/texts.ts";
import { Busy, Empty, Failure } from "../shared/ui/states.tsx";
import { DayChart } from "./day-chart.tsx";
import { sendersOf } from "./diary.ts";
import { ImportItem } from "./import-item.tsx";
import type { ImportEntry } from "./imports-data.ts";
import { IMPORTS } from "./texts.ts";

/** The most that the API returns at once: filters and chart show what was loaded. */
const PAGE_LENGTH = 100;
const OUTCOMES = ["changed", "unchanged", "failed"] as const;

export function ImportsPage({ query }: PageProps) {
  const texts = useTexts(IMPORTS);
  /** The entries of earlier pages, and the URL of the page that is loaded now. */
  const [before, setBefore] = useState<readonly ImportEntry[]>([]);
  const [url, setUrl] = useState<string>();
  const loading = useLoading(`imports ${url ?? ""}`, (signal) =>
    url === undefined
      ? get<readonly ImportEntry[]>("imports", { limit: PAGE_LENGTH }, signal)
      : getUrl<readonly ImportEntry[]>(url, signal),
  );
  useTitle(texts.title);
  useScrollMemory(loading.kind === "loaded");
  const entries = loading.kind === "loaded" ? [...before, ...loading.value.body] : before;
  const next = loading.kind === "loaded" ? nextPageOf(loading.value) : undefined;
  if (loading.kind === "loaded" && entries.length === 0) {
    return (
      <Empty title={texts.empty}>
        <p>{texts.emptyText}</p>
      </Empty>
    );
  }
  const [sender, outcome] = [query.get("sender"), query.get("outcome")];
  const shown = entries.filter(
    (entry) => (!sender || sendersOf(entry).includes(sender)) && (!outcome || entry.outcome === outcome),
  );
  const showOlder = () => {
    setBefore(entries);
    setUrl(next);
  };
  return (
    <>
      <h1>{texts.title}</h1>
      <p class="lead">{texts.lead}</p>
      <DayChart entries={entries} />
      <Filters entries={entries} query={query} />
      <ol class="imports" aria-label={texts.list}>
        {shown.map((entry, index) => (
          <li key={entry.number}>
            <ImportItem entry={entry} isOpenAtFirst={index === 0} />
          </li>
        ))}
      </ol>
      {loading.kind === "loaded" && shown.length === 0 && <p>{texts.noMatch}</p>}
      {loading.kind === "loading" && <Busy />}
      {loading.kind === "failed" && <Failure error={loading.error} retry={loading.retry} />}
      {next && (
        <button type="button" class="button button-quiet" onClick={showOlder}>
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

/** Filters by sender and outcome, which are in the URL. The senders are those of the loaded imports. */
function Filters({ entries, query }: FilterProps) {
  const texts = useTexts(IMPORTS);
  const senders = [...new Set([query.get("sender") ?? "", ...entries.flatMap(sendersOf)])]
    .filter(Boolean)
    .sort();
  const choose = (name: string) => (event: { readonly currentTarget: HTMLSelectElement }) => {
    const changed = new URLSearchParams(query);
    changed.set(name, event.currentTarget.value);
    navigate(hrefOf("imports", changed), { replace: true });
  };
  return (
    <div class="import-filters">
      <label>
        {texts.sender}{" "}
        <select class="field" value={query.get("sender") ?? ""} onChange={choose("sender")}>
          <option value="">{texts.allSenders}</option>
          {senders.map((sender) => (
            <option key={sender}>{sender}</option>
          ))}
        </select>
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
