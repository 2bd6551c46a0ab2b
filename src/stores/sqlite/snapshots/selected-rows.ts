/** The rows of lists of records, checked against the stored counts. */
import type { SQLQueryBindings } from "bun:sqlite";
import type { DateSelection, ImprintSelection, IndexedSelection } from "../../../catalog/selection.ts";
import type { Imprint } from "../../../catalog/store.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { isbnFromColumn, LAST_DAY } from "../../columns.ts";
import { dayToColumn, delimitLanguage, type RecordRow, requireIntact } from "../rows.ts";

const SELECT_RECORD_COUNT = "SELECT records FROM catalog";
const SELECT_IMPRINT_COUNT = "SELECT total(records) AS records FROM imprint WHERE slug = ?";
/** Less than every ISBN. */
const BEFORE_FIRST = -1;

/** Returns the bindings of a query for the rows after this one; without it, for all rows. */
export type BindingsAfter<Row> = (last: Row | undefined) => readonly SQLQueryBindings[];

export type ListRows = <Row>(sql: string, bindingsAfter: BindingsAfter<Row>) => Generator<Row, void>;

interface ImprintRow extends Imprint {
  readonly records: number;
}

/** Yields the rows of a selection; without one, of all records by ISBN. Their bodies are intact. */
export function selectedRows<Row extends RecordRow>(
  list: ListRows,
  selection: IndexedSelection | undefined,
  columns: string,
): Generator<Row, void> {
  if (selection?.kind === "date") return rowsOfDates(list, selection, columns);
  if (selection?.kind === "imprint") return rowsOfImprint(list, selection, columns);
  const sql = `SELECT ${columns} WHERE isbn > ? ORDER BY isbn`;
  return checkedRows<Row>(list, sql, afterIsbn(), (count) => requireCount(list, count));
}

export function* allIsbns(list: ListRows): Generator<Isbn13, void> {
  const sql = "SELECT isbn FROM record INDEXED BY record_by_isbn WHERE isbn > ? ORDER BY isbn";
  let count = 0;
  for (const { isbn } of list<{ isbn: number }>(sql, afterIsbn())) {
    count++;
    yield isbnFromColumn(isbn);
  }
  requireCount(list, count);
}

/**
 * Names each imprint by its spelling with the most records. On a tie, the first in code point order wins: SQLite
 * compares UTF-8 bytes.
 */
export function* imprints(list: ListRows): Generator<Imprint, void> {
  let best: ImprintRow | undefined;
  const sql = "SELECT slug, name, records FROM imprint WHERE (slug, name) > (?, ?) ORDER BY slug, name";
  const rowsAfter = (last: ImprintRow | undefined) => [last?.slug ?? "", last?.name ?? ""];
  for (const row of list<ImprintRow>(sql, rowsAfter)) {
    if (best?.slug === row.slug && best.records >= row.records) continue;
    if (best && best.slug !== row.slug) yield { slug: best.slug, name: best.name };
    best = row;
  }
  if (best) yield { slug: best.slug, name: best.name };
}

/** Returns the stored count of all records, or of those of an imprint. */
export function recordCount(list: ListRows, slug?: string): number {
  return slug === undefined
    ? queryCount(list, SELECT_RECORD_COUNT)
    : queryCount(list, SELECT_IMPRINT_COUNT, slug);
}

function rowsOfDates<Row extends RecordRow>(
  list: ListRows,
  { from, to }: DateSelection,
  columns: string,
): Generator<Row, void> {
  type DatedRow = Row & { readonly published: number };
  const sql = `SELECT published, ${columns} WHERE published BETWEEN ?1 AND ?2 AND NOT (published = ?2 AND isbn <= ?3)
    ORDER BY published DESC, isbn`;
  const lastDay = dayToColumn(to ?? LAST_DAY);
  const rowsAfter = (last: DatedRow | undefined) => [
    dayToColumn(from),
    last?.published ?? lastDay,
    last?.isbn ?? BEFORE_FIRST,
  ];
  // No count of the records of a period is stored, so there is nothing to compare with.
  return checkedRows<DatedRow>(list, sql, rowsAfter, () => {});
}

function rowsOfImprint<Row extends RecordRow>(
  list: ListRows,
  { slug, language }: ImprintSelection,
  columns: string,
): Generator<Row, void> {
  if (language === undefined) {
    const sql = `SELECT ${columns} WHERE imprint = ? AND isbn > ? ORDER BY isbn`;
    return checkedRows<Row>(list, sql, afterIsbn(slug), (count) => requireCount(list, count, slug));
  }
  const sql = `SELECT ${columns} WHERE instr(languages, ?) > 0 AND imprint = ? AND isbn > ? ORDER BY isbn`;
  return checkedRows<Row>(list, sql, afterIsbn(delimitLanguage(language), slug), () => {
    requireCount(
      list,
      queryCount(list, "SELECT count(*) AS records FROM record WHERE imprint = ?", slug),
      slug,
    );
  });
}

/** Yields the rows of a query, with their bodies checked. Calls `atEnd` with their number. */
function* checkedRows<Row extends RecordRow>(
  list: ListRows,
  sql: string,
  bindingsAfter: BindingsAfter<Row>,
  atEnd: (count: number) => void,
): Generator<Row, void> {
  let count = 0;
  for (const row of list(sql, bindingsAfter)) {
    requireIntact(row);
    count++;
    yield row;
  }
  atEnd(count);
}

/** Compares the length of a list with the stored count: a damaged index may have lost entries. */
function requireCount(list: ListRows, count: number, slug?: string): void {
  const expected = recordCount(list, slug);
  if (expected !== count) throw new Error(`The index is damaged: it has ${count} of ${expected} records`);
}

function queryCount(list: ListRows, sql: string, ...bindings: string[]): number {
  for (const { records } of list<{ records: number }>(sql, () => bindings)) return records;
  throw new Error("The catalog has lost its record count");
}

/** Returns bindings whose last one is the ISBN that the rows come after. */
function afterIsbn(...bindings: SQLQueryBindings[]): BindingsAfter<{ readonly isbn: number | string }> {
  return (last) => [...bindings, last?.isbn ?? BEFORE_FIRST];
}
