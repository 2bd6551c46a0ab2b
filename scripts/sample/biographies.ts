/** Biographical notes of some authors, by author and language. */

import type { DescriptionLanguage } from "./types.ts";

export const BIOGRAPHIES: Record<string, Partial<Record<DescriptionLanguage, string>>> = {
  "Miguel de|Cervantes Saavedra": {
    spa: "Nació en Alcalá de Henares en 1547, perdió el uso de la mano izquierda en Lepanto y pasó cinco años cautivo en Argel. Murió en Madrid en 1616.",
    eng: "Born in Alcalá de Henares in 1547, soldier at Lepanto and captive in Algiers for five years; he died in Madrid in 1616.",
  },
  "Benito|Pérez Galdós": {
    spa: "Las Palmas de Gran Canaria, 1843 - Madrid, 1920. Autor de los *Episodios nacionales*, de una treintena de novelas contemporáneas y de más de veinte obras de teatro.",
  },
  "Emilia|Pardo Bazán": {
    spa: "A Coruña, 1851 - Madrid, 1921. Novelista, cuentista y ensayista, dio a conocer el naturalismo en España con *La cuestión palpitante*.",
  },
  "Leopoldo|Alas «Clarín»": {
    spa: "Zamora, 1852 - Oviedo, 1901. Catedrático de Derecho, crítico temido y autor de dos novelas y de un centenar de cuentos.",
  },
  "Gustavo Adolfo|Bécquer": {
    spa: "Sevilla, 1836 - Madrid, 1870. Poeta y periodista; sus *Rimas* se publicaron después de su muerte.",
    eng: "Seville, 1836 - Madrid, 1870. Poet and journalist, published in book form only after his death.",
  },
  "sor Juana Inés de la|Cruz": {
    spa: "San Miguel Nepantla, 1648 - Ciudad de México, 1695. Poeta, dramaturga y monja jerónima, reunió una de las mayores bibliotecas de la Nueva España.",
  },
  "Rubén|Darío": {
    spa: "Metapa, 1867 - León (Nicaragua), 1916. Poeta, periodista y diplomático, figura central del modernismo hispánico.",
  },
  "José|Martí": {
    spa: "La Habana, 1853 - Dos Ríos, 1895. Poeta, periodista y organizador de la independencia de Cuba.",
  },
  "Horacio|Quiroga": {
    spa: "Salto (Uruguay), 1878 - Buenos Aires, 1937. Cuentista; vivió largos años en la selva de Misiones.",
  },
  "Mary|Shelley": {
    spa: "Londres, 1797-1851. Hija de Mary Wollstonecraft y de William Godwin, escribió siete novelas y preparó la edición póstuma de los poemas de su marido.",
    eng: "London, 1797-1851. The daughter of Mary Wollstonecraft and William Godwin, and the author of seven novels.",
  },
  "Jane|Austen": {
    spa: "Steventon, 1775 - Winchester, 1817. Publicó cuatro novelas en vida, todas sin su nombre.",
    eng: "Steventon, 1775 - Winchester, 1817. She saw four novels into print, none with her name on it.",
  },
  "Charles|Dickens": {
    eng: "Portsmouth, 1812 - Gad’s Hill, 1870. Novelist, editor, and the most celebrated public reader of his age.",
  },
  "Oscar|Wilde": {
    spa: "Dublín, 1854 - París, 1900. Dramaturgo, poeta, conversador; su única novela fue usada como prueba contra él.",
    eng: "Dublin, 1854 - Paris, 1900. Playwright, poet and talker; his only novel was read out in court against him.",
  },
  "Herman|Melville": {
    eng: "New York, 1819-1891. He went to sea at nineteen, and ended his working life as a customs inspector.",
  },
  "William|Shakespeare": {
    eng: "Stratford-upon-Avon, 1564-1616. Actor, sharer in a playing company, and the author of some thirty-eight plays.",
  },
  "Lewis|Carroll": {
    eng: "The pen name of Charles Lutwidge Dodgson (1832-1898), who taught mathematics at Christ Church, Oxford.",
    spa: "Seudónimo de Charles Lutwidge Dodgson (1832-1898), profesor de matemáticas en Oxford y fotógrafo.",
  },
  "Robert Louis|Stevenson": {
    eng: "Edinburgh, 1850 - Vailima, Samoa, 1894. The Samoans called him Tusitala, the teller of tales.",
  },
  "Honoré de|Balzac": {
    fre: "Tours, 1799 - Paris, 1850. Imprimeur ruiné, il réunit sous le titre de *La Comédie humaine* quelque quatre-vingt-dix romans et nouvelles.",
  },
  "Charles|Baudelaire": {
    fre: "Paris, 1821-1867. Poète, critique d’art et traducteur d’Edgar Poe.",
  },
  "Jacint|Verdaguer": {
    cat: "Folgueroles, 1845 - Vallvidrera, 1902. Capellà, excursionista i poeta, va rebre dels Jocs Florals la consagració i del seu bisbe el silenci.",
  },
  "Narcís|Oller": {
    cat: "Valls, 1846 - Barcelona, 1930. Procurador d’ofici i primer gran novel·lista del català modern.",
  },
  "Rosalía de|Castro": {
    glg: "Santiago de Compostela, 1837 - Padrón, 1885. Poeta e novelista, voz fundadora da literatura galega contemporánea.",
  },
  "José Maria|Eça de Queirós": {
    por: "Póvoa de Varzim, 1845 - Paris, 1900. Romancista e cônsul em Havana, Newcastle, Bristol e Paris.",
  },
  "Joaquim Maria|Machado de Assis": {
    por: "Rio de Janeiro, 1839-1908. Tipógrafo, funcionário, primeiro presidente da Academia Brasileira de Letras.",
    spa: "Río de Janeiro, 1839-1908. Tipógrafo, funcionario y primer presidente de la Academia Brasileña de Letras.",
  },
  "Heinrich|Heine": {
    ger: "Düsseldorf 1797 - Paris 1856. Dichter und Journalist, seit 1831 in Paris, in Preußen verboten.",
  },
  "Johann Wolfgang von|Goethe": {
    ger: "Frankfurt am Main 1749 - Weimar 1832. Dichter, Minister, Naturforscher.",
  },
  "Carlo|Collodi": {
    ita: "Firenze, 1826-1890. Pseudonimo di Carlo Lorenzini, giornalista, bibliofilo e autore di libri per la scuola.",
  },
  "Giovanni|Verga": {
    ita: "Catania, 1840-1922. Romanziere, novelliere, fotografo: il maestro del verismo.",
  },
  "=Instituto Quimérico de Estadística": {
    spa: "Organismo inventado, con sede en Soria, que mide lo que nadie le ha pedido.",
  },
};
