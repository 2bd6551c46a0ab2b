/** A text of the feed with its markup. A long one is folded until a person wants to read on. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { languageTag } from "../../shared/core/language-tag.ts";
import { useTexts } from "../../shared/core/texts.ts";
import type { Shown } from "../record/fields.ts";
import { TEXTS } from "../texts.ts";
import { sanitised } from "./sanitise.ts";

/** Texts that are not much longer than the fold are shown whole. */
const FOLDED_FROM_PX = 340;

export function Markup({ shown, language }: { shown: Shown; language?: string | undefined }) {
  const texts = useTexts(TEXTS);
  const body = useRef<HTMLDivElement>(null);
  const [isLong, setIsLong] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  useLayoutEffect(() => {
    // Elements instead of HTML text: nothing is parsed a second time.
    body.current!.replaceChildren(sanitised(shown.text));
    setIsOpen(false);
    setIsLong(body.current!.scrollHeight > FOLDED_FROM_PX);
  }, [shown.text]);
  const isFolded = isLong && !isOpen;
  return (
    <div class={`markup ${isFolded ? "markup-folded" : ""}`}>
      <div
        ref={body}
        class="markup-body"
        dir="auto"
        lang={languageTag(shown.language ?? language)}
        // Links under the fold can be reached by keyboard: the focus opens it.
        onFocusCapture={() => setIsOpen(true)}
      />
      {isLong && (
        <button type="button" class="link-button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? texts.showLess : texts.showMore}
        </button>
      )}
    </div>
  );
}
