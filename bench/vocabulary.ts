/** Pseudo-random text with the word frequencies of natural language (Zipf's law). The same seed gives the same text. */
import { type RandomBelow, randomBelow } from "../src/lib/testing/random.ts";

const SEED = 20_261_116;
const WORD_COUNT = 60_000;
const SYLLABLES = (
  "a ba be ca ce cha cí co cu da de di do é fa fe ga gra gue i ja jo la le lo lla ma me mi mo na ne ni no ña o " +
  "pa pe pi po que ra re ri ro sa se si só ta te ti to tra u ü va ve vi xa ya za"
).split(" ");

interface Vocabulary {
  /** The most common word is the first one. */
  readonly words: readonly string[];
  /** The sums of the frequencies up to each word. The frequency of word n is proportional to 1 / n. */
  readonly sums: Float64Array;
}

let made: Vocabulary | undefined;

function makeVocabulary(): Vocabulary {
  const random = randomBelow(SEED);
  const words = new Set<string>();
  while (words.size < WORD_COUNT) words.add(randomWord(words.size, random));
  const sums = new Float64Array(WORD_COUNT);
  for (let rank = 0, sum = 0; rank < WORD_COUNT; rank++) sums[rank] = sum += 1 / (rank + 1);
  return { words: [...words], sums };
}

/** Common words are short, rare ones are long. */
function randomWord(rank: number, random: RandomBelow): string {
  const syllables = (rank < 100 ? 1 : 2) + random(rank < 1000 ? 2 : 3);
  return Array.from({ length: syllables }, () => SYLLABLES[random(SYLLABLES.length)]!).join("");
}

/** Returns `count` words, each with the probability of its frequency. */
export function randomText(random: RandomBelow, count: number): string {
  return Array.from({ length: count }, () => nextWord(random)).join(" ");
}

function nextWord(random: RandomBelow): string {
  made ??= makeVocabulary();
  const { words, sums } = made;
  const target = (random(2 ** 31) / 2 ** 31) * sums[WORD_COUNT - 1]!;
  let [low, high] = [0, WORD_COUNT - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sums[middle]! > target) high = middle;
    else low = middle + 1;
  }
  return words[low]!;
}

/** Returns distinct queries of one to three or of `words` words, common ones included, as a reader types them. */
export function searchQueries(count: number, seed: number, words?: number): string[] {
  const random = randomBelow(seed);
  const queries = new Set<string>();
  while (queries.size < count) queries.add(randomText(random, words ?? 1 + random(3)));
  return [...queries];
}
