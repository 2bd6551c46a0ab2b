/** Two imports at the same time: one waits for the other. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { message, product } from "../src/onix/testing/message.ts";
import { openSqlite } from "../src/stores/sqlite/store.ts";
import { COMMAND, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();

test("an import that waits for another one says so, and continues when that has ended", async () => {
  const db = join(folder, "catalog.db");
  const feed = join(folder, "feed.xml");
  writeFileSync(feed, message(product({ isbn: "9788437604947" })));
  const store = openSqlite(db, { create: true });
  const other = await store.beginImport();
  const child = Bun.spawn([COMMAND, "import", "--db", db, feed], { stdout: "pipe", stderr: "pipe" });
  const { promise: firstLine, resolve } = Promise.withResolvers<string>();
  void (async () => {
    let text = "";
    for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (text.includes("\n")) resolve(text);
    }
    resolve(text);
  })();
  expect(await firstLine).toBe("Waiting: another import may be in progress…\n");
  await other.abort();
  await store.close();
  expect(await new Response(child.stdout).text()).toStartWith("1 product: 1 added");
  expect(await child.exited).toBe(0);
});
