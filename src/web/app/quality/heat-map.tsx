/** How complete the records of each imprint are: a table whose cells are coloured, and lead to the books behind them. */
import { decodeEntities } from "../../../onix/summary/plain-text.ts";
import { hrefOf } from "../shared/core/router.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { type CountedBooks, LEVEL_STARTS, levelOf, NEEDS, type Need, percentOf } from "./needs.ts";
import type { Quality } from "./quality-data.ts";
import { QUALITY } from "./texts.ts";

export function HeatMap({ quality }: { readonly quality: Quality }) {
  const texts = useTexts(QUALITY);
  const formats = useFormats();
  const { imprints, otherImprints, withoutImprint } = quality;
  return (
    <section class="quality-section" aria-labelledby="completeness">
      <h2 id="completeness">{texts.completeness}</h2>
      <p class="muted">{texts.completenessText}</p>
      <Legend />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard. */}
      <figure class="heat-frame" aria-labelledby="completeness" tabIndex={0}>
        <table class="heat">
          <thead>
            <tr>
              <th scope="col">{texts.imprint}</th>
              <th scope="col" class="heat-number">
                {texts.books}
              </th>
              {NEEDS.map((need) => (
                <th key={need} scope="col">
                  {texts.needs[need]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <HeatRow name={texts.all} counted={quality} filter={{}} />
            {imprints.map((imprint) => (
              <HeatRow
                key={imprint.slug}
                name={decodeEntities(imprint.name)}
                counted={imprint}
                filter={{ imprint: imprint.slug }}
              />
            ))}
            {otherImprints.books > 0 && (
              <HeatRow name={texts.others(formats.number(otherImprints.imprints))} counted={otherImprints} />
            )}
            {withoutImprint.books > 0 && <HeatRow name={texts.noImprint} counted={withoutImprint} />}
          </tbody>
        </table>
      </figure>
    </section>
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
  return (
    <tr>
      <th scope="row" dir="auto">
        {filter ? <a href={hrefOf("", filter)}>{name}</a> : name}
      </th>
      <td class="heat-number">{formats.number(counted.books)}</td>
      {NEEDS.map((need) => (
        <HeatCell key={need} need={need} counted={counted} filter={filter} />
      ))}
    </tr>
  );
}

interface CellProps extends Pick<RowProps, "counted"> {
  readonly need: Need;
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
