/** Pages by path, with the history of the browser. All state that can be shared is in the URL. */
import { useEffect, useRef } from "preact/hooks";
import { BASE } from "./base.ts";
import { isReachable } from "./connection.ts";
import { Observable } from "./observable.ts";

/** A place in the app: a path relative to the root of the service, and its query. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

export const place = new Observable<Place>(currentPlace());

/** Returns the URL of a place. Parameters that are undefined or empty are left out. */
export function hrefOf(
  path: string,
  query: Readonly<Record<string, string | readonly string[] | undefined>> | URLSearchParams = {},
) {
  const url = new URL(path || ".", BASE);
  const entries = query instanceof URLSearchParams ? [...query] : Object.entries(query);
  for (const [name, values] of entries)
    for (const value of [values ?? []].flat()) if (value) url.searchParams.append(name, value);
  return url.href;
}

/** Goes to a URL of the app. `replace` leaves no entry in the history, as for each letter of a query. */
export function navigate(href: string, { replace = false } = {}): void {
  if (href === location.href) return;
  const state = { entry: Math.random() };
  if (replace) history.replaceState(state, "", href);
  else {
    rememberScroll();
    history.pushState(state, "", href);
  }
  entry = state.entry;
  place.set(currentPlace());
}

/**
 * Where entries of the history were left with the buttons of the browser. When the page learns of that, the state of the
 * entry can no longer be written.
 */
const left = new Map<number | undefined, number>();
let entry: number | undefined = history.state?.entry;

function followHistory(): void {
  left.set(entry, Math.round(scrollY));
  entry = history.state?.entry;
  place.set(currentPlace());
}

/** Stores the position in the history entry that is left, so that the back button returns to it. */
function rememberScroll(): void {
  left.delete(entry);
  history.replaceState({ ...history.state, scrollY: Math.round(scrollY) }, "");
}

/** Returns where the page was scrolled when it was left; 0 for a page that is new. */
export function rememberedScroll(): number {
  return left.get(entry) ?? history.state?.scrollY ?? 0;
}

/**
 * Scrolls to where the page was left, once, as soon as it has its content. Does so again for another list, which otherwise
 * begins with its first rows.
 */
export function useScrollMemory(isReady: boolean, list = ""): void {
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (!isReady || last.current === list) return;
    const isOther = last.current !== undefined;
    last.current = list;
    const scrollY = rememberedScroll();
    const rows = document.querySelector("[data-results]");
    if (scrollY > 0) scrollTo(0, scrollY);
    else if (isOther && rows && rows.getBoundingClientRect().top < 0) rows.scrollIntoView();
  }, [isReady, list]);
}

/** Makes links of the app change the place, without loading a page. Modified clicks open tabs as ever. */
export function startRouter(isAppPath: (path: string) => boolean): void {
  history.scrollRestoration = "manual";
  addEventListener("popstate", followHistory);
  addEventListener("pagehide", rememberScroll);
  // A reload takes the state of the entry from before `pagehide`.
  addEventListener("beforeunload", rememberScroll);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.hasAttribute("download") || !link.href) return;
    const url = new URL(link.href);
    if (url.hash || !isBelowBase(url)) return;
    event.preventDefault();
    if (isAppPath(pathOf(url))) navigate(link.href);
    else leave(link.href);
  });
}

/** Goes to a page that is no part of the app. Without the service, the browser would show an error page instead. */
async function leave(href: string): Promise<void> {
  const here = place.value;
  // A person may have gone elsewhere while the service was asked.
  if ((await isReachable()) && place.value === here) location.assign(href);
}

function currentPlace(): Place {
  return { path: pathOf(location), query: new URLSearchParams(location.search) };
}

function pathOf({ pathname }: { readonly pathname: string }): string {
  return pathname.slice(BASE.pathname.length);
}

function isBelowBase(url: URL): boolean {
  return url.origin === BASE.origin && url.pathname.startsWith(BASE.pathname);
}
