import { expect, test } from "bun:test";
import { elementByTag } from "../../../../onix/element-table.ts";
import { nameInWords } from "./element-names.ts";

/** Returns the names of all elements that a product can contain. */
function elementsOf(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const child of elementByTag(name)!.children.keys()) elementsOf(child, found);
  return found;
}

test("has Spanish words for every element of a product", () => {
  const elements = [...elementsOf("Product")];
  expect(elements.length).toBeGreaterThan(450);
  expect(elements.filter((name) => nameInWords(name, "spa") === name)).toEqual([]);
});

test.each([
  ["ProductFormDetail", "Product form detail", "Detalle del formato"],
  ["AVItemIDType", "AV item ID type", "Tipo de identificador del elemento audiovisual"],
  ["EpubUsageType", "E-publication usage type", "Tipo de uso"],
  ["ROWSalesRightsType", "Sales rights in the rest of the world", "Derechos de venta en el resto del mundo"],
  ["@datestamp", "Date stamp", "Fecha del dato"],
  ["Text@sourcename", "Text · Source name", "Texto · Nombre de la fuente"],
  ["@constructor", "constructor", "constructor"],
  ["constructor", "constructor", "constructor"],
  ["MyShelf", "My shelf", "MyShelf"],
])("returns the words for %s", (name, eng, spa) => {
  expect([nameInWords(name, "eng"), nameInWords(name, "spa")]).toEqual([eng, spa]);
});
