/** Labels for the values of facets. */
import { bandOfKey } from "../../catalog/quality/price-bands.ts";
import type { FacetName } from "../../catalog/search/properties.ts";
import type { FacetValue } from "../../catalog/search/search.ts";
import type { LabelLanguage } from "../../catalog/subjects/subject-labels.ts";
import { codeLabel } from "../../onix/code-lists.ts";
import type { BookNeed } from "../../onix/completeness/needs.ts";
import { FILTER_PARAMETERS } from "./search-parameters.ts";

const NEED_LABELS: Readonly<Record<BookNeed, Readonly<Record<LabelLanguage, string>>>> = {
  title: { eng: "Title", spa: "Título" },
  contributor: { eng: "Contributor", spa: "Autoría" },
  form: { eng: "Form of product", spa: "Formato" },
  subject: { eng: "Subject", spa: "Materia" },
  description: { eng: "Description", spa: "Descripción" },
  cover: { eng: "Cover", spa: "Cubierta" },
  price: { eng: "Price", spa: "Precio" },
  availability: { eng: "Availability", spa: "Disponibilidad" },
  date: { eng: "Publication date", spa: "Fecha de publicación" },
  audience: { eng: "Audience", spa: "Público" },
};

/** Stores give the names of imprints. The label of a value that has none is the value. */
export function facetLabel(facet: FacetName, { value, name }: FacetValue, language: LabelLanguage): string {
  return name ?? labelOf(facet, value, language) ?? value;
}

/** The codes of a facet are those of the filter with its name. */
function labelOf(facet: FacetName, value: string, language: LabelLanguage): string | undefined {
  if (facet === "year") return undefined;
  if (facet === "price") return bandLabel(value);
  if (facet === "lacks") return NEED_LABELS[value as BookNeed][language];
  const { list } = FILTER_PARAMETERS[facet].kind;
  return list === undefined ? undefined : codeLabel(list, value, language);
}

/** The band ends below its second number. */
function bandLabel(key: string): string {
  const { currency, from, below } = bandOfKey(key);
  return below === undefined ? `${currency} ${from}+` : `${currency} ${from}–${below}`;
}
