/** The record as JSON and as ONIX, to look at, to copy and to download. It is loaded when a person asks for it. */

import { useState } from "preact/hooks";
import { getText } from "../../shared/core/api.ts";
import { useLoading } from "../../shared/core/loading.ts";
import { useTexts } from "../../shared/core/texts.ts";
import { download, useCopy } from "../../shared/ui/copying.ts";
import { Busy, Failure } from "../../shared/ui/states.tsx";
import { TEXTS } from "../texts.ts";

import { Section } from "../ui/shown.tsx";

const FORMATS = ["json", "onix", "onixShort"] as const;
type Format = (typeof FORMATS)[number];

/** What the browser shows of a long text. More would make the page slow. */
const MAX_SHOWN_CHARACTERS = 200_000;

export function Source({ isbn, record }: { isbn: string; record: object }) {
  const texts = useTexts(TEXTS);
  const [format, setFormat] = useState<Format | undefined>();
  return (
    <Section id="source" title={texts.source}>
      <fieldset class="source-formats">
        <legend class="visually-hidden">{texts.formats}</legend>
        {FORMATS.map((each) => (
          <button
            key={each}
            type="button"
            class="button button-quiet"
            aria-pressed={format === each}
            onClick={() => setFormat(format === each ? undefined : each)}
          >
            {texts[each]}
          </button>
        ))}
      </fieldset>
      {format && <SourceText key={format} isbn={isbn} record={record} format={format} />}
    </Section>
  );
}

function SourceText({ isbn, record, format }: { isbn: string; record: object; format: Format }) {
  const texts = useTexts(TEXTS);
  const copy = useCopy();
  const loading = useLoading(`${isbn} ${format}`, (signal) => sourceOf(isbn, record, format, signal));
  if (loading.kind === "failed") return <Failure error={loading.error} retry={loading.retry} />;
  if (loading.kind === "loading") return <Busy />;
  const text = loading.value;
  const type = format === "json" ? "json" : "xml";
  return (
    <div class="source">
      <div class="source-tools">
        <button type="button" class="link-button" onClick={() => copy(text)}>
          {texts.copy}
        </button>
        <button
          type="button"
          class="link-button"
          onClick={() => download(text, `${isbn}.${type}`, `application/${type}`)}
        >
          {texts.download}
        </button>
      </div>
      {text.length > MAX_SHOWN_CHARACTERS && <p class="muted">{texts.cut}</p>}
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: the text scrolls, so a keyboard must reach it. */}
      <section class="source-text" dir="ltr" tabIndex={0} aria-label={texts[format]}>
        <pre>{text.slice(0, MAX_SHOWN_CHARACTERS)}</pre>
      </section>
      {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: ends here. */}
    </div>
  );
}

async function sourceOf(isbn: string, record: object, format: Format, signal: AbortSignal): Promise<string> {
  if (format === "json") return JSON.stringify(record, null, 2);
  const query = { format: "xml", ...(format === "onixShort" && { shorttags: "true" }) };
  return (await getText(`isbn/${isbn}`, query, signal)).text;
}
