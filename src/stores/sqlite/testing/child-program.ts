/** What another process does with a store, for `processes.test.ts` and `refusals.test.ts`. */
import { etagOf } from "../../../catalog/entry.ts";
import { book, books, importBooks } from "../../testing/books.ts";
import { openSqlite } from "../store.ts";

const [task, path = "", argument = ""] = process.argv.slice(2);
const tell = (line: string) => process.stdout.write(`${line}\n`);

switch (task) {
  case "add-one": {
    const store = openSqlite(path, { create: true });
    const id = {
      issued: "2026-01-01T00:00:00.000Z",
      expires: "2027-01-01T00:00:00.000Z",
      revoked: undefined,
    };
    store.tokens.add({ id: argument, name: argument, ...id });
    await importBooks(store, [book(Number(argument), { imprint: "A" })]);
    await store.close();
    tell("done");
    break;
  }
  case "import-on-demand": {
    const store = openSqlite(path, { create: true });
    const lines = console[Symbol.asyncIterator]();
    for (let digit = await lines.next(); !digit.done; digit = await lines.next()) {
      const transaction = await store.beginImport();
      await transaction.put(books(1, 1000, { imprint: "A", title: digit.value.repeat(300) }), 1);
      tell("uncommitted");
      await lines.next();
      await transaction.commit(etagOf(new TextEncoder().encode(digit.value)));
      tell("committed");
    }
    break;
  }
  case "import-and-hang": {
    const transaction = await openSqlite(path, JSON.parse(argument)).beginImport();
    // More than the cache of an import holds: it must go to the disk before the commit.
    for (let n = 1; n <= 250; n++)
      await transaction.put([book(n, { imprint: "B", title: "new".repeat(200_000) })], 1);
    tell("in the middle");
    setInterval(() => {}, 1000);
    break;
  }
  case "open-as-nobody": {
    // Root may do everything; the others are nobody to a file of mode 0 already.
    if (process.getuid?.() === 0) process.setuid?.(65534);
    try {
      await openSqlite(path, JSON.parse(argument)).close();
      tell("opened");
    } catch (error) {
      tell(String(error));
    }
    break;
  }
}
