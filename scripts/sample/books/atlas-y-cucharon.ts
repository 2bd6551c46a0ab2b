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
  prose: "spa",
  currency: "EUR",
  units: ["in", "kg"],
  supplier: "Almacén Tramontana",
  madeIn: ["ES", "IT", "SI"],
  books: [
    {
      title: "Atlas de las islas que no existen",
      by: "=Taller de Cartografía Imaginaria",
      also: ["A39 Leandro|Mapelli"],
      kind: "atlas",
      keywords: "islas; cartografía; leyendas; San Borondón",
      pages: 208,
      about:
        "Sesenta islas que estuvieron en las cartas náuticas y en ningún otro sitio, de San Borondón a la Isla de los Demonios. Cada una con su mapa, su descubridor y el día en que fue borrada.",
      contents: [
        "Islas vistas de lejos",
        "Islas vendidas",
        "Islas copiadas por error",
        "Islas que se movían",
      ],
      illustrations: { count: 60, type: "14", note: "Sesenta mapas a doble página" },
      as: ["BB"],
    },
    {
      title: "Atlas de los vientos con nombre",
      by: "=Taller de Cartografía Imaginaria",
      kind: "atlas",
      keywords: "vientos; meteorología; tramontana; levante; cierzo",
      pages: 176,
      about:
        "El cierzo, la tramontana, el levante, el terral: por dónde entran, qué se llevan y qué se dice de ellos en la barbería. Con una rosa desplegable que no conviene abrir al aire libre.",
      illustrations: { count: 44, type: "14" },
      as: ["BO 20191015"],
    },
    {
      title: "Cocina de cuchara para días de lluvia",
      by: "Remedios|Ollero Vargas",
      also: ["A13 Simón|Candeal"],
      kind: "cooking",
      keywords: "potajes; sopas; legumbres; invierno",
      pages: 224,
      about:
        "Noventa potajes, sopas & caldos ordenados por lo que llueve: llovizna, chaparrón y temporal. Las cantidades son para cuatro, o para uno y tres días.",
      contents: [
        "Llovizna: caldos y sopas",
        "Chaparrón: verduras y arroces",
        "Temporal: legumbres",
        "Arco iris: postres",
      ],
      illustrations: { count: 90, type: "04", note: "Noventa fotografías en color" },
      as: ["BB", "EA recent"],
    },
    {
      title: "El |libro del pan lento",
      by: "Remedios|Ollero Vargas",
      kind: "cooking",
      keywords: "pan; masa madre; horno; fermentación",
      pages: 192,
      about:
        "Harina, agua, sal y una paciencia de dos días. Treinta panes de pueblo, con la temperatura de la cocina apuntada al margen y un capítulo entero sobre lo que hacer mientras se espera.",
      as: ["BE 2017"],
    },
    {
      title: "Conservas, encurtidos & otras paciencias",
      by: ["Remedios|Ollero Vargas", "Amador|Trujal"],
      kind: "cooking",
      keywords: "conservas; encurtidos; mermeladas; despensa",
      pages: 168,
      about:
        "Cómo guardar agosto en un tarro: tomates al natural, aceitunas aliñadas, guindas en aguardiente. Con etiquetas recortables y una tabla de los meses que aguanta cada cosa.",
      as: ["BC"],
    },
    {
      title: "Guía de los faros apagados",
      by: "Marina|Alcaraván",
      also: ["A13 Simón|Candeal"],
      kind: "guide",
      keywords: "faros; costa; excursiones; patrimonio",
      place: "1DSE",
      pages: 256,
      about:
        "Treinta y tres faros que ya no alumbran y el camino a pie para llegar a cada uno. La autora durmió en todos los que tenían suelo.",
      illustrations: { count: 33, type: "14" },
      as: ["BC"],
    },
    {
      title: "Rutas a pie por la sierra de Ninguna Parte",
      by: "=Club Excursionista La Bota Izquierda",
      kind: "guide",
      keywords: "senderismo; montaña; rutas; mapa",
      pages: 144,
      about:
        "Veinte itinerarios circulares que salen de la misma fuente y vuelven a ella, con desniveles, sombras y merenderos. La sierra es inventada; el cansancio, no.",
      edition: { type: "REV", number: 4, statement: "Cuarta edición, revisada y con dos fuentes nuevas" },
      as: ["EA"],
    },
    {
      title: "Guía de campo de las nubes bajas",
      by: "Leandro|Mapelli",
      also: ["A12 Eulalia|Rebolledo"],
      kind: "nature",
      keywords: "nubes; nieblas; meteorología; observación",
      pages: 128,
      about:
        "Estratos, nieblas de valle, bancos de costa y esa nube que se queda enganchada en el campanario. Claves visuales para distinguirlas y un cuaderno al final para anotar las propias.",
      illustrations: { count: 70, type: "02" },
      as: ["BC recent"],
    },
    {
      title: "Calendario lunar del hortelano",
      kind: "nature",
      keywords: "huerto; luna; siembra; calendario perpetuo",
      pages: 26,
      about:
        "Doce láminas y una luna móvil: un calendario perpetuo para saber qué se siembra en menguante, qué se poda en creciente y qué se deja en paz siempre.",
      illustrations: { count: 12, type: "02" },
      as: ["PC"],
    },
  ],
};
