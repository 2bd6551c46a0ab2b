/** Copies text to the clipboard, and tells whether that worked. */
import { useTexts } from "../../shared/core/texts.ts";
import { toast } from "../../shared/ui/toast.tsx";
import { TEXTS } from "../texts.ts";

export function useCopy(): (text: string) => void {
  const texts = useTexts(TEXTS);
  return (text) => {
    copy(text).then(
      () => toast(texts.copied),
      () => toast(texts.copyFailed),
    );
  };
}

/** Pages without TLS have no clipboard interface; there, the selection of a field is copied. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return await navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (!isCopied) throw new Error("The browser does not copy.");
}
