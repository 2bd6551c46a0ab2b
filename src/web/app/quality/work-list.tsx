/** The work list: how complete the records of each imprint are. Each coloured share leads to the books behind it. */
import { useState } from "preact/hooks";
import type { Quality } from "../../../client/generated/book.ts";
import { BOOK_NEEDS, type BookNeed } from "../../../onix/completeness/needs.ts";
import { decodeEntities } from "../../../onix/summary/plain-text.ts";
import { LEVEL_STARTS, levelOf } from "../../styles/scale.ts";
import { get, getUrl, nextPageOf } from "../shared/core/api.ts";
import { hrefOf } from "../shared/core/router.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { COMMON } from "../shared/ui/common-texts.ts";
import { download } from "../shared/ui/copying.ts";
import { toast } from "../shared/ui/toast.tsx";
import { QUALITY } from "./texts.ts";
import {
  type CountedBooks,
  completenessOf,
  gapsOf,
  nextSorting,
  percentOf,
  type SortColumn,
  type Sorting,
  sortedRows,
  type WeakBook,
  type WorkRow,
  weakBooks,
  weakBooksAsCsv,
} from "./work-rows.ts";

const FEW_ROWS = 40;

interface Props {
  readonly quality: Quality;
  readonly imprints: readonly WorkRow[];
  readonly sorting: Sorting;
  readonly onSort: (sorting: string) => void;
  /** Finds the books that are counted, such as the forthcoming ones. */
  readonly filter: Readonly<Record<string, string>>;
}

export function WorkList({ quality, imprints, sorting, onSort, filter }: Props) {
  const texts = useTexts(QUALITY);
  const formats = useFormats();
  const [isLong, setLong] = useState(false);
  const { otherImprints, withoutImprint } = quality;
  const isWhole = imprints.length === quality.imprints.length;
  const rows = sortedRows(imprints, sorting);
  const shown = isLong ? rows : rows.slice(0, FEW_ROWS);
  return (
    <>
      <Legend />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard. */}
      <figure class="heat-frame" aria-labelledby="completeness" tabIndex={0}>
        <table class="heat">
          <thead>
            <tr>
              {(["imprint", "books", "gaps", "complete", ...BOOK_NEEDS] as const).map((column) => (
                <SortHead key={column} column={column} sorting={sorting} onSort={onSort} />
              ))}
              <th scope="col" class="no-print">
                CSV
              </th>
            </tr>
          </thead>
          <tbody>
            {isWhole && <HeatRow name={texts.all} counted={quality} filter={filter} />}
            {shown.map((row) => (
              <HeatRow
                key={row.slug}
                name={decodeEntities(row.name)}
                counted={row}
                filter={{ ...filter, imprint: row.slug }}
              />
            ))}
            {isWhole && otherImprints.books > 0 && (
              <HeatRow name={texts.others(formats.number(otherImprints.imprints))} counted={otherImprints} />
            )}
            {isWhole && withoutImprint.books > 0 && (
              <HeatRow name={texts.noImprint} counted={withoutImprint} />
            )}
          </tbody>
        </table>
      </figure>
      {rows.length > FEW_ROWS && (
        <button type="button" class="button button-quiet heat-more" onClick={() => setLong(!isLong)}>
          {isLong ? texts.fewer : texts.more(formats.number(rows.length - FEW_ROWS))}
        </button>
      )}
    </>
  );
}

interface HeadProps extends Pick<Props, "sorting" | "onSort"> {
  readonly column: SortColumn;
}

function SortHead({ column, sorting, onSort }: HeadProps) {
  const texts = useTexts(QUALITY);
  const isSorted = sorting.column === column;
  const order = sorting.isDescending ? "descending" : "ascending";
  return (
    <th scope="col" aria-sort={isSorted ? order : "none"}>
      <button type="button" class="heat-sort" onClick={() => onSort(nextSorting(column, sorting))}>
        {texts.columns[column as keyof typeof texts.columns] ?? texts.needs[column as BookNeed]}
        <span aria-hidden="true">{isSorted ? (sorting.isDescending ? " ↓" : " ↑") : ""}</span>
      </button>
    </th>
  );
}

interface RowProps {
  readonly name: string;
  readonly counted: CountedBooks;
  /** Finds the books of the row. When omitted, no search does. */
  readonly filter?: Readonly<Record<string, string>>;
}

function HeatRow({ name, counted, filter }: RowProps) {
  const formats = useFormats();
  const complete = completenessOf(counted);
  return (
    <tr>
      <th scope="row" dir="auto">
        {filter ? <a href={hrefOf("", filter)}>{name}</a> : name}
      </th>
      <td class="heat-number">{formats.number(counted.books)}</td>
      <td class="heat-number">{formats.number(gapsOf(counted))}</td>
      <td class={`heat-cell heat-${levelOf(complete, 1)}`}>{percentOf(complete, 1)} %</td>
      {BOOK_NEEDS.map((need) => (
        <HeatCell key={need} need={need} counted={counted} filter={filter} />
      ))}
      <td class="no-print">
        {filter?.imprint !== undefined && gapsOf(counted) > 0 && (
          <CsvButton name={name} counted={counted} filter={filter} />
        )}
      </td>
    </tr>
  );
}

/** Saves the books of an imprint that lack something. */
function CsvButton({ name, counted, filter }: Required<RowProps>) {
  const texts = useTexts(QUALITY);
  const common = useTexts(COMMON);
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      download(await weakBooksCsv(counted, filter), `${filter.imprint}-gaps.csv`, "text/csv");
    } catch {
      toast(common.failedTitle);
    }
    setBusy(false);
  };
  return (
    <button type="button" class="heat-csv" disabled={isBusy} aria-label={texts.csvOf(name)} onClick={save}>
      CSV
    </button>
  );
}

interface CellProps extends Pick<RowProps, "counted"> {
  readonly need: BookNeed;
  readonly filter: RowProps["filter"] | undefined;
}

function HeatCell({ need, counted: { books, has }, filter }: CellProps) {
  const texts = useTexts(QUALITY);
  const formats = useFormats();
  const percent = `${percentOf(has[need], books)} %`;
  const lacking = books - has[need];
  const title = texts.lack(formats.number(lacking), formats.number(books));
  return (
    <td class={`heat-cell heat-${levelOf(has[need], books)}`}>
      {lacking > 0 && filter ? (
        <a href={hrefOf("", { ...filter, lacks: need })} title={title}>
          {percent}
          <span class="visually-hidden">
            {" "}
            {texts.needs[need]}: {title}
          </span>
        </a>
      ) : (
        percent
      )}
    </td>
  );
}

function Legend() {
  const texts = useTexts(QUALITY);
  return (
    <ul class="heat-legend" aria-label={texts.legend}>
      {LEVEL_STARTS.map((_, level) => (
        <li key={level}>
          <span class={`heat-swatch heat-${level}`} />
          {texts.levels[level]}
        </li>
      ))}
    </ul>
  );
}

const PAGE_LENGTH = 1000;
/** The books of each need that are read. A file of more is for a machine: `/api/search` has them all. */
const MAX_WEAK_BOOKS = 10_000;

type Found = Omit<WeakBook, "lacks">;

/** `filter` selects the books of the imprint. */
async function weakBooksCsv(
  { books, has }: CountedBooks,
  filter: Readonly<Record<string, string>>,
): Promise<string> {
  const found = new Map<BookNeed, readonly Found[]>();
  for (const need of BOOK_NEEDS) if (has[need] < books) found.set(need, await booksLacking(need, filter));
  return weakBooksAsCsv(weakBooks(found));
}

async function booksLacking(
  need: BookNeed,
  filter: Readonly<Record<string, string>>,
): Promise<readonly Found[]> {
  let page = await get<readonly Found[]>("search", { ...filter, lacks: need, limit: PAGE_LENGTH });
  const found = [...page.body];
  for (let next = nextPageOf(page); next && found.length < MAX_WEAK_BOOKS; next = nextPageOf(page)) {
    page = await getUrl<readonly Found[]>(next);
    found.push(...page.body);
  }
  return found;
}
