/** Last sentences of descriptions, which tell about the edition. Names in braces are replaced. */

import type { DescriptionLanguage } from "./types.ts";

export interface Phrases {
  translated: string[];
  introduced: string[];
  edited: string[];
  illustrated: string[];
  ebook: string[];
  audio: string[];
  series: string[];
  announced: string[];
  plain: string[];
  /** For illustrated books, cookbooks and the like. */
  object?: string[];
}

export const PHRASES: Record<DescriptionLanguage, Phrases> = {
  spa: {
    translated: [
      "Nueva traducción de {name}.",
      "La traducción, de {name}, es directa e íntegra.",
      "Traduce {name}, que ha preferido la frase clara a la nota al pie.",
      "En la versión de {name}, sin cortes.",
    ],
    introduced: [
      "Abre el volumen un texto de {name}.",
      "Con una presentación de {name} que se puede leer antes o después.",
      "Lo acompaña {name} con unas páginas breves y útiles.",
    ],
    edited: [
      "Edición al cuidado de {name}.",
      "{name} ha preparado el texto y las notas.",
      "El volumen, preparado por {name}, incluye una cronología.",
    ],
    illustrated: ["Con dibujos de {name}.", "Ilustra {name}, a toda página.", "Las imágenes son de {name}."],
    ebook: [
      "Edición digital con índice enlazado.",
      "Libro electrónico: letra ajustable y notas que se abren al tocarlas.",
      "Versión electrónica, revisada letra a letra.",
    ],
    audio: [
      "Lectura íntegra de {name}: {time}.",
      "Lo lee {name}, sin música y sin prisa ({time}).",
      "Grabación completa en la voz de {name}; dura {time}.",
    ],
    series: [
      "Número {number} de la colección «{series}».",
      "Forma parte de «{series}», donde lleva el número {number}.",
      "«{series}», {number}.",
    ],
    announced: [
      "Volumen {number} de «{series}», en preparación.",
      "Será el tomo {number} de «{series}».",
      "Anunciado como volumen {number} de la edición completa de «{series}».",
    ],
    plain: [
      "Texto íntegro en {pages} páginas.",
      "Volumen de {pages} páginas, cosido y de letra generosa.",
      "Edición de {pages} páginas, pensada para el bolsillo y para el tren.",
      "Son {pages} páginas en papel ahuesado.",
      "Con {pages} páginas y márgenes para escribir en ellos.",
    ],
    object: [
      "Consta de {pages} páginas en papel grueso.",
      "Son {pages} páginas, impresas con tintas vegetales.",
      "En total, {pages} páginas.",
    ],
  },
  eng: {
    translated: [
      "Newly translated by {name}.",
      "The translation, by {name}, is complete and reads aloud well.",
      "In {name}’s unabridged English.",
    ],
    introduced: [
      "{name} contributes a short introduction.",
      "With a few opening pages by {name}, best read last.",
      "{name} sets the scene.",
    ],
    edited: [
      "Edited from the earliest texts by {name}.",
      "{name} supplies the text, the notes and no summary.",
      "With facing-page notes by {name}.",
    ],
    illustrated: ["Pictures by {name}.", "Illustrated throughout by {name}.", "{name} drew the pictures."],
    ebook: [
      "A reflowable e-book with linked contents.",
      "An e-book, proofread line by line.",
      "Digital edition, with notes that open in place.",
    ],
    audio: [
      "Read in full by {name}: {time}.",
      "An unabridged recording by {name}, {time} long.",
      "{name} reads every word of it, in {time}.",
    ],
    series: ["Number {number} of {series}.", "In the series {series}, no. {number}.", "{series}, {number}."],
    announced: [
      "Volume {number} of {series}, in preparation.",
      "To appear as volume {number} of {series}.",
      "Announced as volume {number} of {series}.",
    ],
    plain: [
      "Complete in {pages} pages.",
      "A sewn volume of {pages} pages.",
      "{pages} pages, set in a type that is kind to the eyes.",
      "Unabridged: {pages} pages, with room in the margins.",
    ],
    object: ["{pages} thick pages."],
  },
  cat: {
    translated: ["Traducció de {name}.", "En versió de {name}."],
    introduced: ["Amb una introducció de {name}.", "Obre el volum un text de {name}."],
    edited: ["Text adaptat al català d’avui per {name}.", "Edició a cura de {name}."],
    illustrated: ["Il·lustracions de {name}.", "Amb dibuixos de {name}."],
    ebook: ["Edició digital amb índex enllaçat.", "Llibre electrònic de text ajustable."],
    audio: ["Lectura íntegra de {name}: {time}."],
    series: ["Número {number} de la col·lecció «{series}»."],
    announced: ["Volum {number} de «{series}», en preparació."],
    plain: [
      "Text íntegre, {pages} pàgines.",
      "Volum de {pages} pàgines, cosit amb fil.",
      "Són {pages} pàgines en paper reciclat.",
    ],
  },
  glg: {
    translated: ["Tradución de {name}."],
    introduced: ["Cunha introdución de {name}."],
    edited: ["Edición ao coidado de {name}."],
    illustrated: ["Ilustracións de {name}."],
    ebook: ["Edición dixital con índice ligado."],
    audio: ["Lectura íntegra de {name}: {time}."],
    series: ["Número {number} da colección «{series}»."],
    announced: ["Volume {number} de «{series}», en preparación."],
    plain: ["Texto íntegro, {pages} páxinas.", "Volume de {pages} páxinas, cosido a man."],
  },
  fre: {
    translated: ["Traduction de {name}."],
    introduced: ["Préface de {name}.", "{name} présente le volume."],
    edited: ["Édition établie par {name}."],
    illustrated: ["Illustrations de {name}."],
    ebook: ["Édition numérique, avec table des matières active.", "Livre numérique au format EPUB."],
    audio: ["Texte intégral lu par {name} : {time}."],
    series: ["Numéro {number} de la collection « {series} »."],
    announced: [
      "À paraître : volume {number} de « {series} ».",
      "Volume {number} de « {series} », en préparation.",
    ],
    plain: [
      "Texte intégral, {pages} pages.",
      "Un volume de poche de {pages} pages.",
      "Édition de {pages} pages, sans coupures.",
    ],
  },
  por: {
    translated: ["Tradução de {name}."],
    introduced: ["Com um texto introdutório de {name}."],
    edited: ["Edição e notas de {name}."],
    illustrated: ["Ilustrações de {name}."],
    ebook: ["Edição digital com índice interativo.", "Livro eletrónico em formato EPUB."],
    audio: ["Leitura integral de {name}: {time}."],
    series: ["Número {number} da coleção «{series}»."],
    announced: ["Volume {number} de «{series}», em preparação."],
    plain: ["Texto integral, {pages} páginas.", "Volume de {pages} páginas, cosido à linha."],
  },
  ger: {
    translated: ["Übersetzt von {name}."],
    introduced: ["Mit einem Vorwort von {name}."],
    edited: ["Mit einem Kommentar von {name}.", "Kommentiert von {name}."],
    illustrated: ["Mit Bildern von {name}."],
    ebook: ["E-Book mit verlinktem Inhaltsverzeichnis.", "Digitale Ausgabe im Format EPUB."],
    audio: ["Ungekürzt gelesen von {name}: {time}."],
    series: ["Band {number} der Reihe »{series}«."],
    announced: ["Band {number} von »{series}«, in Vorbereitung."],
    plain: [
      "Vollständiger Text auf {pages} Seiten.",
      "{pages} Seiten, fadengeheftet.",
      "Ungekürzte Ausgabe, {pages} Seiten.",
    ],
  },
  ita: {
    translated: ["Traduzione di {name}."],
    introduced: ["Con una prefazione di {name}."],
    edited: ["Con il commento di {name}.", "Note e commento di {name}."],
    illustrated: ["Illustrazioni di {name}."],
    ebook: ["Edizione digitale con indice attivo."],
    audio: ["Lettura integrale di {name}: {time}."],
    series: ["Numero {number} della collana «{series}»."],
    announced: ["Volume {number} di «{series}», in preparazione."],
    plain: ["Testo integrale, {pages} pagine.", "Un volume di {pages} pagine, cucito a filo."],
  },
};

/** Returns hours and minutes in the notation of the language. */
export function formatDuration(minutes: number, language: DescriptionLanguage): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (language === "eng") return hours > 0 ? `${hours} hr ${rest} min` : `${rest} min`;
  return hours > 0 ? `${hours} h ${rest} min` : `${rest} min`;
}
