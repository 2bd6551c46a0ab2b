/** The OpenAPI page below the header: about the API, the token, the endpoints by category, the fields of a record. */

import { useEffect, useState } from "preact/hooks";
import { useObservable } from "../shared/core/observable.ts";
import { useTexts } from "../shared/core/texts.ts";
import { tokenState } from "../shared/core/token.ts";
import { Authorization } from "./authorization.tsx";
import { type CatalogExamples, readExamples } from "./catalog-examples.ts";
import { type ApiDocument, categoriesOf } from "./document.ts";
import { EndpointView } from "./endpoint-view.tsx";
import { Markdown } from "./markdown.tsx";
import { SchemaView } from "./schema-view.tsx";
import { OPENAPI } from "./texts.ts";

export function OpenApiPage({ document }: { readonly document: ApiDocument }) {
  const { token } = useObservable(tokenState);
  const examples = useExamples(token);
  const { info } = document;
  const texts = useTexts(OPENAPI);
  return (
    <>
      <div class="about-api">
        <h1>
          {info.title} API <span class="version">{info.version}</span>
        </h1>
        <p>{info.summary}</p>
        <Markdown text={info.description} />
        <p>
          <a href="docs">{texts.documentation}</a> · <a href="openapi.json">openapi.json</a>{" "}
          {texts.forGenerators}
        </p>
      </div>
      <Authorization token={token} />
      <Endpoints document={document} token={token} examples={examples} />
      <section id="record-schema">
        <h2>{texts.recordFields}</h2>
        <p>
          {texts.recordFieldsText} <code>/api/translations</code>.
        </p>
        <SchemaView document={document} schema={{ $ref: "#/components/schemas/Book" }} />
      </section>
    </>
  );
}

/** Returns examples of the catalog. Without a token, they are those of the document, which the sample catalog has. */
function useExamples(token: string): CatalogExamples | undefined {
  const [examples, setExamples] = useState<CatalogExamples>();
  useEffect(() => {
    let isCurrent = true;
    const show = (found: CatalogExamples | undefined) => {
      if (!isCurrent) return;
      setExamples(found);
      globalThis.document.body.dataset.examples = found ? "catalog" : "document";
    };
    if (token) readExamples(token).then(show, () => show(undefined));
    else show(undefined);
    return () => {
      isCurrent = false;
    };
  }, [token]);
  return examples;
}

interface EndpointsProps {
  readonly document: ApiDocument;
  readonly token: string;
  readonly examples: CatalogExamples | undefined;
}

function Endpoints({ document, token, examples }: EndpointsProps) {
  return (
    <>
      {categoriesOf(document).map(({ name, description, endpoints }) => (
        <section class="category" key={name} aria-labelledby={`category-${name}`}>
          <h2 id={`category-${name}`}>{name}</h2>
          <p class="muted">{description}</p>
          {endpoints.map((endpoint) => {
            const id = endpoint.operation.operationId;
            return (
              <EndpointView
                key={id}
                document={document}
                endpoint={endpoint}
                token={token}
                examples={examples}
                fragment={`#/${name}/${id}`}
              />
            );
          })}
        </section>
      ))}
    </>
  );
}
