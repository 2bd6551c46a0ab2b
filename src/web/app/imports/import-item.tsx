/** One import: when, what it did, and its complaints, which are loaded when it is opened. */
import { useState } from "preact/hooks";
import { get } from "../shared/core/api.ts";
import { useLoading } from "../shared/core/loading.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { Busy, Failure } from "../shared/ui/states.tsx";
import { ComplaintGroups } from "./complaint-groups.tsx";
import { type ImportDetails, type ImportEntry, SHOWN_COUNTS } from "./imports-data.ts";
import { IMPORTS } from "./texts.ts";

interface Props {
  readonly entry: ImportEntry;
  readonly isOpenAtFirst: boolean;
}

export function ImportItem({ entry, isOpenAtFirst }: Props) {
  const texts = useTexts(IMPORTS);
  const formats = useFormats();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { number, started, outcome, counts, complaints, durationMs, message } = entry;
  const shown = SHOWN_COUNTS.filter((name) => (counts[name] ?? 0) > 0);
  return (
    <details class="import" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>
          <time dateTime={started}>{formats.moment(started)}</time>
        </h2>
        <span class={`import-outcome import-${outcome}`}>{texts.outcomes[outcome]}</span>
        <span class="import-counts">
          {shown.map((name) => `${formats.number(counts[name]!)} ${texts.counts[name]}`).join(" · ")}
        </span>
        <span class="muted">
          {texts.complaints(formats.number(complaints.total), complaints.total === 1)}
        </span>
      </summary>
      <div class="import-details">
        <p class="muted">
          {texts.number(String(number))} · {texts.took(formats.duration(durationMs / 1000))}
        </p>
        {message && (
          <p class="import-message" dir="auto">
            {message}
          </p>
        )}
        <Feeds entry={entry} />
        {isOpen && <Complaints number={number} total={complaints.total} />}
      </div>
    </details>
  );
}

function Feeds({ entry: { feeds, feedCount } }: { readonly entry: ImportEntry }) {
  const texts = useTexts(IMPORTS);
  const formats = useFormats();
  if (feeds.length === 0) return null;
  return (
    <ul class="import-feeds" aria-label={texts.feeds}>
      {feeds.map(({ name, sender }, index) => (
        <li key={index} dir="auto">
          <code>{name}</code> {sender && texts.from(sender)}
        </li>
      ))}
      {feedCount > feeds.length && <li>{texts.moreFeeds(formats.number(feedCount - feeds.length))}</li>}
    </ul>
  );
}

function Complaints({ number, total }: { readonly number: number; readonly total: number }) {
  const texts = useTexts(IMPORTS);
  const loading = useLoading(
    `import ${number}`,
    async (signal) => (await get<ImportDetails>(`imports/${number}`, {}, signal)).body,
  );
  if (total === 0) return <p>{texts.noComplaints}</p>;
  if (loading.kind === "failed") return <Failure error={loading.error} retry={loading.retry} />;
  if (loading.kind === "loading") return <Busy />;
  return <ComplaintGroups groups={loading.value.complaintGroups} />;
}
