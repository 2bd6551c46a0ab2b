/** Takes texts out of the page: into the clipboard, or into a file. */
import { useTexts } from "../core/texts.ts";
import { COMMON } from "./common-texts.ts";
import { toast } from "./toast.tsx";

/** Returns a function that copies a text, and tells whether that worked. */
export function useCopy(): (text: string) => void {
  const texts = useTexts(COMMON);
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

/** A link to the API would be without the token, so the text is saved from here. */
export function download(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
