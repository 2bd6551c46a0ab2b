/** One import: when, what it did, and its complaints, which are loaded when it is opened. */
import { useState } from "preact/hooks";
import type { ComplaintGroup, ImportDetails, Import as ImportEntry } from "../../../client/generated/book.ts";
import { get } from "../shared/core/api.ts";
import { useLoading } from "../shared/core/loading.ts";
import { hrefOf } from "../shared/core/router.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { Busy, Failure } from "../shared/ui/states.tsx";
import { changesOf, reasonOf, sendersOf } from "./diary.ts";
import { IMPORTS } from "./texts.ts";

interface Props {
  readonly entry: ImportEntry;
  readonly isOpenAtFirst: boolean;
}

export function ImportItem({ entry, isOpenAtFirst }: Props) {
  const texts = useTexts(IMPORTS);
  const formats = useFormats();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { number, started, outcome, complaints, durationMs, message, feeds, feedCount } = entry;
  const changes = changesOf(entry).map(({ kind, books }) =>
    texts.changes[kind](formats.number(books), books === 1),
  );
  const files = feeds.slice(0, 1).map(({ name }) => name);
  return (
    <details class="card import" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>
          <time dateTime={started}>{formats.moment(started)}</time>
        </h2>
        <span class="import-source" dir="auto">
          {[...sendersOf(entry), ...files].join(" · ")}
          {feedCount > 1 && ` ${texts.moreFeeds(formats.number(feedCount - 1))}`}
        </span>
        <span class={`import-outcome import-${outcome}`}>{texts.outcomes[outcome]}</span>
        <span class="import-counts" dir="auto">
          {message ? reasonOf(entry) : changes.join(", ")}
        </span>
        {complaints.total > 0 && (
          <span class="muted">
            {texts.complaints(formats.number(complaints.total), complaints.total === 1)}
          </span>
        )}
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
        <Undo entry={entry} />
        <Feeds entry={entry} />
        {isOpen && (complaints.total > 0 ? <Complaints number={number} /> : <p>{texts.noComplaints}</p>)}
      </div>
    </details>
  );
}

/** Only an operator can undo an import, so the page has the command. */
function Undo({ entry: { number, undoable, undoes, undoneBy } }: { readonly entry: ImportEntry }) {
  const texts = useTexts(IMPORTS);
  if (undoneBy !== null) return <p>{texts.undoneBy(String(undoneBy))}</p>;
  if (undoes !== null) return <p>{texts.undoes(String(undoes))}</p>;
  if (!undoable) return null;
  return (
    <p>
      {texts.undo} <code>colophon history undo {number}</code>
    </p>
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

function Complaints({ number }: { readonly number: number }) {
  const loading = useLoading(
    `import ${number}`,
    async (signal) => (await get<ImportDetails>(`imports/${number}`, {}, signal)).body,
  );
  if (loading.kind === "failed") return <Failure error={loading.error} retry={loading.retry} />;
  if (loading.kind === "loading") return <Busy />;
  return (
    <ol class="complaints">
      {loading.value.complaintGroups.map((group, index) => (
        <li key={index}>
          <Group group={group} />
        </li>
      ))}
    </ol>
  );
}

function Group({ group }: { readonly group: ComplaintGroup }) {
  const texts = useTexts(IMPORTS);
  const formats = useFormats();
  const { severity, text, advice, count, examples } = group;
  return (
    <>
      <h3 class="complaint-text">
        <span class={`severity severity-${severity}`}>{texts.severities[severity]}</span>{" "}
        <span dir="auto">{text}</span>
      </h3>
      {/* Advice comes from the service, in English. */}
      {advice && (
        <p class="muted" lang="en">
          {advice}
        </p>
      )}
      {count > 1 && <p class="complaint-count">{texts.times(formats.number(count))}</p>}
      <ul class="complaint-books">
        {examples.map((example, index) => (
          <li key={index}>
            <Example example={example} />
          </li>
        ))}
      </ul>
      {count > examples.length && examples.length > 0 && (
        <p class="muted">{texts.unlisted(formats.number(count - examples.length))}</p>
      )}
    </>
  );
}

function Example({
  example: { isbn, reference, file, line },
}: {
  readonly example: ComplaintGroup["examples"][number];
}) {
  const texts = useTexts(IMPORTS);
  return (
    <>
      {isbn ? (
        <a href={hrefOf(`book/${isbn}`)}>{isbn}</a>
      ) : (
        <span dir="auto">{reference || texts.reference}</span>
      )}{" "}
      <span class="muted" dir="auto">
        {texts.line(file, String(line))}
      </span>
    </>
  );
}
