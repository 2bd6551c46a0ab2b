/** The imprints of the catalog, loaded once. There can be thousands. */
import { decodeEntities } from "../../../../onix/summary/plain-text.ts";
import { get } from "./api.ts";
import { loadedOnce } from "./loading.ts";

export interface Imprint {
  readonly slug: string;
  readonly name: string;
}

/** Names by slug. Those of an empty catalog are loaded again. */
const NONE: ReadonlyMap<string, string> = new Map();
const useNames = loadedOnce(async () => {
  const imprints = await getImprints();
  return imprints.length === 0 ? NONE : new Map(imprints.map(({ slug, name }) => [slug, name]));
}, NONE);

export async function getImprints(signal?: AbortSignal): Promise<readonly Imprint[]> {
  const { body } = await get<readonly Imprint[]>("imprints", {}, signal);
  return body.map(({ slug, name }) => ({ slug, name: decodeEntities(name) }));
}

/** Returns the name of an imprint by its slug. Until names are loaded, it is the slug with spaces. */
export function useImprintNames(isNeeded: boolean): (slug: string) => string {
  const names = useNames(isNeeded);
  return (slug) => names?.get(slug) ?? decodeEntities(slug.replaceAll("-", " "));
}
