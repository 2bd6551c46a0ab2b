/** A strict parser of the Prometheus text format, version 0.0.4, for tests. */

interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface MetricFamily {
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
  const families = new Map<string, MetricFamily>();
  for (const block of text.split(/^(?=# HELP )/m)) {
    const [helpLine = "", typeLine = "", ...lines] = block.split("\n");
    const [, name = ""] = HELP.exec(helpLine) ?? [];
    const [, typedName, type = ""] = TYPE.exec(typeLine) ?? [];
    if (name === "" || name !== typedName) throw new Error(`no HELP and TYPE: ${helpLine}, ${typeLine}`);
    if (families.has(name)) throw new Error(`${name} is defined twice`);
    if (lines.pop() !== "") throw new Error(`the last line of ${name} has no line feed`);
    const samples = lines.map(parseSample);
    const allowed = type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
    const foreign = samples.find((sample) => !allowed.includes(sample.name));
    if (foreign) throw new Error(`not a sample of ${name}: ${foreign.name}`);
    families.set(name, { type, samples });
    checkFamily(name, { type, samples });
  }
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
