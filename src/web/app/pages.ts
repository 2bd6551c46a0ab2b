/** The pages of the app. A new page is one row here, and one in src/web/html-pages.ts, in the same order. */
import type { Section } from "../navigation.ts";
import type { PageComponent } from "./shared/core/page.ts";
import type { Place } from "./shared/core/router.ts";
import { ShelfPage } from "./shelf/page.tsx";

export interface PageRoute {
  /** Matches a path below the root. Its first group is the parameter. */
  readonly path: RegExp;
  readonly section: Section | undefined;
  /** Is a part of the first script. */
  readonly component?: PageComponent;
  /** Loads a chunk of its own. */
  readonly load?: () => Promise<PageComponent>;
}

export const PAGES: readonly PageRoute[] = [
  { path: /^$/, section: "shelf", component: ShelfPage },
  {
    path: /^imprints$/,
    section: "imprints",
    load: () => import("./imprints/page.tsx").then(({ ImprintsPage }) => ImprintsPage),
  },
  {
    path: /^quality$/,
    section: "quality",
    load: () => import("./quality/page.tsx").then(({ QualityPage }) => QualityPage),
  },
  {
    path: /^imports$/,
    section: "imports",
    load: () => import("./imports/page.tsx").then(({ ImportsPage }) => ImportsPage),
  },
  {
    path: /^book\/((?:[0-9A-Za-z-]|%20)+)$/,
    section: undefined,
    load: () => import("./book/page.tsx").then(({ BookPage }) => BookPage),
  },
];

export function routeOf({
  path,
}: Place): { readonly route: PageRoute; readonly parameter: string } | undefined {
  for (const route of PAGES) {
    const match = route.path.exec(path);
    if (match) return { route, parameter: match[1] ?? "" };
  }
  return undefined;
}
