/** Text that looks like text to a compressor: words of a small vocabulary, chosen by a seeded generator. */
const VOCABULARY = [
  "la historia de una casa junto al mar que nadie quiso comprar y donde viven todavía sus primeros dueños",
  "un viaje por los archivos del siglo pasado en busca del editor desaparecido durante aquel largo invierno",
  "el catálogo completo con notas índices mapas fotografías cartas inéditas bibliografía y un prólogo nuevo",
  "she walked through the orchard counting every tree her grandmother had planted before the war began",
  "lectores jóvenes adultos premio novela ensayo poesía traducción edición colección volumen primera segunda",
]
  .join(" ")
  .split(" ");

export class Words {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 1013904223) >>> 0 || 1;
  }

  /** Xorshift, Marsaglia 2003. */
  next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state;
  }

  text(length: number): string {
    let text = "";
    while (text.length < length) {
      // Names and numbers, which no compressor knows yet, between words that it does.
      const word = VOCABULARY[this.next() % VOCABULARY.length]!;
      text += this.next() % 8 === 0 ? `${word}${(this.next() % 100_000).toString(36)} ` : `${word} `;
    }
    return text.slice(0, length).trim();
  }
}
