/** The title of the document, which browsers and screen readers announce. */
import { useEffect } from "preact/hooks";

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Colophon` : "Colophon";
  }, [title]);
}
