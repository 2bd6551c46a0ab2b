/** The books by month as a table: a row for each year. Each number leads to its books. */
import { hrefOf } from "../shared/core/router.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { daysOf, type Month, yearsOf } from "./months.ts";
import { QUALITY } from "./texts.ts";

interface Props {
  readonly months: readonly Month[];
}

export function MonthTable({ months }: Props) {
  const texts = useTexts(QUALITY);
  const formats = useFormats();
  const names = Array.from({ length: 12 }, (_, index) => formats.month(index + 1));
  return (
    <details class="month-table">
      <summary>{texts.monthsTable}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard. */}
      <figure class="heat-frame" aria-label={texts.months} tabIndex={0}>
        <table class="heat">
          <thead>
            <tr>
              <th scope="col">{texts.year}</th>
              {names.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {yearsOf(months).map(({ year, months: cells }) => (
              <tr key={year}>
                <th scope="row">{year}</th>
                {cells.map((month, index) => (
                  <td key={index} class="heat-number">
                    {month && <MonthCell month={month} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </figure>
    </details>
  );
}

function MonthCell({ month }: { readonly month: Month }) {
  const formats = useFormats();
  const books = formats.number(month.books);
  return month.books > 0 ? <a href={hrefOf("", daysOf(month))}>{books}</a> : books;
}
