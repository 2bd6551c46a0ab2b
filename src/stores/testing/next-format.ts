import type { Format } from "../format.ts";

/** Adds steps to a format, as a later version would have them, until it is disposed of. */
export function withSteps<Step>(format: Format<Step>, ...steps: readonly Step[]): Disposable {
  const all = format.steps as Step[];
  all.push(...steps);
  return {
    [Symbol.dispose]() {
      all.splice(all.length - steps.length);
    },
  };
}
