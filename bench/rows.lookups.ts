/** Single records, and several at once. */
import { isbnAt } from "./catalog.ts";
import type { Contestant } from "./contestant.ts";
import { inTurns, type Setting, valuesOf } from "./round.ts";
import { compared, type Row } from "./row.ts";
import { randomTarget } from "./wrk.ts";

const NGINX = "nginx";

export async function hotRecord(all: readonly Contestant[], setting: Setting, records: number): Promise<Row> {
  const isbn = isbnAt(Math.floor(records / 2));
  const measured = await inTurns(all, setting, ({ paths }) => ({ path: paths.isbn(isbn) }));
  const values = valuesOf(all, measured, ({ requests }) => requests);
  return compared("/api/isbn, one hot record", "requests/s", values, NGINX, { atLeast: 1 });
}

export async function randomRecord(
  all: readonly Contestant[],
  setting: Setting,
  records: number,
): Promise<Row> {
  const measured = await inTurns(all, setting, (one) => ({ target: randomTarget(one, records) }));
  const values = valuesOf(all, measured, ({ requests }) => requests);
  const name = `/api/isbn, random over ${records.toLocaleString("en")}`;
  return compared(name, "requests/s", values, NGINX, { atLeast: 0.8 });
}

export async function notModified(
  all: readonly Contestant[],
  setting: Setting,
  records: number,
): Promise<Row> {
  const isbn = isbnAt(Math.floor(records / 3));
  const tags = new Map<string, string>();
  for (const { name, url, headers, paths } of all) {
    const response = await fetch(url + paths.isbn(isbn), {
      headers: { ...headers, "Accept-Encoding": "identity" },
    });
    const tag = response.headers.get("etag");
    if (tag !== null) tags.set(name, tag);
  }
  const measured = await inTurns(all, setting, ({ name, paths }) => {
    const tag = tags.get(name);
    return tag === undefined ? undefined : { path: paths.isbn(isbn), headers: { "If-None-Match": tag } };
  });
  const values = valuesOf(all, measured, ({ requests }) => requests);
  return compared("304 on one record", "requests/s", values, NGINX, { atLeast: 1 });
}

const MANY = 100;

export async function severalRecords(
  all: readonly Contestant[],
  setting: Setting,
  records: number,
): Promise<Row> {
  const [colophon] = all;
  const single = await inTurns([colophon!], setting, (one) => ({ target: randomTarget(one, records) }));
  const measured = await inTurns(all, setting, (one) =>
    one.paths.isbns ? { target: randomTarget(one, records, MANY), connections: 8 } : undefined,
  );
  const values = valuesOf(all, measured, ({ requests }) => requests * MANY);
  const alone = { contestant: "one by one", value: single.get(colophon!.name)!.requests };
  const name = `/api/isbns, ${MANY} random ISBNs`;
  return compared(name, "records/s", [...values, alone], alone.contestant, { atLeast: 5 });
}
