import type { Book, Imprint } from "../types.ts";

const INSTITUTE = "=Instituto Quimérico de Estadística";

function annual(
  title: string,
  year: string,
  pages: number,
  keywords: string,
  description: string,
  products: Book["products"],
): Book {
  return {
    title,
    authors: INSTITUTE,
    kind: "yearbook",
    keywords,
    pages,
    description,
    yearOfAnnual: year,
    products,
  };
}

/** Yearbooks of an invented institute. */
export const anuarios: Imprint = {
  code: "89",
  name: "Anuarios Quiméricos",
  publisher: "Instituto Quimérico de Estadística",
  city: "Soria",
  country: "ES",
  language: "spa",
  descriptionLanguage: "spa",
  currency: "EUR",
  units: ["in", "kg"],
  supplier: "Distribuciones Rosa de los Vientos",
  countriesOfManufacture: ["ES"],
  books: [
    annual(
      "Anuario de la lluvia horizontal",
      "2023",
      312,
      "meteorología; estadística; viento; precipitación",
      "Registro mensual de la lluvia que no cae, sino que llega de lado, en las cincuenta estaciones del Instituto. Incluye el índice de paraguas vueltos por cada mil habitantes (P < 0,05).",
      ["BC 20240315", "ED 20240315"],
    ),
    annual(
      "Anuario de la lluvia horizontal",
      "2024",
      320,
      "meteorología; estadística; viento; precipitación",
      "Año de récords: el observatorio de Cabo Entonces midió ráfagas de agua paralelas al suelo durante treinta y una horas. Las series históricas se han revisado con el nuevo pluviómetro tumbado.",
      ["BC 20250320"],
    ),
    annual(
      "Estadística general de los duermevelas",
      "2022",
      264,
      "sueño; siesta; encuesta; estadística",
      "Duración, frecuencia y mobiliario de las siestas de siete a veintinueve minutos, según una encuesta que el cuarenta por ciento de los entrevistados no terminó.",
      ["BC 202306"],
    ),
    annual(
      "Balanza de las palabras en desuso",
      "2021",
      280,
      "léxico; lengua; estadística; préstamos",
      "Qué palabras salieron del habla corriente, cuáles entraron y con qué saldo. Entre las repatriadas del año figuran *zaguán*, *alféizar* y *tiquismiquis*.",
      ["BC market"],
    ),
  ],
};
