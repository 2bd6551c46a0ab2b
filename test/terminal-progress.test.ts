/** The progress line of a command on a terminal. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { message, product } from "../src/onix/testing/message.ts";
import { COMMAND, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();

/** Moves the cursor to the start of the line and erases it. */
const ERASE_LINE = "\r\x1b[K";

test.each([
  ["import", "completing the catalog, with its indexes", "1 product: 1 added"],
  ["check", "finding out what would change", "Checked, nothing written. 1 product: 1 added"],
])("%s shows its last step after reading, and erases it at the end", async (command, step, summary) => {
  const feed = join(folder, "feed.xml");
  writeFileSync(feed, message(product({ isbn: "9788437604947" })));
  let output = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([COMMAND, command, "--db", join(folder, `${command}.db`), feed], {
    terminal: {
      data(_, bytes) {
        output += decoder.decode(bytes, { stream: true });
      },
    },
  });
  expect(await child.exited).toBe(0);
  const lastLines = () => output.split(ERASE_LINE).slice(-2);
  // The last output may arrive after the exit.
  await waitFor("the last line of the output", () => lastLines()[1]?.endsWith("\n") === true);
  expect(lastLines()).toEqual([
    expect.stringMatching(new RegExp(`^1 product read; ${step}(, about [0-9:]+ left)?…$`)),
    expect.stringContaining(summary),
  ]);
});
