/** The exit codes, and the errors that lead to them. The codes are part of the contract (docs/contract.md §11). */
export const EXIT = { ok: 0, failed: 1, usage: 2, someRejected: 3, outcomeUnknown: 4 } as const;

/** Wrong usage. `main` prints the message and the usage of the command, and exits with 2. */
export class UsageError extends Error {}

/** An error that the operator can fix. `main` prints the message without a stack trace, and exits with 1. */
export class CommandError extends Error {}

/** Names that differ more are not suggested. */
const MAX_DISTANCE = 2;

/** Returns the name with the fewest typing errors, or undefined when none is near. Two errors need so many letters. */
export function nearest(text: string, names: readonly string[], lettersOfTwo = 5): string | undefined {
  let [best, bestDistance] = [undefined as string | undefined, MAX_DISTANCE + 1];
  for (const name of names) {
    const distance = distanceOf(text, name);
    if (distance < bestDistance && (distance < 2 || name.length >= lettersOfTwo))
      [best, bestDistance] = [name, distance];
  }
  return best ?? names.find((name) => text.length >= 2 && name.startsWith(text));
}

/** The Damerau–Levenshtein distance of optimal string alignment: a swap of two letters counts as one error. */
function distanceOf(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        row[j]! + 1,
        next[j - 1]! + 1,
        row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}

/** Returns the program as it is typed here: `npx` and `npm start` run one that is not on the PATH. */
export function programName(): string {
  return process.env.npm_command === "exec" || isNpmStart() ? "npx colophon" : "colophon";
}

/** Returns an option as it is typed here: npm takes those before `--` for its own. */
export function typedOption(option: string): string {
  return isNpmStart() ? `npm start -- ${option}` : option;
}

function isNpmStart(): boolean {
  return process.env.npm_command === "start";
}

/** Returns a word that a shell reads as this text. */
export function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
