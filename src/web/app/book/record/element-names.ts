/** The names of elements and attributes in words. */
import type { Language } from "../../../../client/labels.ts";
import table from "./spanish-names.json" with { type: "json" };

const SPANISH: ReadonlyMap<string, string> = new Map(Object.entries(table));

/** Attributes of ONIX, which stand on any element. */
const ATTRIBUTES: Readonly<Record<string, readonly [eng: string, spa: string]>> = {
  collationkey: ["Collation key", "Clave de ordenación"],
  dateformat: ["Date format", "Formato de la fecha"],
  datestamp: ["Date stamp", "Fecha del dato"],
  language: ["Language", "Idioma"],
  refname: ["Reference name", "Nombre de referencia"],
  release: ["Release", "Versión"],
  shortname: ["Short name", "Nombre corto"],
  sourcename: ["Source name", "Nombre de la fuente"],
  sourcetype: ["Source type", "Tipo de fuente"],
  textcase: ["Text case", "Mayúsculas y minúsculas"],
  textformat: ["Text format", "Formato del texto"],
  textscript: ["Script", "Escritura"],
};

/** Names that do not read well when they are only split into words. */
const ENGLISH: Readonly<Record<string, string>> = {
  _id: "Record ID",
  CBO: "Customer back orders",
  IDValue: "Identifier",
  KeyNames: "Surname",
  LanguageCode: "Language",
  MeasureUnitCode: "Measure unit",
  ProductIDType: "Identifier type",
  ROWSalesRightsType: "Sales rights in the rest of the world",
};

/**
 * Returns the name of an element such as `ProductForm`, or of an attribute such as `@language` or `Text@language`, in
 * words. A name that ONIX does not define is returned as it is in Spanish, and split into words in English.
 */
export function nameInWords(name: string, language: Language): string {
  const at = name.indexOf("@");
  if (at < 0) return elementInWords(name, language);
  const attribute = name.slice(at + 1);
  const known = Object.hasOwn(ATTRIBUTES, attribute) ? ATTRIBUTES[attribute] : undefined;
  const words = known?.[language === "spa" ? 1 : 0] ?? attribute;
  return at === 0 ? words : `${elementInWords(name.slice(0, at), language)} · ${words}`;
}

function elementInWords(name: string, language: Language): string {
  if (name === "#text") return language === "spa" ? "Texto suelto" : "Stray text";
  if (language === "spa") return name === "_id" ? "ID del registro" : (SPANISH.get(name) ?? name);
  if (Object.hasOwn(ENGLISH, name)) return ENGLISH[name]!;
  const words = name
    .replace(/^Epub/, "E-publication ")
    .replace(
      /([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])/g,
      (_, lower = "", upper = "", last = "") => `${lower}${last} ${upper}`,
    )
    .split(/\s+/);
  return words
    .filter(Boolean)
    .map((word, index) => (index === 0 || /^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(" ");
}
