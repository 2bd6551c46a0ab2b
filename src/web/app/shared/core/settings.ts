/**
 * The settings of the person who reads: language, theme, market, and whether covers come from other hosts. A browser that
 * forbids storage remembers them until the page is closed.
 */
import type { Language } from "../../../../client/labels.ts";
import { Observable } from "./observable.ts";

/** The OpenAPI page reads and writes the token under the same key. */
export const STORAGE_KEYS = {
  token: "colophon.token",
  language: "colophon.language",
  theme: "colophon.theme",
  covers: "colophon.covers",
  market: "colophon.market",
  marked: "colophon.marked",
} as const;

type Key = (typeof STORAGE_KEYS)[keyof typeof STORAGE_KEYS];
/** What belongs to a tab is in the storage of its session. */
type Storages = "localStorage" | "sessionStorage";

export function readSetting(key: Key, storage: Storages = "localStorage"): string | undefined {
  try {
    return globalThis[storage].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeSetting(key: Key, value: string | undefined, storage: Storages = "localStorage"): void {
  try {
    if (value === undefined) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, value);
  } catch {
    // The setting holds until the page is closed.
  }
}

export type { Language };

type Theme = "light" | "dark";

/** BCP 47 tags for `lang` attributes. */
export const LANGUAGE_TAGS: Readonly<Record<Language, string>> = { eng: "en", spa: "es" };

export const language = new Observable<Language>(initialLanguage());
export const theme = new Observable<Theme>(initialTheme());
/** True once the person has agreed to load images from other hosts. */
export const loadsCovers = new Observable<boolean>(readSetting(STORAGE_KEYS.covers) === "load");
/** True once the person has decided about covers, in either way. */
export const hasDecidedOnCovers = new Observable<boolean>(readSetting(STORAGE_KEYS.covers) !== undefined);

/** The country (list 91) whose prices are shown, or empty for any. */
export const market = new Observable<string>(readSetting(STORAGE_KEYS.market) ?? "");

export function setMarket(country: string): void {
  writeSetting(STORAGE_KEYS.market, country || undefined);
  market.set(country);
}

export function setLanguage(value: Language): void {
  writeSetting(STORAGE_KEYS.language, value);
  language.set(value);
}

export function setTheme(value: Theme): void {
  writeSetting(STORAGE_KEYS.theme, value);
  document.documentElement.dataset.theme = value;
  theme.set(value);
}

/** Loads the page again when the answer changes: `theme.ts` decides about images before anything else runs. */
export function setLoadsCovers(value: boolean): void {
  writeSetting(STORAGE_KEYS.covers, value ? "load" : "draw");
  hasDecidedOnCovers.set(true);
  if (value !== loadsCovers.value) location.reload();
}

function initialLanguage(): Language {
  const stored = readSetting(STORAGE_KEYS.language);
  if (stored === "eng" || stored === "spa") return stored;
  return navigator.languages.find((tag) => /^(en|es)\b/i.test(tag))?.startsWith("es") ? "spa" : "eng";
}

function initialTheme(): Theme {
  const stored = readSetting(STORAGE_KEYS.theme);
  if (stored === "light" || stored === "dark") return stored;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Calls `listener` when another page has changed a setting, also one that the back button leaves. */
export function onStored(listener: () => void): void {
  addEventListener("storage", listener);
  // A page that comes back as it was left has missed the events.
  window.addEventListener("pageshow", ({ persisted }) => persisted && listener());
}

// The setting for covers needs a page that is loaded again.
onStored(() => {
  language.set(initialLanguage());
  market.set(readSetting(STORAGE_KEYS.market) ?? "");
  theme.set(initialTheme());
  if (readSetting(STORAGE_KEYS.theme) !== undefined) document.documentElement.dataset.theme = theme.value;
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  if (readSetting(STORAGE_KEYS.theme) === undefined) theme.set(initialTheme());
});
