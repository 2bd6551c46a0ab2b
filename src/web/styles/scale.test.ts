import { expect, test } from "bun:test";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Rgb = readonly [number, number, number];

const css = readFileSync(join(import.meta.dir, "scale.css"), "utf8");
const rule = /background: light-dark\((#\w{6}), (#\w{6})\);\s*color: light-dark\((#\w{6}), (#\w{6})\)/g;
const LEVELS = [...css.matchAll(rule)].map(([, ...colours]) => colours.map((colour) => linear(colour!)));
const THEMES = ["light", "dark"].map((name, theme) => ({
  name,
  levels: LEVELS.map((colours) => ({ background: colours[theme]!, text: colours[theme + 2]! })),
}));

/** Returns the light of each channel (sRGB). */
function linear(colour: string): Rgb {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
}

const luminance = ([red, green, blue]: Rgb) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** WCAG 2.2, contrast ratio. */
function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Machado, Oliveira and Fernandes (2009), severity 1. */
const VISIONS: Readonly<Record<string, readonly Rgb[]>> = {
  trichromacy: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const seenWith = (matrix: readonly Rgb[], colour: Rgb) =>
  matrix.map((row) =>
    Math.max(
      0,
      row.reduce((sum, part, at) => sum + part * colour[at]!, 0),
    ),
  ) as unknown as Rgb;

for (const { name, levels } of THEMES) {
  test(`the numbers can be read on each of the five ${name} colours`, () => {
    expect(levels).toHaveLength(5);
    for (const { background, text } of levels) expect(contrast(background, text)).toBeGreaterThan(4.5);
  });

  for (const [vision, matrix] of Object.entries(VISIONS)) {
    test(`each ${name} colour is further from the page than the one before, with ${vision}`, () => {
      const page = seenWith(matrix, levels[0]!.background);
      const seen = levels.map(({ background }) => contrast(page, seenWith(matrix, background)));
      for (let level = 1; level < seen.length; level++)
        expect(seen[level]! / seen[level - 1]!).toBeGreaterThan(1.1);
    });
  }
}

test("margins, paddings and gaps are distances of the scale in tokens.css", () => {
  const pages = join(import.meta.dir, "..");
  const distance = /^ *(?:margin|padding|gap)[a-z-]*: (?!.*(?:calc|clamp|min)\().*?([0-9.]+)rem/gm;
  const written = globSync("**/*.css", { cwd: pages }).flatMap((file) =>
    [...readFileSync(join(pages, file), "utf8").matchAll(distance)]
      // The end of a page is further away.
      .filter(([, rem]) => Number(rem) <= 3)
      .map(([line]) => `${file}: ${line.trim()}`),
  );
  expect(written).toEqual([]);
});
