/** The header of the documentation and of the OpenAPI page, whose long texts are in English. */
import { render } from "preact";
import { useEffect } from "preact/hooks";
import type { Section } from "../navigation.ts";
import { useObservable } from "./shared/core/observable.ts";
import { LANGUAGE_TAGS, language } from "./shared/core/settings.ts";
import { useTexts } from "./shared/core/texts.ts";
import { COMMON } from "./shared/ui/common-texts.ts";
import { SiteHeader } from "./shared/ui/site-header.tsx";

function Header({ current }: { current: Section | undefined }) {
  const texts = useTexts(COMMON);
  const chosen = useObservable(language);
  useEffect(() => {
    const skip = document.querySelector<HTMLElement>(".skip-link");
    if (skip) Object.assign(skip, { textContent: texts.skip, lang: LANGUAGE_TAGS[chosen] });
  }, [chosen]);
  return (
    <>
      <SiteHeader current={current} />
      {chosen !== "eng" && (
        <p class="site-note" lang={LANGUAGE_TAGS[chosen]}>
          {texts.inEnglish}
        </p>
      )}
    </>
  );
}

const header = document.getElementById("site-header");
if (header) {
  const current = (header.dataset.section || undefined) as Section | undefined;
  header.replaceChildren();
  render(<Header current={current} />, header);
}
