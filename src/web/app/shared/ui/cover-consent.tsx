/** Asks once whether covers may come from other hosts. Until then, and without an answer, they are drawn. */
import { useObservable } from "../core/observable.ts";
import { hasDecidedOnCovers, setLoadsCovers } from "../core/settings.ts";
import { useTexts } from "../core/texts.ts";
import { COMMON } from "./common-texts.ts";

/** `isNeeded` is false while no book on the page has a cover on another host. */
export function CoverConsent({ isNeeded }: { isNeeded: boolean }) {
  const texts = useTexts(COMMON);
  if (useObservable(hasDecidedOnCovers) || !isNeeded) return null;
  return (
    <aside class="consent" aria-label={texts.covers}>
      <p>{texts.consentText}</p>
      <div class="consent-buttons">
        <button type="button" class="button button-small" onClick={() => setLoadsCovers(true)}>
          {texts.consentLoad}
        </button>
        <button type="button" class="button button-small button-quiet" onClick={() => setLoadsCovers(false)}>
          {texts.consentKeep}
        </button>
      </div>
    </aside>
  );
}
