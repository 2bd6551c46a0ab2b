/** docs/names.md has the public names of the code. A name that leaves it breaks programs of others. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { NAMES_PATH, namesPage } from "../scripts/names.ts";

/** Each name with its section and group: a parameter of one path is not that of another. */
function namesOf(page: string): string[] {
  let section = "";
  return page.split("\n").flatMap((line) => {
    if (line.startsWith("## ")) section = line.slice(3);
    const [, group = "", list] = /^- (?:(.*?): )?(`.*)$/.exec(line) ?? [];
    return list === undefined ? [] : list.split(", ").map((name) => `${section}: ${group} ${name}`);
  });
}

test("no public name has left docs/names.md, and all new ones are in it", async () => {
  const [documented, current] = [namesOf(readFileSync(NAMES_PATH, "utf8")), namesOf(await namesPage())];
  expect(current.length).toBeGreaterThan(400);
  const left = documented.filter((name) => !current.includes(name));
  const missing = current.filter((name) => !documented.includes(name));
  // After a deliberate change, `npm run names` writes the page again, and the change log names what left.
  expect({ left, missing }).toEqual({ left: [], missing: [] });
});
