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

/** The session has this key while the page is loaded again for chunks of a newer version. */
const RELOADED_KEY = "colophon.reloaded";

export function CurrentPage() {
  const texts = useTexts(COMMON);
  const here = useObservable(place);
  const token = useObservable(tokenState);
  const found = routeOf(here);
  const page = useComponent(found?.route.load);
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

type PageLoader = PageRoute["load"];

interface LoadedPage {
  readonly load?: PageLoader | undefined;
  readonly component?: PageComponent;
  readonly failure?: unknown;
}

/** Loads the chunk of a page. One that is gone belongs to an older version: the page is loaded again, once. */
function useComponent(load: PageLoader | undefined): LoadedPage {
  const [loaded, setLoaded] = useState(() => startOf(load));
  useEffect(() => {
    if (loaded.load === load) return;
    let isCurrent = true;
    const show = (component: PageComponent) => {
      sessionStorage.removeItem(RELOADED_KEY);
      if (isCurrent) setLoaded({ load, component });
    };
    Promise.resolve(load?.()).then(
      (component) => component && show(component),
      async (failure) => {
        const isGone = await isReachable();
        if (!isGone || sessionStorage.getItem(RELOADED_KEY)) {
          if (isCurrent) setLoaded({ load, failure });
          return;
        }
        sessionStorage.setItem(RELOADED_KEY, "yes");
        location.reload();
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [load]);
  return loaded.load === load ? loaded : {};
}

/** The shelf is a part of the first script: it needs no other. */
function startOf(load: PageLoader | undefined): LoadedPage {
  const component = load?.();
  return component === undefined || component instanceof Promise ? {} : { load, component };
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
