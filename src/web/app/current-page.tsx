/** Shows the page of the current place, or asks for the token first. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type PageRoute, routeOf } from "./pages.ts";
import { isReachable, useReconnect } from "./shared/core/connection.ts";
import { useObservable } from "./shared/core/observable.ts";
import type { PageComponent } from "./shared/core/page.ts";
import { place, rememberedScroll } from "./shared/core/router.ts";
import { useTexts } from "./shared/core/texts.ts";
import { tokenState } from "./shared/core/token.ts";
import { COMMON } from "./shared/ui/common-texts.ts";
import { Busy, Empty, Failure } from "./shared/ui/states.tsx";
import { TokenForm } from "./shared/ui/token-form.tsx";

export function CurrentPage() {
  const texts = useTexts(COMMON);
  const here = useObservable(place);
  const token = useObservable(tokenState);
  const found = routeOf(here);
  const page = useComponent(found?.route);
  // Browsers remember that a module could not be loaded: the page itself is loaded again.
  useReconnect(page.failure !== undefined, () => location.reload());
  useFocusOnNewPage(here.path);
  useFocusThatWasLost(here.query.toString());
  if (!found) return <Empty isPage title={texts.notFoundTitle} text={texts.notFoundText} />;
  if (token.kind !== "usable") return <TokenForm state={token} />;
  if (page.failure !== undefined)
    return <Failure isPage error={page.failure} retry={() => location.reload()} />;
  if (!page.component) return <Busy />;
  return <page.component parameter={found.parameter} query={here.query} />;
}

interface LoadedPage {
  readonly component?: PageComponent | undefined;
  readonly failure?: unknown;
}

const components = new Map<PageRoute, PageComponent>();

/** Loads the chunk of a page. One that is gone belongs to an older version: the page is loaded again, once. */
function useComponent(route: PageRoute | undefined): LoadedPage {
  const [, rerender] = useState({});
  const [failed, setFailed] = useState<{ readonly route: PageRoute; readonly failure: unknown }>();
  const component = route && (route.component ?? components.get(route));
  useEffect(() => {
    if (!route?.load || component) return;
    let isCurrent = true;
    route.load().then(
      (loaded) => {
        components.set(route, loaded);
        rerender({});
      },
      async (failure) => {
        const isGone = await isReachable();
        if (!isCurrent) return;
        if (!isGone || history.state?.isReloaded) {
          setFailed({ route, failure });
          return;
        }
        // Some browsers forbid storage, but not the state of an entry in the history.
        history.replaceState({ ...history.state, isReloaded: true }, "");
        location.reload();
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [route]);
  return { component, failure: failed && failed.route === route ? failed.failure : undefined };
}

/** What had the focus can be gone or hidden after a filter is set or removed: the focus would be that of the document. */
function useFocusThatWasLost(query: string): void {
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    const active = document.activeElement;
    const isLost = active === null || active === document.body || !active.checkVisibility();
    if (!isFirst.current && isLost) document.getElementById("content")?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [query]);
}

/** A new page begins at its top, or where the back button left it, with the focus on it. */
function useFocusOnNewPage(path: string): void {
  const isFirst = useRef(true);
  // Before the paint: the focus that a person moves after it stays.
  useLayoutEffect(() => {
    if (!isFirst.current) document.getElementById("content")?.focus({ preventScroll: true });
  }, [path]);
  useEffect(() => {
    if (!isFirst.current) scrollTo(0, rememberedScroll());
    isFirst.current = false;
  }, [path]);
}
