/**
 * `npm run fuzz`: requests and feeds of every kind against the real program, for minutes.
 *
 *   npm run fuzz -- [--minutes 5] [--seed 1] [requests|bytes|feeds …]
 *   npm run fuzz -- --again FILE       an input that was kept when something failed on it
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { startColophon, temporaryFolder } from "../process.ts";
import { importBytes } from "./feeds.ts";
import { aim, ask, askKeeping, askWildlyAgain, askWildlyKeeping, wildBytes } from "./http.ts";
import { savingFailingInput } from "./failing-input.ts";
import { bytesOf, mutatedFeeds } from "./mutations.ts";

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { minutes: { type: "string" }, seed: { type: "string" }, again: { type: "string" } },
});
const kinds = positionals.length > 0 ? positionals : ["requests", "bytes", "feeds"];
const milliseconds = (Number(values.minutes ?? 5) * 60_000) / kinds.length;
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

const folder = temporaryFolder();
const server = await startColophon(["--sample", "--db", join(folder.path, "served.db")]);
try {
  const target = await aim(server);
  if (values.again !== undefined) await again(values.again);
  else {
    console.log(`seed ${seed}`);
    for (const kind of kinds) await go(kind);
  }

  async function again(path: string): Promise<void> {
    const input = readFileSync(path);
    const name = basename(path);
    if (name.startsWith("request-")) await ask(target, JSON.parse(input.toString()));
    else if (name.startsWith("bytes-")) await askWildlyAgain(target, input);
    else console.log(await importBytes(folder.path, input));
    console.log("It holds now.");
  }

  async function go(kind: string): Promise<void> {
    let most = 0;
    let runs = 0;
    const counted = async (task: Promise<void>) => {
      await task;
      runs++;
    };
    const properties: Record<string, () => fc.IAsyncProperty<unknown>> = {
      requests: () => fc.asyncProperty(target.requests, (asked) => counted(askKeeping(target, asked))),
      bytes: () => fc.asyncProperty(wildBytes(target), (bytes) => counted(askWildlyKeeping(target, bytes))),
      feeds: () =>
        fc.asyncProperty(mutatedFeeds, (feed) => {
          const bytes = bytesOf(feed);
          const take = async () => {
            most = Math.max(most, (await importBytes(folder.path, bytes)).peak);
          };
          return counted(savingFailingInput("feed", bytes, take));
        }),
    };
    const property = properties[kind];
    if (!property) throw new Error(`there is nothing called "${kind}": requests, bytes or feeds`);
    await fc.assert(property() as fc.IAsyncProperty<unknown>, {
      seed,
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: milliseconds,
      endOnFailure: true,
    });
    const memory = most > 0 ? `, at most ${Math.round(most / 2 ** 20)} MB in a process` : "";
    console.log(`${kind}: ${runs} runs, nothing failed${memory}`);
  }
} finally {
  await server.stop();
  folder.remove();
}
