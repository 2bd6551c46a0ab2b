/** The texts of the page of imprints. */
import { bilingual } from "../shared/core/texts.ts";

export const IMPRINTS = bilingual(
  {
    title: "Imprints",
    filter: "Find an imprint",
    placeholder: "Part of the name…",
    count: (count: string, isOne: boolean) => (isOne ? `${count} imprint` : `${count} imprints`),
    none: "No imprint has this name",
    noneText: "Try fewer letters.",
    empty: "The catalog has no imprints yet",
    list: "Imprints",
  },
  {
    title: "Sellos",
    filter: "Buscar un sello",
    placeholder: "Parte del nombre…",
    count: (count, isOne) => (isOne ? `${count} sello` : `${count} sellos`),
    none: "Ningún sello tiene este nombre",
    noneText: "Pruebe con menos letras.",
    empty: "El catálogo aún no tiene sellos",
    list: "Sellos",
  },
);
