/** Subject codes of the kinds of book in Thema (ONIX list 27, scheme 93) and BISAC (scheme 10). */

interface Heading {
  thema: [code: string, english: string, spanish: string];
  bisac: [code: string, heading: string];
  /** A second Thema category. */
  also?: [code: string, english: string, spanish: string];
}

const CLASSIC: [string, string, string] = ["FBC", "Classic fiction", "Ficción clásica"];
const POETRY: [string, string, string] = ["DC", "Poetry", "Poesía"];

export const KINDS = {
  novel: { thema: CLASSIC, bisac: ["FIC004000", "FICTION / Classics"] },
  story: {
    thema: ["FYB", "Short stories", "Relatos cortos"],
    bisac: ["FIC029000", "FICTION / Short Stories (single author)"],
    also: CLASSIC,
  },
  history: {
    thema: ["FV", "Historical fiction", "Ficción histórica"],
    bisac: ["FIC014000", "FICTION / Historical / General"],
    also: CLASSIC,
  },
  adventure: {
    thema: ["FJ", "Adventure fiction", "Ficción de aventuras"],
    bisac: ["FIC002000", "FICTION / Action & Adventure"],
    also: CLASSIC,
  },
  crime: {
    thema: ["FFC", "Classic crime and mystery fiction", "Ficción policiaca y de misterio clásica"],
    bisac: ["FIC022000", "FICTION / Mystery & Detective / General"],
  },
  horror: {
    thema: ["FKC", "Classic horror and ghost stories", "Historias clásicas de terror y fantasmas"],
    bisac: ["FIC015000", "FICTION / Horror"],
  },
  science: {
    thema: ["FLC", "Classic science fiction", "Ciencia ficción clásica"],
    bisac: ["FIC028000", "FICTION / Science Fiction / General"],
  },
  romance: {
    thema: ["FR", "Romance", "Novela romántica"],
    bisac: ["FIC027000", "FICTION / Romance / General"],
    also: CLASSIC,
  },
  humour: {
    thema: ["FU", "Humorous fiction", "Ficción humorística"],
    bisac: ["FIC016000", "FICTION / Humorous / General"],
    also: CLASSIC,
  },
  poetry: {
    thema: ["DCF", "Poetry by individual poets", "Poesía de poetas individuales"],
    bisac: ["POE000000", "POETRY / General"],
    also: POETRY,
  },
  epic: {
    thema: POETRY,
    bisac: ["POE014000", "POETRY / Epic"],
    also: ["DB", "Ancient, classical and medieval texts", "Textos antiguos, clásicos y medievales"],
  },
  drama: {
    thema: ["DD", "Plays, playscripts", "Obras de teatro, textos teatrales"],
    bisac: ["DRA004000", "DRAMA / European / General"],
  },
  shakespeare: {
    thema: ["DD", "Plays, playscripts", "Obras de teatro, textos teatrales"],
    bisac: ["DRA010000", "DRAMA / Shakespeare"],
  },
  essay: {
    thema: ["DNL", "Literary essays", "Ensayos literarios"],
    bisac: ["LCO010000", "LITERARY COLLECTIONS / Essays"],
  },
  memoir: {
    thema: ["DNC", "Memoirs", "Memorias"],
    bisac: ["BIO026000", "BIOGRAPHY & AUTOBIOGRAPHY / Memoirs"],
  },
  philosophy: {
    thema: ["QD", "Philosophy", "Filosofía"],
    bisac: ["PHI002000", "PHILOSOPHY / History & Surveys / Ancient & Classical"],
  },
  travel: {
    thema: ["WTL", "Travel writing", "Literatura de viajes"],
    bisac: ["TRV010000", "TRAVEL / Essays & Travelogues"],
  },
  guide: {
    thema: ["WTH", "Travel and holiday guides", "Guías de viajes y de vacaciones"],
    bisac: ["TRV009000", "TRAVEL / Europe / General"],
  },
  atlas: {
    thema: [
      "RGV",
      "Cartography, map-making and projections",
      "Cartografía, elaboración de mapas y proyecciones",
    ],
    bisac: ["REF002000", "REFERENCE / Atlases, Gazetteers & Maps"],
  },
  cooking: {
    thema: ["WB", "Cookery / food and drink", "Cocina, comida y bebida"],
    bisac: ["CKB000000", "COOKING / General"],
  },
  nature: {
    thema: ["WN", "Nature and the natural world: general interest", "Naturaleza: interés general"],
    bisac: ["NAT000000", "NATURE / General"],
  },
  exhibition: {
    thema: ["AGC", "Exhibition catalogues and specific collections", "Catálogos de exposiciones"],
    bisac: ["ART006000", "ART / Collections, Catalogs, Exhibitions / General"],
  },
  yearbook: {
    thema: ["GBCY", "Yearbooks, annuals, almanacs", "Anuarios, almanaques"],
    bisac: ["REF027000", "REFERENCE / Yearbooks & Annuals"],
  },
  childClassic: {
    thema: ["YFA", "Children’s / Teenage fiction: Classic fiction", "Ficción clásica infantil y juvenil"],
    bisac: ["JUV007000", "JUVENILE FICTION / Classics"],
  },
  childTale: {
    thema: ["YFJ", "Children’s / Teenage fiction: Traditional stories", "Cuentos tradicionales infantiles"],
    bisac: ["JUV012000", "JUVENILE FICTION / Fairy Tales & Folklore / General"],
  },
  childAnimal: {
    thema: ["YFP", "Children’s / Teenage fiction: Animal stories", "Historias de animales infantiles"],
    bisac: ["JUV002000", "JUVENILE FICTION / Animals / General"],
  },
  childAdventure: {
    thema: ["YFC", "Children’s / Teenage fiction: Adventure stories", "Aventuras infantiles y juveniles"],
    bisac: ["JUV001000", "JUVENILE FICTION / Action & Adventure / General"],
  },
  childPicture: {
    thema: ["YBC", "Children’s picture books", "Álbumes ilustrados infantiles"],
    bisac: ["JUV000000", "JUVENILE FICTION / General"],
  },
  childPoetry: {
    thema: ["YDP", "Children’s / Teenage poetry", "Poesía infantil y juvenil"],
    bisac: ["JNF042000", "JUVENILE NONFICTION / Poetry / General"],
  },
} as const satisfies Record<string, Heading>;

export type Kind = keyof typeof KINDS;

export function headingOf(kind: Kind): Heading {
  return KINDS[kind];
}

export function isForChildren(kind: Kind): boolean {
  return kind.startsWith("child");
}

/** Thema time qualifiers (scheme 96), by the first two digits of the year. */
export const CENTURIES: Record<string, [code: string, english: string, spanish: string]> = {
  "15": ["3MD", "16th century, c 1500 to c 1599", "Siglo XVI, c. 1500-1599"],
  "16": ["3MG", "17th century, c 1600 to c 1699", "Siglo XVII, c. 1600-1699"],
  "17": ["3ML", "18th century, c 1700 to c 1799", "Siglo XVIII, c. 1700-1799"],
  "18": ["3MN", "19th century, c 1800 to c 1899", "Siglo XIX, c. 1800-1899"],
  "19": ["3MP", "20th century, c 1900 to c 1999", "Siglo XX, c. 1900-1999"],
};

/** Thema place qualifiers (scheme 94). */
export const PLACES: Record<string, [english: string, spanish: string]> = {
  "1DSE": ["Spain", "España"],
  "1DSP": ["Portugal", "Portugal"],
  "1DDF": ["France", "Francia"],
  "1DDU": ["United Kingdom, Great Britain", "Reino Unido, Gran Bretaña"],
  "1DFG": ["Germany", "Alemania"],
  "1DST": ["Italy", "Italia"],
  "1KBB": ["United States of America, USA", "Estados Unidos de América"],
  "1KLCM": ["Mexico", "México"],
  "1KLSA": ["Argentina", "Argentina"],
  "1KLSB": ["Brazil", "Brasil"],
  "1QBAG": ["Ancient Greece", "Antigua Grecia"],
  "1QBAR": ["Ancient Rome", "Antigua Roma"],
};

/** Thema interest age qualifiers (scheme 98), by the lowest interest age. */
export const AGES: Record<number, string> = {
  3: "5AC",
  4: "5AD",
  5: "5AF",
  6: "5AG",
  7: "5AH",
  8: "5AJ",
  9: "5AK",
  10: "5AL",
  11: "5AM",
  12: "5AN",
};
