import { expect, test } from "bun:test";
import { authorsOf } from "./authors.ts";

const person = (name: string | null, ...roles: string[]) => ({ name, role: roles[0] ?? null, roles });

test.each([
  ["authors before others", [person("Ana", "B06"), person("Eva", "A01")], "Eva"],
  ["other creators without an author", [person("Ana", "B06"), person("Leo", "A12")], "Leo"],
  ["the first contributor otherwise", [person("Ana", "B06"), person("Eva", "B01")], "Ana"],
  ["authors by any of their roles", [person("Ana", "A12"), person("Eva", "B01", "A01")], "Eva"],
  ["no unnamed person", [person(null, "A01"), person("Eva")], "Eva"],
  ["at most three names", ["A", "B", "C", "D"].map((name) => person(name, "A01")), "A, B, C …"],
  ["nothing without contributors", [], ""],
])("authorsOf returns %s", (_, contributors, names) => {
  expect(authorsOf({ contributors })).toBe(names);
});
