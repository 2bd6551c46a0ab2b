/** A strict parser of the Prometheus text format, version 0.0.4, for tests. */

export interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface MetricFamily {
  readonly help: string;
  readonly type: string;
  readonly samples: ParsedSample[];
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ((?:[^\\\n]|\\\\|\\n)*)$/;
const TYPE = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/s;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,(?=[a-zA-Z_])|$)/y;
const VALUE = /^(?:[+-]?Inf|NaN|[+-]?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)$/i;

/** Returns the families by name. Throws on every violation of the format. */
export function parseMetrics(text: string): Map<string, MetricFamily> {
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line has no line feed");
  const families = new Map<string, MetricFamily>();
  let name = "";
  let help: string | undefined;
  for (const line of text.split("\n").slice(0, -1)) {
    const helpMatch = HELP.exec(line);
    const typeMatch = TYPE.exec(line);
    if (helpMatch) [name, help] = [helpMatch[1]!, helpMatch[2]!];
    else if (typeMatch) {
      if (typeMatch[1] !== name || help === undefined) throw new Error(`no HELP before ${line}`);
      if (families.has(name)) throw new Error(`${name} is defined twice`);
      families.set(name, { help, type: typeMatch[2]!, samples: [] });
      help = undefined;
    } else {
      const family = families.get(name);
      const sample = parseSample(line);
      if (!family || help !== undefined) throw new Error(`no TYPE before ${line}`);
      const allowedNames =
        family.type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
      if (!allowedNames.includes(sample.name)) throw new Error(`not a sample of ${name}: ${line}`);
      family.samples.push(sample);
    }
  }
  for (const [familyName, family] of families) checkFamily(familyName, family);
  return families;
}

function parseSample(line: string): ParsedSample {
  const match = SAMPLE.exec(line);
  if (!match || !VALUE.test(match[3]!)) throw new Error(`not a sample: ${line}`);
  const labels: Record<string, string> = {};
  const labelText = match[2] ?? "";
  LABEL.lastIndex = 0;
  for (let end = 0; end < labelText.length; end = LABEL.lastIndex) {
    const label = LABEL.exec(labelText);
    if (!label) throw new Error(`not a label: ${labelText.slice(end)}`);
    if (Object.hasOwn(labels, label[1]!)) throw new Error(`${label[1]} is repeated: ${line}`);
    labels[label[1]!] = label[2]!.replace(/\\(.)/g, (_, letter) => (letter === "n" ? "\n" : letter));
  }
  return { name: match[1]!, labels, value: Number(match[3]!.replace(/Inf$/, "Infinity")) };
}

function checkFamily(name: string, { type, samples }: MetricFamily): void {
  const distinct = new Set(samples.map((sample) => JSON.stringify([sample.name, sample.labels])));
  if (distinct.size !== samples.length) throw new Error(`${name} has a sample twice`);
  if (type === "counter") {
    if (!name.endsWith("_total")) throw new Error(`the counter ${name} has no _total at its end`);
    if (samples.some(({ value }) => !(value >= 0))) throw new Error(`the counter ${name} is negative`);
  }
  if (type !== "histogram") return;
  const series = Map.groupBy(samples, ({ labels: { le, ...others } }) => JSON.stringify(others));
  for (const [labels, seriesSamples] of series) checkHistogram(name, labels, seriesSamples);
}

function checkHistogram(name: string, labels: string, samples: readonly ParsedSample[]): void {
  const buckets = samples.filter((sample) => sample.name === `${name}_bucket`);
  const bounds = buckets.map(({ labels: { le } }) => Number(le?.replace("+Inf", "Infinity")));
  const values = buckets.map(({ value }) => value);
  const counts = samples.filter((sample) => sample.name === `${name}_count`);
  const sums = samples.filter((sample) => sample.name === `${name}_sum`);
  if (counts.length !== 1 || sums.length !== 1) throw new Error(`${name}${labels} lacks its count or sum`);
  const growsBy = (numbers: number[], minStep: number) =>
    numbers.every((number, index) => index === 0 || number - numbers[index - 1]! >= minStep);
  if (bounds.at(-1) !== Number.POSITIVE_INFINITY || !growsBy(bounds, Number.MIN_VALUE)) {
    throw new Error(`${name}${labels} has wrong bounds`);
  }
  if (!growsBy(values, 0) || values.at(-1) !== counts[0]!.value) {
    throw new Error(`${name}${labels} does not add up`);
  }
}
