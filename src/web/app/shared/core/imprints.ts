/** The imprints of the catalog, loaded once. There can be thousands. */
import { useEffect } from "preact/hooks";
import { decodeEntities } from "../../../../onix/summary/plain-text.ts";
import { get } from "./api.ts";
import { onReconnect } from "./connection.ts";
import { Observable, useObservable } from "./observable.ts";

export interface Imprint {
  readonly slug: string;
  readonly name: string;
}

const names = new Observable<ReadonlyMap<string, string> | undefined>(undefined);
let isLoading = false;

export async function getImprints(signal?: AbortSignal): Promise<readonly Imprint[]> {
  const { body } = await get<readonly Imprint[]>("imprints", {}, signal);
  return body.map(({ slug, name }) => ({ slug, name: decodeEntities(name) }));
}

/** Returns the name of an imprint by its slug. Until names are loaded, it is the slug with spaces. */
export function useImprintNames(isNeeded = true): (slug: string) => string {
  const known = useObservable(names);
  useEffect(() => {
    if (isNeeded) loadNames();
  }, [isNeeded]);
  return (slug) => known?.get(slug) ?? decodeEntities(slug.replaceAll("-", " "));
}

function loadNames(): void {
  if (isLoading || names.value?.size) return;
  isLoading = true;
  getImprints()
    .then((imprints) => names.set(new Map(imprints.map(({ slug, name }) => [slug, name]))))
    .catch(() => {
      names.set(new Map());
      onReconnect(loadNames);
    })
    .finally(() => {
      isLoading = false;
    });
}
