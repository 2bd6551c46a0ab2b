/** What grows with the catalog, and must not. */
import type { Contestant } from "./contestant.ts";
import { inTurns, type Setting } from "./round.ts";
import { compared, type Row } from "./row.ts";
import { randomTarget } from "./wrk.ts";

/** Colophon with a large and with a small catalog, asked for the same. */
export interface Sizes {
  readonly large: { readonly contestant: Contestant; readonly records: number };
  readonly small: { readonly contestant: Contestant; readonly records: number };
}

/** CPU of one answer of the same size: the clock would show what else the machine does. */
export async function newsByCatalog(sizes: Sizes, setting: Setting): Promise<Row> {
  const [large, small] = await both(sizes, setting, ({ paths }) => ({ path: paths.news!, connections: 8 }));
  const values = labelled(sizes, large.cpu, small.cpu);
  return compared("/api/news of 90 days, the same answer", "µs of CPU", values, values[1]!.contestant, {
    atMost: 1.2,
  });
}

export async function lookupsByCatalog(sizes: Sizes, setting: Setting): Promise<Row> {
  const [large, small] = await both(sizes, setting, (one) => {
    const { records } = one === sizes.large.contestant ? sizes.large : sizes.small;
    return { target: randomTarget(one, records) };
  });
  const values = labelled(sizes, large.requests, small.requests);
  return compared("/api/isbn at random, by the catalog's size", "requests/s", values, values[1]!.contestant, {
    atLeast: 0.9,
  });
}

async function both({ large, small }: Sizes, setting: Setting, load: Parameters<typeof inTurns>[2]) {
  const named = [
    { ...large.contestant, name: "large" },
    { ...small.contestant, name: "small" },
  ];
  const by = (one: Contestant) => load(one.name === "large" ? large.contestant : small.contestant);
  const measured = await inTurns(named, setting, by);
  return [measured.get("large")!, measured.get("small")!] as const;
}

function labelled({ large, small }: Sizes, ofLarge: number, ofSmall: number) {
  return [
    { contestant: `${large.records.toLocaleString("en")} records`, value: ofLarge },
    { contestant: `${small.records.toLocaleString("en")} records`, value: ofSmall },
  ];
}
