/** Previews an import that is larger than the memory of a preview, and then waits to be killed. */
import { openSqlite } from "../../sqlite/store.ts";
import { book } from "../../testing/books.ts";

const preview = await openSqlite(process.argv[2]!, { create: true }).beginPreview();
for (let number = 1; number <= 100; number++) {
  await preview.put([book(number, { title: "x".repeat(500_000) })], 1);
}
process.stdout.write("in the middle\n");
setInterval(() => {}, 1000);
