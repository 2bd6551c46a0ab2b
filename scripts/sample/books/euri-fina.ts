import type { Imprint } from "../types.ts";

/** Basque classics, described in Spanish. */
export const euriFina: Imprint = {
  code: "74",
  name: "Euri Fina Liburuak",
  publisher: "Euri Fina Liburuak, S. Koop.",
  prefix: "979",
  city: "Bilbao",
  country: "ES",
  language: "baq",
  descriptionLanguage: "spa",
  currency: "EUR",
  units: ["in", "kg"],
  supplier: "Distribuciones Rosa de los Vientos",
  countriesOfManufacture: ["ES"],
  books: [
    {
      title: "Linguae Vasconum Primitiae",
      authors: "Bernat|Etxepare",
      otherContributors: ["B01 Garazi|Otsoaitz"],
      languages: ["baq", "spa"],
      year: 1545,
      kind: "poetry",
      keywords: "primer libro en euskera; Kontrapas; Sautrela; Renacimiento",
      pages: 128,
      description:
        "«Heuskara, ialgi adi kanpora»: euskera, sal fuera. El primer libro impreso en lengua vasca se publicó en Burdeos y es, a la vez, devoto, enamorado y orgulloso de su lengua.",
      edition: { type: "BLP", statement: "Edición bilingüe, euskera y castellano" },
      products: ["BG 20100517"],
    },
    {
      title: "Gero",
      authors: "Pedro|Agerre «Axular»",
      year: 1643,
      kind: "essay",
      keywords: "ascética; prosa clásica; Sara; euskera; labortano",
      pages: 544,
      description:
        "Un libro entero contra la costumbre de dejarlo todo para después, que eso quiere decir su título. El párroco de Sara escribió la prosa vasca con la que se han medido todas las demás.",
      products: ["BC 2015"],
    },
    {
      title: "Peru Abarka",
      authors: "Juan Antonio|Mogel",
      year: 1881,
      kind: "humour",
      keywords: "diálogo; caserío; barbero; euskera; Markina",
      themaPlace: "1DSE",
      pages: 240,
      description:
        "El casero Peru Abarka da lecciones al barbero maestro Juan, que ha estudiado y no sabe nombrar nada. Escrito hacia 1802, este diálogo es un elogio del caserío y un diccionario disfrazado de comedia.",
      products: ["BC"],
    },
    {
      title: "Kresala",
      authors: "Txomin|Agirre",
      year: 1906,
      kind: "novel",
      keywords: "costumbrismo; pescadores; costa vasca; Ondarroa",
      themaPlace: "1DSE",
      pages: 272,
      description:
        "Un pueblo de la costa entre dos mareas: regateras, patrones, noviazgos largos y galernas cortas. *Kresala* significa agua de mar, y huele a ella desde la primera página.",
      products: ["BC none"],
    },
    {
      title: "Garoa",
      authors: "Txomin|Agirre",
      otherContributors: ["A24 Garazi|Otsoaitz"],
      year: 1912,
      kind: "novel",
      keywords: "caserío; pastor; Oñati; tradición",
      themaPlace: "1DSE",
      pages: 400,
      description:
        "Joanes, el viejo pastor de Zabaleta, sostiene un caserío y una manera de entender el mundo. La gran novela del campo vasco es también su despedida.",
      products: ["BC recent", "EA recent"],
    },
  ],
};
