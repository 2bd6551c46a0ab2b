import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";

const ROOT = join(import.meta.dir, "../../..");

/** The conditions and the code after each `skipIf` of all tests, by place. */
function skips(): { readonly place: string; readonly condition: string; readonly rest: string }[] {
  const files = ["src", "test"].flatMap((folder) => [
    ...new Glob(`${folder}/**/*.test.ts`).scanSync({ cwd: ROOT }),
  ]);
  return files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    return [...text.matchAll(/\.skipIf\(/g)].map(({ index }) => {
      const start = index + ".skipIf(".length;
      let end = start;
      for (let depth = 1; depth > 0; end++) depth += { "(": 1, ")": -1 }[text[end]!] ?? 0;
      const place = `${file}:${text.slice(0, index).split("\n").length}`;
      return { place, condition: text.slice(start, end - 1), rest: text.slice(end) };
    });
  });
}

test("a test that lacks a program, a file or a right is skipped by the rule of requirements.ts", () => {
  const others = skips().filter(({ condition }) =>
    /Bun\.which|existsSync|^(?!isMissing).*getuid/.test(condition),
  );
  expect(others.map(({ place }) => place)).toEqual([]);
});

test("the title of a test that can be skipped says so", () => {
  const silent = skips().filter(({ condition, rest }) => {
    // The group of these tests, or a variable, has the reason.
    if (/^(isServerGiven\(\)|!HAS_TRANSACTION_TIMEOUT)$/.test(condition)) return false;
    const title = /^\(\s*(["'`])(.*?)\1/s.exec(rest)?.[2];
    return title !== undefined && !/skipped|\$\{(SKIP_REASON|skipReason|oracleIsMissing|mode)\}/.test(title);
  });
  expect(silent.map(({ place }) => place)).toEqual([]);
});
