/** The subjects as a filter: the broader ones of the chosen one, and those directly below it. */
import { hrefOf } from "../shared/core/router.ts";
import { type Subject, useNarrowerSubjects, useSubjects } from "../shared/core/subjects.ts";
import { useTexts } from "../shared/core/texts.ts";
import { type Selection, valuesOf } from "./selection.ts";
import { SHELF } from "./texts.ts";

export function SubjectTree({ selection }: { readonly selection: Selection }) {
  const texts = useTexts(SHELF);
  const chosen = (valuesOf(selection, "subject")[0] ?? "").replace(/^9[3-9]:/, "").toUpperCase();
  // A narrower code begins with its broader ones.
  const path = useSubjects(Array.from(chosen, (_, at) => chosen.slice(0, at + 1)));
  const below = useNarrowerSubjects(chosen);
  if (path.length + below.length === 0) return null;
  const filterOf = ({ scheme, code }: Subject) => `${scheme}:${code}`;
  return (
    <section class="facet">
      <h3 id="facet-subject">{texts.chips.subject}</h3>
      <ul aria-labelledby="facet-subject">
        {[...path, ...below].map((subject) => {
          const isChosen = subject.code === chosen;
          const broader = path.at(-2);
          const target = isChosen ? broader && filterOf(broader) : filterOf(subject);
          return (
            <li key={subject.code} class={path.includes(subject) ? undefined : "subject-below"}>
              <a
                href={hrefOf("", withSubject(selection, target))}
                aria-current={isChosen ? "true" : undefined}
              >
                <span class="facet-label" dir="auto">
                  {subject.label}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The tree chooses one subject: a narrower one is found by its broader ones, too. */
function withSubject(selection: Selection, subject: string | undefined): Selection {
  const { subject: _before, ...others } = selection;
  return subject === undefined ? others : { ...others, subject: [subject] };
}
