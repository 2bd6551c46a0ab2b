/** What every page gets. */
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

export interface PageProps {
  /** The part of the path that a page has as a parameter, such as an ISBN; otherwise empty. */
  readonly parameter: string;
  readonly query: URLSearchParams;
}

export type PageComponent = ComponentType<PageProps>;

/** The title of the document, which browsers and screen readers announce. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Colophon` : "Colophon";
  }, [title]);
}
