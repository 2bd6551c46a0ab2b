/** Labels for the values of facets. */
import { bandOfKey } from "../../catalog/quality/price-bands.ts";
import type { FacetName } from "../../catalog/search/properties.ts";
import type { FacetValue } from "../../catalog/search/search.ts";
import type { BookNeed } from "../../onix/completeness/book-needs.ts";
import { codeLabel, type LabelLanguage } from "../summaries/code-labels.ts";

type Label = (value: string, language: LabelLanguage) => string | undefined;

const ofList =
  (list: number): Label =>
  (code, language) =>
    codeLabel(list, code, language);

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

/** The label of a value that has none is the value. Stores give the names of imprints. */
const LABELS: Readonly<Record<FacetName, Label | undefined>> = {
  imprint: undefined,
  language: ofList(74),
  form: ofList(150),
  availability: ofList(65),
  audience: ofList(28),
  price: bandLabel,
  year: undefined,
  lacks: (need, language) => NEED_LABELS[need as BookNeed][language],
};

export function facetLabel(facet: FacetName, { value, name }: FacetValue, language: LabelLanguage): string {
  return name ?? LABELS[facet]?.(value, language) ?? value;
}

/** The band ends below its second number. */
function bandLabel(key: string): string {
  const { currency, from, below } = bandOfKey(key);
  return below === undefined ? `${currency} ${from}+` : `${currency} ${from}–${below}`;
}
