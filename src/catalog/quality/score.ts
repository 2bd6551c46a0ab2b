/** The score of a feed: how much its products have of what a shop needs, from 0 to 100. docs/check.md explains it. */
import type { NeedName } from "../../onix/completeness/needs.ts";

/** Needs that are not part of one block. */
type CriterionName = NeedName | "ISBN" | "no errors";

interface Criterion {
  readonly name: CriterionName;
  /** The part of the score that it decides. All criteria together have 100 points. */
  readonly points: number;
}

export interface Block {
  /** The number of the block in ONIX, where it has one. */
  readonly number?: number;
  readonly name: string;
  readonly criteria: readonly Criterion[];
}

export const BLOCKS: readonly Block[] = [
  { name: "Identification", criteria: [{ name: "ISBN", points: 4 }] },
  {
    number: 1,
    name: "Product description",
    criteria: [
      { name: "title", points: 9 },
      { name: "contributor", points: 6 },
      { name: "form", points: 5 },
      { name: "language", points: 3 },
      { name: "subject", points: 6 },
      { name: "audience", points: 2 },
    ],
  },
  {
    number: 2,
    name: "Marketing collateral",
    criteria: [
      { name: "description", points: 9 },
      { name: "cover", points: 9 },
    ],
  },
  {
    number: 4,
    name: "Publishing detail",
    criteria: [
      { name: "publisher", points: 2 },
      { name: "publication date", points: 7 },
      { name: "publishing status", points: 3 },
    ],
  },
  {
    number: 6,
    name: "Product supply",
    criteria: [
      { name: "availability", points: 7 },
      { name: "price", points: 20 },
    ],
  },
  { name: "Conformance", criteria: [{ name: "no errors", points: 8 }] },
];

/** How many products were assessed for a criterion, and how many of them meet it. */
interface Tally {
  assessed: number;
  met: number;
  /** The products that have the field with a wrong value. They do not meet the criterion. */
  wrong: number;
}

export type Tallies = Readonly<Record<CriterionName, Tally>>;

export interface CriterionScore extends Criterion, Readonly<Tally> {}

export interface BlockScore extends Omit<Block, "criteria"> {
  /** Undefined when nothing of the block was assessed. */
  readonly score: number | undefined;
  readonly criteria: readonly CriterionScore[];
}

export interface Score {
  /** Undefined when nothing was assessed, as in a feed of deletions. */
  readonly score: number | undefined;
  readonly blocks: readonly BlockScore[];
}

/** A change that raises the score. */
export interface Fix {
  readonly name: CriterionName;
  /** The points that the score rises when every product meets the criterion. */
  readonly gain: number;
  /** The products that do not meet it, of those that were assessed. */
  readonly unmet: number;
  /** See `Tally`. */
  readonly wrong: number;
  readonly assessed: number;
}

export function emptyTallies(): Tallies {
  const names = BLOCKS.flatMap(({ criteria }) => criteria.map(({ name }) => name));
  return Object.fromEntries(
    names.map((name) => [name, { assessed: 0, met: 0, wrong: 0 }]),
  ) as unknown as Tallies;
}

export function addTallies(total: Tallies, added: Tallies): void {
  for (const [name, { assessed, met, wrong }] of Object.entries(added) as [CriterionName, Tally][]) {
    total[name].assessed += assessed;
    total[name].met += met;
    total[name].wrong += wrong;
  }
}

export function scoreOf(tallies: Tallies): Score {
  const blocks = BLOCKS.map(({ criteria, ...block }): BlockScore => {
    const scores = criteria.map((criterion) => ({ ...criterion, ...tallies[criterion.name] }));
    return { ...block, score: weightedScore(scores), criteria: scores };
  });
  return { score: weightedScore(blocks.flatMap(({ criteria }) => criteria)), blocks };
}

/** Returns the changes that raise the score, the most effective first. */
export function fixesFor({ blocks }: Score): Fix[] {
  const criteria = blocks.flatMap(({ criteria }) => criteria).filter(({ assessed }) => assessed > 0);
  const totalPoints = sum(criteria.map(({ points }) => points));
  return criteria
    .filter(({ assessed, met }) => met < assessed)
    .map(({ name, points, assessed, met, wrong }) => ({
      name,
      gain: ((points / totalPoints) * 100 * (assessed - met)) / assessed,
      unmet: assessed - met,
      wrong,
      assessed,
    }))
    .sort((a, b) => b.gain - a.gain);
}

/** The mean of the shares that are met, weighted by points. It is rounded down: only a feed without gaps has 100. */
function weightedScore(criteria: readonly CriterionScore[]): number | undefined {
  const assessed = criteria.filter((criterion) => criterion.assessed > 0);
  if (assessed.length === 0) return undefined;
  const points = sum(assessed.map((criterion) => criterion.points));
  const reached = sum(assessed.map((criterion) => (criterion.points * criterion.met) / criterion.assessed));
  const isComplete = assessed.every((criterion) => criterion.met === criterion.assessed);
  return isComplete ? 100 : Math.min(99, Math.floor((reached / points) * 100));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
