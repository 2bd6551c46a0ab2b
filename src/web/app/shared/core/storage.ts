/** What this browser remembers. A browser that forbids storage remembers until the page is closed. */

/** The OpenAPI page reads and writes the token under the same key. */
export const STORAGE_KEYS = {
  token: "colophon.token",
  language: "colophon.language",
  theme: "colophon.theme",
  covers: "colophon.covers",
} as const;

type Key = (typeof STORAGE_KEYS)[keyof typeof STORAGE_KEYS];

export function readSetting(key: Key): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeSetting(key: Key, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The setting holds until the page is closed.
  }
}
