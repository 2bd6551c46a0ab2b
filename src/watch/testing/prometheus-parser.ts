/** For tests: reads Prometheus' text format 0.0.4 as strictly as its description allows. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly help: string;
  readonly type: string;
  readonly samples: Sample[];
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ((?:[^\\\n]|\\\\|\\n)*)$/;
const TYPE = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/s;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,(?=[a-zA-Z_])|$)/y;
const VALUE = /^(?:[+-]?Inf|NaN|[+-]?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)$/i;

/** By name. Throws on anything that is not as it must be. */
export function parse(text: string): Map<string, Family> {
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line has no end");
  const families = new Map<string, Family>();
  let name = "";
  let help: string | undefined;
  for (const line of text.split("\n").slice(0, -1)) {
    const helped = HELP.exec(line);
    const typed = TYPE.exec(line);
    if (helped) [name, help] = [helped[1]!, helped[2]!];
    else if (typed) {
      if (typed[1] !== name || help === undefined) throw new Error(`no HELP before ${line}`);
      if (families.has(name)) throw new Error(`${name} stands twice`);
      families.set(name, { help, type: typed[2]!, samples: [] });
      help = undefined;
    } else {
      const family = families.get(name);
      const sample = sampleOf(line);
      if (!family || help !== undefined) throw new Error(`no TYPE before ${line}`);
      const own =
        family.type === "histogram"
          ? [`${name}_bucket`, `${name}_sum`, `${name}_count`].includes(sample.name)
          : sample.name === name;
      if (!own) throw new Error(`not of ${name}: ${line}`);
      family.samples.push(sample);
    }
  }
  for (const [called, family] of families) check(called, family);
  return families;
}

function sampleOf(line: string): Sample {
  const match = SAMPLE.exec(line);
  if (!match || !VALUE.test(match[3]!)) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  const inner = match[2] ?? "";
  LABEL.lastIndex = 0;
  for (let end = 0; end < inner.length; end = LABEL.lastIndex) {
    const label = LABEL.exec(inner);
    if (!label) throw new Error(`no label: ${inner.slice(end)}`);
    if (Object.hasOwn(labels, label[1]!)) throw new Error(`${label[1]} stands twice: ${line}`);
    labels[label[1]!] = label[2]!.replace(/\\(.)/g, (_, letter) => (letter === "n" ? "\n" : letter));
  }
  return { name: match[1]!, labels, value: Number(match[3]!.replace(/Inf$/, "Infinity")) };
}

function check(name: string, { type, samples }: Family): void {
  const seen = new Set(samples.map((sample) => JSON.stringify([sample.name, sample.labels])));
  if (seen.size !== samples.length) throw new Error(`${name} has a sample twice`);
  if (type === "counter") {
    if (!name.endsWith("_total")) throw new Error(`${name} is a counter and is not called a total`);
    if (samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} is less than nothing`);
  }
  if (type !== "histogram") return;
  const series = Map.groupBy(samples, ({ labels: { le, ...others } }) => JSON.stringify(others));
  for (const [labels, all] of series) {
    const buckets = all.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels: { le } }) => Number(le?.replace("+Inf", "Infinity")));
    const values = buckets.map(({ value }) => value);
    const count = all.filter((sample) => sample.name === `${name}_count`);
    const sum = all.filter((sample) => sample.name === `${name}_sum`);
    if (count.length !== 1 || sum.length !== 1) throw new Error(`${name}${labels} lacks its count or sum`);
    const grows = (numbers: number[], least: number) =>
      numbers.every((number, at) => at === 0 || number - numbers[at - 1]! >= least);
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY || !grows(bounds, Number.MIN_VALUE))
      throw new Error(`${name}${labels} has wrong bounds`);
    if (!grows(values, 0) || values.at(-1) !== count[0]!.value)
      throw new Error(`${name}${labels} does not add up`);
  }
}
