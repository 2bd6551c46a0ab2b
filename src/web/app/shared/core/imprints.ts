/** The imprints of the catalog, loaded once. There can be thousands. */
import { useEffect } from "preact/hooks";
import { get } from "./api.ts";
import { Observable, useObservable } from "./observable.ts";

export interface Imprint {
  readonly slug: string;
  readonly name: string;
}

const names = new Observable<ReadonlyMap<string, string>>(new Map());
let isLoading = false;

/** Returns the name of an imprint by its slug. Until names are loaded, it is the slug with spaces. */
export function useImprintNames(): (slug: string) => string {
  const known = useObservable(names);
  useEffect(loadNames, []);
  return (slug) => known.get(slug) ?? slug.replaceAll("-", " ");
}

function loadNames(): void {
  if (isLoading || names.value.size > 0) return;
  isLoading = true;
  get<Imprint[]>("imprints")
    .then(({ body }) => names.set(new Map(body.map(({ slug, name }) => [slug, name]))))
    .catch(() => undefined)
    .finally(() => {
      isLoading = false;
    });
}
