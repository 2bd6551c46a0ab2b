/** The subjects as a filter: the broader ones of the chosen one, and those directly below it. */
import type { Query } from "../../../client/transport.ts";
import { hrefOf } from "../shared/core/router.ts";
import { type Subject, useNarrowerSubjects, useSubjects } from "../shared/core/subjects.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { type Selection, valuesOf } from "./selection.ts";
import { SHELF } from "./texts.ts";

interface Props {
  readonly selection: Selection;
  /** The parameters of the search whose books are counted. */
  readonly search: Query;
}

export function SubjectTree({ selection, search }: Props) {
  const texts = useTexts(SHELF);
  const formats = useFormats();
  const chosen = (valuesOf(selection, "subject")[0] ?? "").replace(/^9[3-9]:/, "").toUpperCase();
  // A narrower code begins with its broader ones.
  const path = useSubjects(Array.from(chosen, (_, at) => chosen.slice(0, at + 1)));
  const below = useNarrowerSubjects(chosen, search).filter(({ books }) => books !== 0);
  if (path.length + below.length === 0) return null;
  const filterOf = ({ scheme, code }: Subject) => `${scheme}:${code}`;
  return (
    <section class="facet">
      <h3 id="facet-subject">{texts.choices.subject}</h3>
      <ul class="plain" aria-labelledby="facet-subject">
        {[...path, ...below].map((subject) => {
          const isChosen = subject.code === chosen;
          const broader = path.at(-2);
          const target = isChosen ? broader && filterOf(broader) : filterOf(subject);
          return (
            <li
              key={subject.code}
              class={path.length === 0 || path.includes(subject) ? undefined : "subject-below"}
            >
              <a
                href={hrefOf("", withSubject(selection, target))}
                aria-current={isChosen ? "true" : undefined}
              >
                <span class="facet-label" dir="auto">
                  {subject.label}
                </span>
                {subject.books !== undefined && (
                  <span class="facet-count">
                    {typeof subject.books === "number"
                      ? formats.number(subject.books)
                      : `${formats.number(MANY)}+`}
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The service counts up to this number. */
const MANY = 10_000;

/** The tree chooses one subject: a narrower one is found by its broader ones, too. */
function withSubject(selection: Selection, subject: string | undefined): Selection {
  const { subject: _before, ...others } = selection;
  return subject === undefined ? others : { ...others, subject: [subject] };
}
