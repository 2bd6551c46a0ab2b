/** Asks PostgreSQL the same as /api/search, with psql on the tables of Colophon. */
import { fold } from "../../src/catalog/search/fold.ts";
import { searchQueries } from "./feed.ts";
import { percentile } from "./percentile.ts";

/** The page and the number of books up to 10,001, as /api/search returns them. */
const pageInOrder = (order: string) =>
  `SELECT m.body, (SELECT count(*) FROM (SELECT FROM colophon.search WHERE words @@ QUERY LIMIT 10001) AS t) AS total ` +
  `FROM (SELECT id FROM colophon.search WHERE words @@ QUERY ORDER BY ${order} LIMIT 20) AS s ` +
  `JOIN colophon.summary m ON m.isbn = ${searchIdIsbn("s.id")}`;

const STATEMENTS = {
  "newest first": pageInOrder("id"),
  "by ts_rank": pageInOrder("ts_rank(words, QUERY) DESC, id"),
} as const;

/** As `isbnOfSearchId` computes it. */
function searchIdIsbn(id: string): string {
  return `9780000000000 + ${id} % 20000000000`;
}

/** Returns a line for each statement. */
export async function measurePsql(url: string, count: number): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, statement] of Object.entries(STATEMENTS)) {
    const latencies = await timesOf(url, searchQueries(count, lines.length + 1), statement);
    const at = (share: number) => percentile(latencies, share).toFixed(1);
    lines.push(`psql, ${name}: p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`);
  }
  return lines;
}

async function timesOf(url: string, queries: readonly string[], statement: string): Promise<number[]> {
  const script = queries.map((query) => `${statement.replaceAll("QUERY", tsquery(query))};`);
  const child = Bun.spawn(["psql", "-q", "-d", url, "-c", "\\timing on", "-f", "-", "-o", "/dev/null"], {
    stdin: Buffer.from(`\\timing on\n${script.join("\n")}\n`),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0 || stderr.includes("ERROR")) throw new Error(stderr.slice(0, 500));
  return [...stdout.matchAll(/^Time: ([0-9.]+) ms/gm)].map(([, ms]) => Number(ms)).sort((a, b) => a - b);
}

function tsquery(query: string): string {
  return `'${query.split(" ").map(fold).join(" & ")}'::tsquery`;
}
