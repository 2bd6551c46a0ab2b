import { expect, test } from "bun:test";
import { authors } from "./helpers.ts";

test.each([
  [{ PersonNameInverted: "García Márquez, Gabriel", CorporateName: "Gabo" }, "Gabriel García Márquez"],
  [{ PersonNameInverted: "King, Martin Luther, Jr" }, "King, Martin Luther, Jr"],
  [{ NamesBeforeKey: "Jean", PrefixToKey: "d’", KeyNames: "Ormesson" }, "Jean d’Ormesson"],
  [{ NamesBeforeKey: "Ludwig", PrefixToKey: "van", KeyNames: "Beethoven" }, "Ludwig van Beethoven"],
])("the author %p is named as in a summary", (name, expected) => {
  const Contributor = { ContributorRole: "A01", ...name };
  expect(authors({ DescriptiveDetail: { Contributor } } as never)).toEqual([expected]);
});
