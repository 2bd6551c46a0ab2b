/** The subjects of Thema in the language of the page, where an operator has loaded them. */
import type { SubjectEntry } from "../../../../client/generated/book.ts";
import type { Query } from "../../../../client/transport.ts";
import { get } from "./api.ts";
import { useLoading } from "./loading.ts";
import { useObservable } from "./observable.ts";
import { language } from "./settings.ts";

export type Subject = SubjectEntry;

/** The schemes of Thema in ONIX list 27. */
export const THEMA = /^9[3-9]$/;
/** The most codes of a request. */
const MAX_CODES = 100;
const NONE: readonly Subject[] = [];

/** Returns the subjects of codes. None while they are loaded, and where nothing is known of them. */
export function useSubjects(codes: readonly string[]): readonly Subject[] {
  const usable = codes.filter((code) => /^[0-9A-Z][0-9A-Z-]{0,29}$/.test(code)).slice(0, MAX_CODES);
  return useList(usable.length === 0 ? undefined : { codes: usable.join() });
}

/** Returns the subjects directly below a code; below an empty one, those at the top. They have the books of a search. */
export function useNarrowerSubjects(code: string, search: Query): readonly Subject[] {
  return useList({ ...search, count: "1", below: code || undefined });
}

function useList(query: Query | undefined): readonly Subject[] {
  const labels = useObservable(language);
  const loading = useLoading(JSON.stringify([query ?? null, labels]), async (signal) =>
    query === undefined
      ? NONE
      : (await get<readonly Subject[]>("subjects", { ...query, labels }, signal)).body,
  );
  return loading.kind === "loaded" ? loading.value : (loading.kind === "loading" && loading.previous) || NONE;
}
