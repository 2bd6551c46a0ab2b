/** What the last imports did: newest first, each with its complaints. */
import { useState } from "preact/hooks";
import { get, getUrl, nextPageOf } from "../shared/core/api.ts";
import { useLoading } from "../shared/core/loading.ts";
import { type PageProps, useTitle } from "../shared/core/page.ts";
import { useScrollMemory } from "../shared/core/router.ts";
import { useTexts } from "../shared/core/texts.ts";
import { Busy, Empty, Failure } from "../shared/ui/states.tsx";
import { ImportItem } from "./import-item.tsx";
import type { ImportEntry } from "./imports-data.ts";
import { IMPORTS } from "./texts.ts";

const PAGE_LENGTH = 20;

export function ImportsPage(_: PageProps) {
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
  const showOlder = () => {
    setBefore(entries);
    setUrl(next);
  };
  return (
    <>
      <h1>{texts.title}</h1>
      <p class="lead">{texts.lead}</p>
      <ol class="imports" aria-label={texts.list}>
        {entries.map((entry, index) => (
          <li key={entry.number}>
            <ImportItem entry={entry} isOpenAtFirst={index === 0} />
          </li>
        ))}
      </ol>
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
