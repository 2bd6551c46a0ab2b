/** A program that uses a store in a process of its own; see `child-process.ts`. */

import { etagOf } from "../../../catalog/entry.ts";
import { anyRun } from "../../../catalog/testing/import-runs.ts";
import { book, books, importBooks } from "../../testing/books.ts";
import { openSqlite } from "../store.ts";

const [task, path = "", argument = ""] = process.argv.slice(2);
const print = (line: string) => process.stdout.write(`${line}\n`);

switch (task) {
  case "add-one": {
    const store = openSqlite(path, { create: true });
    const times = {
      issued: "2026-01-01T00:00:00.000Z",
      expires: "2027-01-01T00:00:00.000Z",
      revoked: undefined,
    };
    store.tokens.add({ id: argument, name: argument, ...times });
    await importBooks(store, [book(Number(argument), { imprint: "A" })]);
    await store.close();
    print("done");
    break;
  }
  case "import-on-demand": {
    const store = openSqlite(path, { create: true });
    const lines = console[Symbol.asyncIterator]();
    for (let digit = await lines.next(); !digit.done; digit = await lines.next()) {
      const transaction = await store.beginImport();
      await transaction.put(books(1, 1000, { imprint: "A", title: digit.value.repeat(300) }), 1);
      print("uncommitted");
      await lines.next();
      await transaction.commit(etagOf(new TextEncoder().encode(digit.value)), anyRun());
      print("committed");
    }
    break;
  }
  case "import-and-hang": {
    const transaction = await openSqlite(path, JSON.parse(argument)).beginImport();
    // More than the cache of an import, so that SQLite writes to the disk before the commit.
    for (let number = 1; number <= 250; number++)
      await transaction.put([book(number, { imprint: "B", title: "new".repeat(200_000) })], 1);
    print("in the middle");
    setInterval(() => {}, 1000);
    break;
  }
  case "open-as-nobody": {
    // Permissions do not apply to root; any other user lacks them as required.
    if (process.getuid?.() === 0) process.setuid?.(65534);
    try {
      await openSqlite(path, JSON.parse(argument)).close();
      print("opened");
    } catch (error) {
      print(String(error));
    }
    break;
  }
}
