/** What every page gets. */
import type { ComponentType } from "preact";

export interface PageProps {
  /** The part of the path that a page has as a parameter, such as an ISBN; otherwise empty. */
  readonly parameter: string;
  readonly query: URLSearchParams;
}

export type PageComponent = ComponentType<PageProps>;
