import type { Imprint } from "../types.ts";

/** Invented atlases, cookbooks and guides. */
export const atlasYCucharon: Imprint = {
  code: "82",
  name: "Atlas & Cucharón",
  publisher: "Compañía General de Atlas y Cucharones",
  prefix: "979",
  city: "Granada",
  country: "ES",
  language: "spa",
  descriptionLanguage: "spa",
  currency: "EUR",
  units: ["in", "kg"],
  supplier: "Almacén Tramontana",
  countriesOfManufacture: ["ES", "IT", "SI"],
  books: [
    {
      title: "Atlas de las islas que no existen",
      authors: "=Taller de Cartografía Imaginaria",
      otherContributors: ["A39 Leandro|Mapelli"],
      kind: "atlas",
      keywords: "islas; cartografía; leyendas; San Borondón",
      pages: 208,
      description:
        "Sesenta islas que estuvieron en las cartas náuticas y en ningún otro sitio, de San Borondón a la Isla de los Demonios. Cada una con su mapa, su descubridor y el día en que fue borrada.",
      contents: [
        "Islas vistas de lejos",
        "Islas vendidas",
        "Islas copiadas por error",
        "Islas que se movían",
      ],
      illustrations: { count: 60, type: "14", note: "Sesenta mapas a doble página" },
      products: ["BB"],
    },
    {
      title: "Atlas de los vientos con nombre",
      authors: "=Taller de Cartografía Imaginaria",
      kind: "atlas",
      keywords: "vientos; meteorología; tramontana; levante; cierzo",
      pages: 176,
      description:
        "El cierzo, la tramontana, el levante, el terral: por dónde entran, qué se llevan y qué se dice de ellos en la barbería. Con una rosa desplegable que no conviene abrir al aire libre.",
      illustrations: { count: 44, type: "14" },
      products: ["BO 20191015"],
    },
    {
      title: "Cocina de cuchara para días de lluvia",
      authors: "Remedios|Ollero Vargas",
      otherContributors: ["A13 Simón|Candeal"],
      kind: "cooking",
      keywords: "potajes; sopas; legumbres; invierno",
      pages: 224,
      description:
        "Noventa potajes, sopas & caldos ordenados por lo que llueve: llovizna, chaparrón y temporal. Las cantidades son para cuatro, o para uno y tres días.",
      contents: [
        "Llovizna: caldos y sopas",
        "Chaparrón: verduras y arroces",
        "Temporal: legumbres",
        "Arco iris: postres",
      ],
      illustrations: { count: 90, type: "04", note: "Noventa fotografías en color" },
      products: ["BB", "EA recent"],
    },
    {
      title: "El |libro del pan lento",
      authors: "Remedios|Ollero Vargas",
      kind: "cooking",
      keywords: "pan; masa madre; horno; fermentación",
      pages: 192,
      description:
        "Harina, agua, sal y una paciencia de dos días. Treinta panes de pueblo, con la temperatura de la cocina apuntada al margen y un capítulo entero sobre lo que hacer mientras se espera.",
      products: ["BE 2017"],
    },
    {
      title: "Conservas, encurtidos & otras paciencias",
      authors: ["Remedios|Ollero Vargas", "Amador|Trujal"],
      kind: "cooking",
      keywords: "conservas; encurtidos; mermeladas; despensa",
      pages: 168,
      description:
        "Cómo guardar agosto en un tarro: tomates al natural, aceitunas aliñadas, guindas en aguardiente. Con etiquetas recortables y una tabla de los meses que aguanta cada cosa.",
      products: ["BC"],
    },
    {
      title: "Guía de los faros apagados",
      authors: "Marina|Alcaraván",
      otherContributors: ["A13 Simón|Candeal"],
      kind: "guide",
      keywords: "faros; costa; excursiones; patrimonio",
      themaPlace: "1DSE",
      pages: 256,
      description:
        "Treinta y tres faros que ya no alumbran y el camino a pie para llegar a cada uno. La autora durmió en todos los que tenían suelo.",
      illustrations: { count: 33, type: "14" },
      products: ["BC"],
    },
    {
      title: "Rutas a pie por la sierra de Ninguna Parte",
      authors: "=Club Excursionista La Bota Izquierda",
      kind: "guide",
      keywords: "senderismo; montaña; rutas; mapa",
      pages: 144,
      description:
        "Veinte itinerarios circulares que salen de la misma fuente y vuelven a ella, con desniveles, sombras y merenderos. La sierra es inventada; el cansancio, no.",
      edition: { type: "REV", number: 4, statement: "Cuarta edición, revisada y con dos fuentes nuevas" },
      products: ["EA"],
    },
    {
      title: "Guía de campo de las nubes bajas",
      authors: "Leandro|Mapelli",
      otherContributors: ["A12 Eulalia|Rebolledo"],
      kind: "nature",
      keywords: "nubes; nieblas; meteorología; observación",
      pages: 128,
      description:
        "Estratos, nieblas de valle, bancos de costa y esa nube que se queda enganchada en el campanario. Claves visuales para distinguirlas y un cuaderno al final para anotar las propias.",
      illustrations: { count: 70, type: "02" },
      products: ["BC recent"],
    },
    {
      title: "Calendario lunar del hortelano",
      kind: "nature",
      keywords: "huerto; luna; siembra; calendario perpetuo",
      pages: 26,
      description:
        "Doce láminas y una luna móvil: un calendario perpetuo para saber qué se siembra en menguante, qué se poda en creciente y qué se deja en paz siempre.",
      illustrations: { count: 12, type: "02" },
      products: ["PC"],
    },
  ],
};
