import type { Imprint } from "../types.ts";

/** Catalogues of an invented museum. The records have a publisher and no imprint. */
export const museo: Imprint = {
  code: "87",
  name: "Museo de las Cosas Perdidas",
  publisher: "Museo de las Cosas Perdidas",
  publisherOnly: true,
  prefix: "979",
  city: "Zaragoza",
  country: "ES",
  language: "spa",
  descriptionLanguage: "spa",
  currency: "EUR",
  units: ["in", "kg"],
  supplier: "Almacén Tramontana",
  countriesOfManufacture: ["ES"],
  books: [
    {
      title: "Paraguas sin dueño",
      subtitle: "Una historia del olvido en los tranvías",
      authors: "=Museo de las Cosas Perdidas",
      otherContributors: ["C04 Berta|Calandria Roy"],
      kind: "exhibition",
      keywords: "objetos perdidos; paraguas; tranvía; exposición",
      pages: 160,
      description:
        "Cuatrocientos paraguas abandonados en los tranvías de una ciudad entre 1902 y 1965, con su etiqueta, su mango y la conjetura de su dueño. Catálogo de la exposición más visitada en días de sol.",
      illustrations: { count: 210, type: "04" },
      products: ["BC"],
    },
    {
      title: "Guantes impares",
      authors: "=Museo de las Cosas Perdidas",
      otherContributors: ["A14 Octavio|Perdiguer", "A13 Simón|Candeal"],
      kind: "exhibition",
      keywords: "guantes; objetos perdidos; fotografía; exposición",
      pages: 136,
      description:
        "Cada guante perdido deja otro, viudo, en un cajón. Ciento doce fotografías a tamaño natural y un censo de manos izquierdas.",
      illustrations: { count: 112, type: "04", note: "112 fotografías a tamaño natural" },
      products: ["BB 201506"],
    },
    {
      title: "Cartas que nunca llegaron",
      authors: "=Museo de las Cosas Perdidas",
      otherContributors: ["C04 Berta|Calandria Roy", "A15 Octavio|Perdiguer"],
      kind: "exhibition",
      keywords: "correspondencia; correo; archivo; exposición",
      pages: 248,
      description:
        "Direcciones incompletas, sellos insuficientes, destinatarios «ausentes». El museo abre, con permiso de sus herederos imaginarios, ochenta cartas que esperaron un siglo en la estafeta.",
      products: ["BC recent"],
    },
    {
      title: "El |silencio de los relojes",
      authors: "=Museo de las Cosas Perdidas",
      kind: "exhibition",
      keywords: "relojes; tiempo; colección; exposición",
      pages: 192,
      description:
        "Todos los relojes de la colección están parados, y ninguno a la misma hora. Un ensayo sobre el tiempo perdido, con las esferas reproducidas a escala 1:1.",
      illustrations: { count: 96, type: "04" },
      products: ["BB"],
    },
    {
      title: "Mapas equivocados",
      authors: "=Museo de las Cosas Perdidas",
      otherContributors: ["B01 Berta|Calandria Roy", "A39 Leandro|Mapelli"],
      kind: "exhibition",
      keywords: "mapas; errores; cartografía; exposición",
      pages: 176,
      description:
        "California como isla, montes copiados durante dos siglos, una calle que solo existe en el plano del ayuntamiento. Lo que se aprende de un mapa cuando no lleva a ninguna parte.",
      products: ["BC none"],
    },
  ],
};
