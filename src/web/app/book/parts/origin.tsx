/** Where the record came from, and what changed last. A service without this history shows nothing. */

import type { OriginImport, Origin as OriginResponse } from "../../../../client/generated/book.ts";
import type { Language } from "../../../../client/labels.ts";
import { useFormats, useTexts } from "../../shared/core/texts.ts";
import { nameInWords } from "../record/element-names.ts";
import { type Fact, factOf, type Shown } from "../record/fields.ts";
import { TEXTS } from "../texts.ts";
import { Facts, Section } from "../ui/shown.tsx";

/** Opens the section and goes to it. */
export function showOrigin(): void {
  const section = document.getElementById("origin");
  const details = section?.querySelector("details");
  if (details) details.open = true;
  section?.scrollIntoView();
  section?.querySelector("summary")?.focus({ preventScroll: true });
}

export function Origin({ origin, language }: { origin: OriginResponse | undefined; language: Language }) {
  const texts = useTexts(TEXTS);
  const formats = useFormats();
  if (!origin) return null;
  const { sender, reference, added, changed } = origin;
  // The names of senders are easier to read than the key that the catalog compares them by.
  const senderName = changed?.sender ?? added.sender ?? sender?.replace(/^name:/, "");
  const text = (value: string | null | undefined): Shown | undefined => (value ? { text: value } : undefined);
  const stepFacts = (step: OriginImport | null, name: string): readonly Fact[] =>
    factOf(name, [
      text(step?.at && formats.dayOf(step.at)),
      text(step?.feed),
      text(step?.sender === senderName ? undefined : step?.sender),
    ]);
  const blocks = changed?.blocks?.map((block) => ({ text: nameInWords(block, language), raw: block })) ?? [];
  const facts = [
    ...factOf(texts.sender, [text(senderName)]),
    ...factOf(texts.reference, [text(reference)]),
    ...stepFacts(added, texts.added),
    ...stepFacts(changed, texts.changed),
    ...factOf(texts.changedParts, blocks),
  ];
  if (facts.length === 0) return null;
  return (
    <Section id="origin" title={texts.origin}>
      <Facts facts={facts} />
    </Section>
  );
}
