import { expect, test } from "bun:test";
import type { KeptImport } from "../../catalog/history/import-history.ts";
import { publicMessage } from "./public-message.ts";

const feeds = [
  { name: "a.xml" },
  { name: "b.zip/in/c.xml" },
  { name: "d.zip" },
] as unknown as KeptImport["feeds"];

test.each([
  ["/srv/my feeds/in/a.xml: line 3: not well-formed", "a.xml: line 3: not well-formed"],
  ["in/b.zip/in/c.xml: The message is older.", "b.zip/in/c.xml: The message is older."],
  ["/srv/feeds/other.xml: there is no such file", "other.xml: there is no such file"],
  ["/srv/my feeds/other.xml: there is no such file", "other.xml: there is no such file"],
  ["../my feeds/other.xml: there is no such file", "other.xml: there is no such file"],
  ["/srv/my feeds/d.zip/in/e.xml: line 1: not ONIX", "d.zip/in/e.xml: line 1: not ONIX"],
  [
    "Another import into /var/lib/colophon/catalog.db is running",
    "Another import into catalog.db is running",
  ],
  ["The connection to PostgreSQL at db.example:5432/books was lost", "The connection to PostgreSQL was lost"],
  ["a.xml: the date 1/2/3 in </Product> is no date", "a.xml: the date 1/2/3 in </Product> is no date"],
])("returns %j without folders and hosts", (message, expected) => {
  expect(publicMessage({ message, feeds } as unknown as KeptImport)).toBe(expected);
});
