import { describe, expect, test } from "bun:test";
import { coverDesign, ORNAMENTS, PALETTES, titleSize } from "./cover-design.ts";

const channels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** WCAG 2.2, relative luminance. */
function luminance(color: readonly number[]): number {
  const [r, g, b] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: readonly number[], b: readonly number[]): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
}

describe.each(PALETTES)("the palette $paper", ({ paper, ink }) => {
  test("has a contrast of 7 for text on paper", () => {
    expect(contrast(channels(ink), channels(paper))).toBeGreaterThan(7);
  });
});

test("coverDesign returns the ornament of the publisher", () => {
  const { ornament } = coverDesign("9788437604947");
  expect(coverDesign("9788437604954").ornament).toBe(ornament);
});

test("coverDesign uses all palettes and ornaments", () => {
  const designs = Array.from({ length: 400 }, (_, at) => coverDesign(String(9788400000000 + at * 100 + at)));
  expect(new Set(designs.map(({ palette }) => palette)).size).toBe(PALETTES.length);
  expect(new Set(designs.map(({ ornament }) => ornament)).size).toBe(ORNAMENTS.length);
});

test.each([
  ["Sab", "large"],
  ["紅樓夢紅樓夢紅樓夢", "large"],
  ["Der Sandmann", "medium"],
  ["Un faccioso más y algunos frailes menos", "medium"],
  ["Donaudampfschiffahrt", "tiny"],
  ["Episodios nacionales: la batalla de los Arapiles, y otras", "small"],
  ["a".repeat(200), "tiny"],
  ["", "large"],
])("titleSize of %p is %p", (title, size) => {
  expect(titleSize(title)).toBe(size as ReturnType<typeof titleSize>);
});
