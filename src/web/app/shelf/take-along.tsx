/** A menu that takes a list along: as a file, as ISBNs or as a link. With marked books, only these. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useObservable } from "../shared/core/observable.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { COMMON } from "../shared/ui/common-texts.ts";
import { download, useCopy } from "../shared/ui/copying.ts";
import { toast } from "../shared/ui/toast.tsx";
import { chosenIsbns, isbnsOf, type ListFormat, listAsText, MAX_TAKEN } from "./chosen-books.ts";
import type { Results } from "./results.ts";
import type { Selection } from "./selection.ts";
import { SHELF } from "./texts.ts";

const TYPES = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;

export function TakeAlong({ selection, results }: { selection: Selection; results: Results | undefined }) {
  const texts = useTexts(SHELF);
  const [isOpen, setIsOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const chosen = useObservable(chosenIsbns);
  useEffect(() => (isOpen ? closeOutside(menu, () => setIsOpen(false), closeMenu) : undefined), [isOpen]);
  // The focus would be lost with the items.
  const closeMenu = () => {
    setIsOpen(false);
    menu.current?.querySelector("button")?.focus();
  };
  const isEmpty = !results?.books.length && chosen.length === 0;
  return (
    <div class="menu" ref={menu}>
      <button
        type="button"
        class="button button-quiet button-small"
        aria-expanded={isOpen}
        aria-controls="take-along"
        disabled={isEmpty}
        onClick={() => setIsOpen(!isOpen)}
      >
        {texts.takeAlong(chosen.length)}
      </button>
      {isOpen && !isEmpty && (
        <div class="panel menu-items" id="take-along">
          <Items selection={selection} results={results} chosen={chosen} onDone={closeMenu} />
        </div>
      )}
    </div>
  );
}

interface ItemsProps {
  readonly selection: Selection;
  readonly results: Results | undefined;
  readonly chosen: readonly string[];
  readonly onDone: () => void;
}

function Items({ selection, results, chosen, onDone }: ItemsProps) {
  const texts = useTexts(SHELF);
  const common = useTexts(COMMON);
  const formats = useFormats();
  const copy = useCopy();
  const books = chosen.length || results?.total || 0;
  const isCut = typeof books === "string" || books > MAX_TAKEN;
  const run = (action: () => Promise<void>) => () => {
    onDone();
    action().catch(() => toast(common.failedTitle));
  };
  const save = (format: ListFormat) =>
    run(async () =>
      download(
        await listAsText(format, chosen, selection, results?.prefix),
        `books.${format}`,
        TYPES[format],
      ),
    );
  return (
    <>
      <p class="muted">
        {isCut
          ? texts.takesFirst(formats.number(MAX_TAKEN))
          : chosen.length > 0
            ? texts.chosen(formats.number(chosen.length), chosen.length === 1)
            : formats.books(books)}
      </p>
      <button type="button" onClick={save("csv")}>
        {texts.downloadAs("CSV")}
      </button>
      <button type="button" onClick={save("ndjson")}>
        {texts.downloadAs("NDJSON")}
      </button>
      <button
        type="button"
        onClick={run(async () => copy((await isbnsOf(chosen, selection, results?.prefix)).join("\n")))}
      >
        {texts.copyIsbns}
      </button>
      <button type="button" onClick={run(async () => copy(location.href))}>
        {texts.copyLink}
      </button>
      {chosen.length > 0 && (
        <button type="button" onClick={run(async () => chosenIsbns.set([]))}>
          {texts.unmark}
        </button>
      )}
    </>
  );
}

/** Closes a menu with Escape, and with a click or a focus elsewhere. */
function closeOutside(
  menu: { readonly current: HTMLElement | null },
  close: () => void,
  closeWithFocus: () => void,
): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") closeWithFocus();
  };
  const onElsewhere = ({ target }: Event) => {
    if (!menu.current?.contains(target as Node)) close();
  };
  const controller = new AbortController();
  const { signal } = controller;
  document.addEventListener("keydown", onKey, { signal });
  document.addEventListener("pointerdown", onElsewhere, { signal });
  document.addEventListener("focusin", onElsewhere, { signal });
  return () => controller.abort();
}
