/** Opens our CSV in LibreOffice, and looks for cells that have become formulas. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { BYTE_ORDER_MARK, csvLine } from "../../src/lib/csv-line.ts";

/** What a spreadsheet may drop before a formula, formulas, and what may begin a cell in the middle of a text. */
const PIECES = [
  ...[
    "",
    " ",
    '"',
    '""',
    "'",
    "\u00a0",
    "\ufeff",
    "\u200b",
    "\u2003",
    "\u00ad",
    "\u0001",
    "\u2028",
    "\u0085",
  ],
  ...[
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "＝1+1",
    "=cmd|'/C calc'!A0",
    '=HYPERLINK("http://x";"a")',
    "{=1+1}",
  ],
  ...["a", ";", ",", "\t", "\n", "\r\n", "\r", '";', '"a";', "|", "\\", "1", "-1.5", ";;", '"\n"', "é"],
];

/** A text of a book that an attacker has written. */
const texts = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 7 }).map((all) => all.join(""));

/** The separators of an import, as LibreOffice numbers them: comma, semicolon and tab. */
const SEPARATORS = [44, 59, 9];
const TEXTS_PER_FILE = 500;

/** Returns random texts. */
export function hostileTexts(seed: number): readonly string[] {
  return fc.sample(texts, { seed, numRuns: TEXTS_PER_FILE });
}

/** Returns the formulas that LibreOffice finds in cells with the texts, with each separator. */
export function formulasIn(folder: string, cells: readonly string[]): readonly string[] {
  return formulasInCsv(folder, BYTE_ORDER_MARK + cells.map((cell) => csvLine([cell, "b", cell])).join(""));
}

/** Throws when LibreOffice finds no formula where there is one: the check would be worth nothing. */
export function requireFormulas(folder: string): void {
  const { length } = formulasInCsv(folder, "=1+1\r\n");
  if (length !== SEPARATORS.length)
    throw new Error(`LibreOffice finds ${length} formulas of ${SEPARATORS.length}`);
}

function formulasInCsv(folder: string, csv: string): readonly string[] {
  const path = join(folder, "cells.csv");
  writeFileSync(path, csv);
  return SEPARATORS.flatMap((separator) => {
    const profile = `-env:UserInstallation=file://${join(folder, "profile")}`;
    const options = ["--headless", "--convert-to", "fods", "--outdir", folder];
    // The quote, UTF-8, and the first line.
    const filter = `--infilter=CSV:${separator},34,76,1`;
    const { exitCode, stderr } = Bun.spawnSync(["soffice", profile, ...options, filter, path]);
    if (exitCode !== 0) throw new Error(`soffice: ${stderr}`);
    const document = readFileSync(join(folder, "cells.fods"), "utf8");
    return Array.from(document.matchAll(/table:formula="([^"]*)"/g), ([, formula]) => formula!);
  });
}
