import { type CountKind, NO_IMPRINT } from "../../../catalog/quality/book-counts.ts";
import { MAX_QUALITY_BOOKS } from "../../../catalog/quality/catalog-quality.ts";
import { monthInSql, searchIdRange } from "../../../catalog/search/search-id.ts";
import { BOOK_NEEDS } from "../../../onix/completeness/needs.ts";
import type { Day } from "../../../onix/date.ts";

/** Returns the table `counted` for `qualityQuery`: the counts of the books from a day on. All of them have a date. */
export function countedBooks(from: Day): string {
  const { last } = searchIdRange(from, undefined);
  const month = monthInSql("search_id");
  const several = (kind: CountKind, column: string) =>
    `SELECT '${kind}', each.value, count(*) FROM found, unnest(${column}) AS each (value)
     WHERE each.value <> '' GROUP BY each.value`;
  const ofImprints = (kind: CountKind, condition = "") =>
    `SELECT '${kind}', imprint, CAST(sum(books) AS BIGINT) FROM of_imprint ${condition} GROUP BY imprint`;
  const lacks = BOOK_NEEDS.map((need, bit) => ofImprints(`lacks ${need}`, `WHERE lacks & ${1 << bit} <> 0`));
  return `found AS MATERIALIZED (
      SELECT imprint, languages, form, prices, lacks, id AS search_id FROM colophon.search_book
      WHERE id <= ${last} ORDER BY id LIMIT ${MAX_QUALITY_BOOKS + 1}),
    of_imprint AS MATERIALIZED (
      SELECT coalesce(imprint, '${NO_IMPRINT}') AS imprint, lacks, count(*) AS books FROM found GROUP BY imprint, lacks),
    counted (kind, value, books) AS (
      ${ofImprints("imprint")}
      UNION ALL ${lacks.join("\n UNION ALL ")}
      UNION ALL SELECT 'form', form, count(*) FROM found WHERE form IS NOT NULL GROUP BY form
      UNION ALL SELECT 'month', ${month}, count(*) FROM found GROUP BY ${month}
      UNION ALL ${several("language", "languages")}
      UNION ALL ${several("price", "prices")})`;
}
