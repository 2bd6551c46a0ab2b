/** The look of a drawn cover. It depends on the book alone, so that a book always looks the same. */

interface Palette {
  readonly paper: string;
  readonly ink: string;
  /** For ornaments only, so it needs no contrast. */
  readonly accent: string;
}

/** Text has a contrast of at least 7:1 on paper; the test computes it. */
export const PALETTES: readonly Palette[] = [
  { paper: "#5c1a24", ink: "#f7ead9", accent: "#c98a5a" },
  { paper: "#1d3a4c", ink: "#f3ead7", accent: "#d5a24c" },
  { paper: "#21402f", ink: "#f1ecd8", accent: "#c9b458" },
  { paper: "#e9dcc0", ink: "#33261b", accent: "#a34a28" },
  { paper: "#d8c3a5", ink: "#2c2118", accent: "#6d3b2c" },
  { paper: "#2e2a4a", ink: "#efe8f4", accent: "#c97b84" },
  { paper: "#f0e6d2", ink: "#5a1320", accent: "#1d3a4c" },
  { paper: "#b9c6b4", ink: "#1c2b22", accent: "#7a4a2a" },
  { paper: "#3b2a20", ink: "#f4e4c8", accent: "#c4763c" },
  { paper: "#ccd6dc", ink: "#18242e", accent: "#8b2635" },
  { paper: "#14353a", ink: "#e8f0e4", accent: "#e0a96d" },
  { paper: "#e3b95f", ink: "#2a1a08", accent: "#8a2b1c" },
];

export const ORNAMENTS = ["frame", "bands", "sun", "stripes", "lattice", "hills", "corner", "rule"] as const;
type Ornament = (typeof ORNAMENTS)[number];

export interface CoverDesign {
  readonly palette: Palette;
  readonly ornament: Ornament;
  /** From 0 to 1: varies an ornament from book to book. */
  readonly variation: number;
}

/** The digits of an ISBN that most books of a small publisher share. */
const PUBLISHER_DIGITS = 10;

/**
 * Books of a publisher share an ornament, as those of a series do, and differ in their colours. Nothing but the ISBN
 * decides, because the pages name imprints in different words.
 */
export function coverDesign(isbn: string): CoverDesign {
  const hash = hashOf(isbn);
  return {
    palette: PALETTES[hash % PALETTES.length]!,
    ornament: ORNAMENTS[hashOf(isbn.slice(0, PUBLISHER_DIGITS)) % ORNAMENTS.length]!,
    variation: ((hash >>> 8) % 1000) / 1000,
  };
}

type TitleSize = "large" | "medium" | "small" | "tiny";

/** Letters that fit into a line, and letters in all, for each size. Words are not broken where that can be helped. */
const SIZES: readonly (readonly [size: TitleSize, wordLetters: number, allLetters: number])[] = [
  ["large", 7, 20],
  ["medium", 10, 42],
  ["small", 12, 75],
];

export function titleSize(title: string): TitleSize {
  // Lines can break between any two characters of these scripts.
  const words = title.split(/[\s-]+|(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])/u);
  const longest = Math.max(...words.map((word) => word.length));
  const size = SIZES.find(([, word, all]) => longest <= word && title.length <= all);
  return size?.[0] ?? "tiny";
}

/** FNV-1a, with a final mix: ISBNs of one publisher differ in few digits only. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}
