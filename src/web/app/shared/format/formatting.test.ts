/** Numbers and dates have one style: no other folder of the app formats them. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const APP = join(import.meta.dir, "../..");

test("only this folder uses the formatters of Intl", () => {
  const files = [...new Bun.Glob("**/*.{ts,tsx}").scanSync({ cwd: APP })];
  const formatting = files.filter((file) =>
    /Intl\.\w+Format|toLocale(Date|Time)?String/.test(readFileSync(join(APP, file), "utf8")),
  );
  expect([...new Set(formatting.map((file) => file.slice(0, file.lastIndexOf("/"))))]).toEqual([
    "shared/format",
  ]);
});
