/** A button that copies a text, and says so. */
import { useState } from "preact/hooks";

/** How long the button says that it has copied. */
const SHOWN_MS = 2000;

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [outcome, setOutcome] = useState<string>();
  const copy = async () => {
    // A browser offers the clipboard to secure origins only.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setOutcome(isCopied ? "Copied" : "The browser does not allow it");
    setTimeout(() => setOutcome(undefined), SHOWN_MS);
  };
  return (
    <button type="button" class="button button-quiet" aria-live="polite" onClick={copy}>
      {outcome ?? label}
    </button>
  );
}
