/** An import as it looks on a terminal. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { message, product } from "../src/onix/testing/message.ts";
import { COMMAND, temporaryFolder } from "./process.ts";

setDefaultTimeout(60_000);

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Goes back to the beginning of the line, and empties it. */
const ANEW = "\r\x1b[K";

test.each([
  ["import", "completing the catalog, with its indexes…", "1 products: 1 added"],
  ["check", "finding out what would change…", "Checked, nothing written. 1 products: 1 added"],
])("%s says what goes on when all is read, and nothing of it stays", async (command, meanwhile, end) => {
  const feed = join(folder.path, "feed.xml");
  writeFileSync(feed, message(product({ isbn: "9788437604947" })));
  let shown = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([COMMAND, command, "--db", join(folder.path, `${command}.db`), feed], {
    terminal: {
      data(_, bytes) {
        shown += decoder.decode(bytes, { stream: true });
      },
    },
  });
  expect(await child.exited).toBe(0);
  const last = () => shown.split(ANEW).slice(-2);
  // What was written last may come after the word of its end.
  while (!last()[1]?.endsWith("\n")) await Bun.sleep(10);
  expect(last()).toEqual([`1 products read; ${meanwhile}`, expect.stringContaining(end)]);
});
