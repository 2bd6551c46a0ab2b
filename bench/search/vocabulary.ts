/** A vocabulary with the frequencies of natural language (Zipf's law), made from a seed. */
import { type RandomBelow, randomBelow } from "../random.ts";

const SEED = 20_261_116;
const WORDS = 60_000;
const SYLLABLES = (
  "a ba be ca ce cha cí co cu da de di do é fa fe ga gra gue i ja jo la le lo lla ma me mi mo na ne ni no ña o " +
  "pa pe pi po que ra re ri ro sa se si só ta te ti to tra u ü va ve vi xa ya za"
).split(" ");

export class Vocabulary {
  readonly #words: readonly string[];
  /** The sums of the frequencies up to each word. The frequency of word n is proportional to 1 / n. */
  readonly #sums: Float64Array;

  constructor() {
    const random = randomBelow(SEED);
    const words = new Set<string>();
    while (words.size < WORDS) words.add(randomWord(words.size, random));
    this.#words = [...words];
    this.#sums = new Float64Array(WORDS);
    let sum = 0;
    for (let rank = 0; rank < WORDS; rank++) this.#sums[rank] = sum += 1 / (rank + 1);
  }

  /** Returns a word by its rank: 0 is the most common one. */
  at(rank: number): string {
    return this.#words[rank]!;
  }

  /** Returns a word with the probability of its frequency. */
  next(random: RandomBelow): string {
    const target = (random(2 ** 31) / 2 ** 31) * this.#sums[WORDS - 1]!;
    let [low, high] = [0, WORDS - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sums[middle]! > target) high = middle;
      else low = middle + 1;
    }
    return this.#words[low]!;
  }

  text(random: RandomBelow, words: number): string {
    return Array.from({ length: words }, () => this.next(random)).join(" ");
  }
}

/** Common words are short, rare ones are long. */
function randomWord(rank: number, random: RandomBelow): string {
  const syllables = (rank < 100 ? 1 : 2) + random(rank < 1000 ? 2 : 3);
  return Array.from({ length: syllables }, () => SYLLABLES[random(SYLLABLES.length)]!).join("");
}
