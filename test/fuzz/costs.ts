/**
 * Looks for the most expensive request of an anonymous client, by hill climbing: a head that costs more than the best
 * one so far is changed further. Costs are compared with those of a plain head of the same size.
 */
import { type RandomBelow, randomBelow } from "../../src/lib/testing/random.ts";
import { MAX_HEAD_BYTES, MAX_TARGET_BYTES } from "../../src/server/limits.ts";
import { head, plainHead } from "./hostile-heads.ts";
import { type MeasuredServer, startMeasuredServer } from "./request-cost.ts";

/** A text that repeats a piece. */
interface Run {
  readonly piece: string;
  readonly times: number;
}

/** A request in parts that can be changed one by one. */
interface Candidate {
  readonly method: string;
  readonly path: string;
  readonly target: readonly Run[];
  readonly fields: readonly { readonly name: string; readonly value: readonly Run[] }[];
}

interface CostReport {
  readonly tried: number;
  /** Descending. */
  readonly worst: readonly Measured[];
}

interface Measured {
  readonly candidate: Candidate;
  readonly bytes: number;
  readonly microseconds: number;
  /** To a plain head of the same size. */
  readonly ratio: number;
}

const METHODS = "GET GET GET HEAD OPTIONS POST".split(" ");
const PATHS =
  "/openapi.json /openapi.html /api/skus /api/news? /api/search?q= /api/imprint/ /api/isbns/ / http://x/".split(
    " ",
  );
const NAMES = (
  "Accept Accept-Encoding Authorization Connection Content-Length Expect Host If-None-Match Origin " +
  "Transfer-Encoding X-Forwarded-For X-Request-Id X"
).split(" ");
const PIECES = [
  ...'aA0,;="* \t/\\.:%-_~&+?#[]{}()<>|\xa0\xff',
  ...'q= ;q=0.5, "", W/"a", gzip, identity;q=0, close, chunked %2e %2E%2e%2f %ff'.split(" "),
  ...".. /../ bearer eyJ a.b.c e30 http:// date= language= 978 ===".split(" "),
  ...["Bearer ", ", "],
];

class Mutator {
  readonly #random: RandomBelow;

  constructor(seed: number) {
    this.#random = randomBelow(seed);
  }

  first(): Candidate {
    const fields = [{ name: this.#pick(NAMES), value: [this.#run()] }];
    return { method: "GET", path: this.#pick(PATHS), target: [], fields };
  }

  mutate(candidate: Candidate): Candidate {
    const { fields, target } = candidate;
    const index = this.#random(fields.length);
    switch (this.#random(8)) {
      case 0:
        return { ...candidate, method: this.#pick(METHODS) };
      case 1:
        return { ...candidate, path: this.#pick(PATHS) };
      case 2:
        return { ...candidate, target: this.#changeRuns(target) };
      case 3:
        return { ...candidate, fields: [...fields, { name: this.#pick(NAMES), value: [this.#run()] }] };
      case 4:
        return { ...candidate, fields: fields.toSpliced(index, 1) };
      case 5: {
        const copies = Array.from({ length: 1 + this.#random(90) }, () => fields[index]!);
        return fields.length === 0 ? candidate : { ...candidate, fields: [...fields, ...copies] };
      }
      default: {
        const field = fields[index] ?? { name: this.#pick(NAMES), value: [] };
        const changed = { ...field, value: this.#changeRuns(field.value) };
        return { ...candidate, fields: fields.toSpliced(index, 1, changed) };
      }
    }
  }

  #changeRuns(runs: readonly Run[]): readonly Run[] {
    const index = this.#random(runs.length + 1);
    const kept = this.#random(3) === 0 ? 0 : 1;
    return this.#random(5) === 0 ? runs.toSpliced(index, 1) : runs.toSpliced(index, 1 - kept, this.#run());
  }

  #run(): Run {
    const pieces = Array.from({ length: 1 + this.#random(3) }, () => this.#pick(PIECES));
    const piece = pieces.join("");
    const chars = this.#pick([1, 10, 100, 1000, 8000, 30_000, MAX_HEAD_BYTES]);
    return { piece, times: Math.ceil(chars / piece.length) };
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#random(items.length)]!;
  }
}

function textOf(runs: readonly Run[]): string {
  return runs.map(({ piece, times }) => piece.repeat(times)).join("");
}

/** Returns the bytes, cut to what the server accepts: the rest would only be refused. */
function bytesOf({ method, path, target, fields }: Candidate): Buffer {
  const lines = [`${method} ${(path + textOf(target)).slice(0, MAX_TARGET_BYTES)} HTTP/1.1`];
  if (!fields.some(({ name }) => name === "Host")) lines.push("Host: x");
  let left = MAX_HEAD_BYTES - 200 - lines.join().length;
  for (const { name, value } of fields.slice(0, 98)) {
    const line = `${name}: ${textOf(value)}`.slice(0, Math.max(name.length + 1, left));
    left -= line.length + 2;
    if (left < 0) break;
    lines.push(line);
  }
  return head(...lines);
}

/** The least of several measurements is the one that nothing disturbed. */
async function leastCost(server: MeasuredServer, bytes: Buffer, samples: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < samples; count++) least = Math.min(least, await server.measure(bytes, 5));
  return least;
}

/** After as many changes without success, another start is tried. */
const MAX_FAILURES = 150;

/** Searches for as long as told, and reports the worst heads, one of each start. */
export async function findExpensiveHeads(milliseconds: number, seed: number): Promise<CostReport> {
  await using server = await startMeasuredServer();
  await server.measure(plainHead(60_000), 300);
  const [short, long] = [
    await leastCost(server, plainHead(100), 30),
    await leastCost(server, plainHead(60_000), 30),
  ];
  const plainCost = (bytes: number) => short + ((long - short) * bytes) / 60_000;
  const measure = async (candidate: Candidate, samples: number): Promise<Measured> => {
    const bytes = bytesOf(candidate);
    const microseconds = await leastCost(server, bytes, samples);
    return { candidate, bytes: bytes.length, microseconds, ratio: microseconds / plainCost(bytes.length) };
  };
  const mutator = new Mutator(seed);
  const worst: Measured[] = [];
  const end = performance.now() + milliseconds;
  let tried = 0;
  while (performance.now() < end) {
    let best = await measure(mutator.first(), 3);
    for (let failures = 0; failures < MAX_FAILURES && performance.now() < end; failures++) {
      tried++;
      const changed = mutator.mutate(best.candidate);
      const found = await measure(changed, 1);
      // What looks worse is measured again, together with the one before: the machine may have been busy.
      if (found.ratio <= best.ratio) continue;
      const again = await measure(changed, 5);
      if (again.ratio <= best.ratio) continue;
      best = again;
      failures = 0;
    }
    worst.push(await measure(best.candidate, 9));
  }
  return { tried, worst: worst.sort((a, b) => b.ratio - a.ratio) };
}

/** Returns one line: the parts of the head, with what is repeated. */
export function describeHead({ method, path, target, fields }: Candidate): string {
  const runs = (all: readonly Run[]) =>
    all.map(({ piece, times }) => `${JSON.stringify(piece)}×${times}`).join(" ");
  const counts = Map.groupBy(fields, ({ name, value }) => `${name}: ${runs(value)}`);
  const lines = [...counts].map(([line, all]) => (all.length === 1 ? line : `${all.length} times ${line}`));
  return [`${method} ${path} ${runs(target)}`.trim(), ...lines].join(" | ");
}
