/** The complaints of an import, grouped, each with its books. */
import { hrefOf } from "../shared/core/router.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import type { ComplaintExample, ComplaintGroup } from "./imports-data.ts";
import { IMPORTS } from "./texts.ts";

export function ComplaintGroups({ groups }: { readonly groups: readonly ComplaintGroup[] }) {
  return (
    <ol class="complaints">
      {groups.map((group, index) => (
        <li key={index}>
          <Group group={group} />
        </li>
      ))}
    </ol>
  );
}

function Group({ group }: { readonly group: ComplaintGroup }) {
  const texts = useTexts(IMPORTS);
  const formats = useFormats();
  const { severity, text, advice, count, examples } = group;
  return (
    <>
      <h3 class="complaint-text">
        <span class={`severity severity-${severity}`}>{texts.severities[severity]}</span>{" "}
        <span dir="auto">{text}</span>
      </h3>
      {/* Advice comes from the service, in English. */}
      {advice && (
        <p class="muted" lang="en">
          {advice}
        </p>
      )}
      {count > 1 && <p class="complaint-count">{texts.times(formats.number(count))}</p>}
      <ul class="complaint-books">
        {examples.map((example, index) => (
          <li key={index}>
            <Example example={example} />
          </li>
        ))}
      </ul>
      {count > examples.length && examples.length > 0 && (
        <p class="muted">{texts.unlisted(formats.number(count - examples.length))}</p>
      )}
    </>
  );
}

function Example({ example: { isbn, reference, file, line } }: { readonly example: ComplaintExample }) {
  const texts = useTexts(IMPORTS);
  return (
    <>
      {isbn ? (
        <a href={hrefOf(`book/${isbn}`)}>{isbn}</a>
      ) : (
        <span dir="auto">{reference || texts.reference}</span>
      )}{" "}
      <span class="muted" dir="auto">
        {texts.line(file, String(line))}
      </span>
    </>
  );
}
