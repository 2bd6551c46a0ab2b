/** The responses that the document describes: by status code, with examples, fields and header fields. */

import { useState } from "preact/hooks";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { type CatalogExamples, exampleOf } from "./catalog-examples.ts";
import { CodeBlock, JsonBlock } from "./code-block.tsx";
import {
  type ApiDocument,
  type DocumentedResponse,
  type Media,
  type Operation,
  resolve,
} from "./document.ts";
import { Inline } from "./markdown.tsx";
import { SchemaView } from "./schema-view.tsx";
import { OPENAPI } from "./texts.ts";

interface ResponsesProps {
  readonly document: ApiDocument;
  readonly operation: Operation;
  readonly examples: CatalogExamples | undefined;
}

export function DocumentedResponses({ document, operation, examples }: ResponsesProps) {
  return (
    <div>
      {Object.entries(operation.responses).map(([status, response]) => (
        <ResponseRow
          key={status}
          document={document}
          status={status}
          response={resolve(document, response)}
          examples={status === "200" ? examples : undefined}
        />
      ))}
    </div>
  );
}

interface RowProps extends Omit<ResponsesProps, "operation"> {
  readonly status: string;
  readonly response: DocumentedResponse;
}

/** Renders a response when it is opened. The 200 is open from the start. */
function ResponseRow({ document, status, response, examples }: RowProps) {
  const [isOpen, setOpen] = useState(status === "200");
  return (
    <details class="response" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class={`status status-${status[0]}xx`}>{status}</span> <Inline text={response.description} />
      </summary>
      {isOpen && <ResponseDetails document={document} response={response} examples={examples} />}
    </details>
  );
}

function ResponseDetails({ document, response, examples }: Omit<RowProps, "status">) {
  const texts = useTexts(OPENAPI);
  const types = Object.keys(response.content ?? {});
  const [type, setType] = useState(types[0]);
  const media = type === undefined ? undefined : response.content?.[type];
  return (
    <div class="response-details">
      {types.length > 1 && (
        <label class="media-type">
          {texts.mediaType}{" "}
          <select value={type} onChange={(event) => setType(event.currentTarget.value)}>
            {types.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      )}
      {media && type && (
        <MediaExample key={type} document={document} type={type} media={media} examples={examples} />
      )}
      {media?.schema && type?.includes("json") && <SchemaView document={document} schema={media.schema} />}
      <DocumentedHeaders document={document} response={response} />
    </div>
  );
}

interface MediaProps extends Omit<ResponsesProps, "operation"> {
  readonly type: string;
  readonly media: Media;
}

function MediaExample({ document, type, media, examples }: MediaProps) {
  const texts = useTexts(OPENAPI);
  const all = examplesOf(document, type, media, examples);
  const [chosen, setChosen] = useState(0);
  const example = all[chosen];
  if (!example) return null;
  const isText = typeof example.value === "string";
  const Block = isText ? CodeBlock : JsonBlock;
  return (
    <>
      {all.length > 1 && (
        <label class="media-type">
          {texts.example}{" "}
          <select value={chosen} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
            {all.map(({ title }, index) => (
              <option key={title} value={index}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      <Block label={texts.example} text={isText ? String(example.value) : JSON.stringify(example.value)} />
    </>
  );
}

interface Example {
  readonly title: string;
  readonly value: unknown;
}

/** Returns an example of the catalog where there is one, else those of the document. */
function examplesOf(
  document: ApiDocument,
  type: string,
  { schema, example, examples }: Media,
  ofCatalog: CatalogExamples | undefined,
): readonly Example[] {
  const first = type === "application/json" && ofCatalog ? exampleOf(schema, ofCatalog) : undefined;
  const single = first ?? example;
  if (single !== undefined) return [{ title: "Example", value: single }];
  return Object.entries(examples ?? {}).map(([title, each]) => ({
    title,
    value: resolve<{ readonly value?: unknown }>(document, each).value,
  }));
}

function DocumentedHeaders({ document, response }: Pick<RowProps, "document" | "response">) {
  const texts = useTexts(OPENAPI);
  const formats = useFormats();
  const headers = Object.entries(response.headers ?? {});
  if (headers.length === 0) return null;
  return (
    <details class="headers">
      <summary>{texts.headerFields(formats.number(headers.length))}</summary>
      <dl>
        {headers.map(([name, header]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Inline text={resolve(document, header).description ?? ""} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
