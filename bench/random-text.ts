/** Pseudo-random text that compresses about as well as real book descriptions. */
import { type RandomBelow, randomBelow } from "./random.ts";

const VOCABULARY = [
  "la historia de una casa junto al mar que nadie quiso comprar y donde viven todavía sus primeros dueños",
  "un viaje por los archivos del siglo pasado en busca del editor desaparecido durante aquel largo invierno",
  "el catálogo completo con notas índices mapas fotografías cartas inéditas bibliografía y un prólogo nuevo",
  "she walked through the orchard counting every tree her grandmother had planted before the war began",
  "lectores jóvenes adultos premio novela ensayo poesía traducción edición colección volumen primera segunda",
]
  .join(" ")
  .split(" ");

export class RandomText {
  private readonly below: RandomBelow;

  constructor(seed: number) {
    // Knuth's multiplicative hash keeps the sequences of neighbouring seeds apart.
    this.below = randomBelow((seed * 2654435761 + 1013904223) >>> 0);
  }

  /** Returns words of at most `length` characters in total. */
  next(length: number): string {
    let text = "";
    while (text.length < length) {
      const word = VOCABULARY[this.below(VOCABULARY.length)]!;
      // A suffix on every eighth word stands for names and numbers, which compress badly.
      text += this.below(8) === 0 ? `${word}${this.below(100_000).toString(36)} ` : `${word} `;
    }
    return text.slice(0, length).trim();
  }
}
