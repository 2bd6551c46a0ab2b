/** One endpoint: its parameters, a button that sends a real request, the response, and what is documented. */

import { useEffect, useRef, useState } from "preact/hooks";
import { BASE } from "../shared/core/base.ts";
import { useTexts } from "../shared/core/texts.ts";
import type { CatalogExamples } from "./catalog-examples.ts";
import type { ApiDocument, Endpoint } from "./document.ts";
import { DocumentedResponses } from "./documented-responses.tsx";
import { exchange, type ReceivedResponse } from "./exchange.ts";
import { Markdown } from "./markdown.tsx";
import { ParameterFields } from "./parameter-fields.tsx";
import { type ApiRequest, missingParameters, requestOf, type Values } from "./request.ts";
import { ResponseView } from "./response-view.tsx";
import { OPENAPI } from "./texts.ts";

interface EndpointProps {
  readonly document: ApiDocument;
  readonly endpoint: Endpoint;
  readonly token: string;
  readonly examples: CatalogExamples | undefined;
  /** Of its address, such as `#/Books/getBook`. */
  readonly fragment: string;
}

export function EndpointView({ fragment, ...props }: EndpointProps) {
  const { path, operation } = props.endpoint;
  const [isOpen, setOpen] = useState(location.hash.replace(/^#\/[^/]+\//, "") === operation.operationId);
  const card = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isOpen) card.current?.scrollIntoView();
  }, []);
  return (
    <details
      class="card endpoint"
      id={operation.operationId}
      ref={card}
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        setOpen(open);
        // The address leads back to the endpoint. It is not an entry of the history.
        if (open) history.replaceState(history.state, "", fragment);
      }}
    >
      <summary>
        <h3>
          <span class="method">GET</span> <span class="path">{path}</span>
        </h3>
        <span class="muted">{operation.summary}</span>
      </summary>
      {isOpen && <EndpointDetails {...props} />}
    </details>
  );
}

interface Sent {
  readonly request: ApiRequest;
  readonly response: ReceivedResponse | string | undefined;
}

function EndpointDetails({ document, endpoint, token, examples }: Omit<EndpointProps, "fragment">) {
  const { operation } = endpoint;
  const texts = useTexts(OPENAPI);
  const [typed, setTyped] = useState<Values>({});
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [sent, setSent] = useState<Sent>();
  const controller = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  // What a person has typed stays. Everything else follows the examples.
  const values = { ...filledIn(endpoint, examples), ...typed };

  const send = async () => {
    const lacking = missingParameters(endpoint, values);
    setMissing(lacking);
    if (lacking.length > 0) {
      globalThis.document.getElementById(`${operation.operationId}-${lacking[0]}`)?.focus();
      return;
    }
    controller.current?.abort();
    const current = new AbortController();
    controller.current = current;
    const request = requestOf(endpoint, values, token, BASE);
    setSent({ request, response: undefined });
    try {
      await exchange(request, current.signal, (response) => setSent({ request, response }));
    } catch (error) {
      if (!current.signal.aborted) setSent({ request, response: texts.noResponse(String(error)) });
    }
  };

  return (
    <div class="endpoint-details">
      <Markdown text={operation.description} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <h4>{texts.parameters}</h4>
        <ParameterFields
          operation={operation}
          values={values}
          examples={examples?.parameters ?? {}}
          missing={missing}
          onChange={(name, value) => setTyped((before) => ({ ...before, [name]: value }))}
        />
        <div class="actions">
          <button type="submit" class="button">
            {texts.send}
          </button>
          {sent && (
            <button
              type="button"
              class="button button-quiet"
              onClick={() => {
                controller.current?.abort();
                setSent(undefined);
              }}
            >
              {texts.clear}
            </button>
          )}
        </div>
      </form>
      {sent && <ResponseView path={endpoint.path} request={sent.request} response={sent.response} />}
      <h4>{texts.responses}</h4>
      <DocumentedResponses document={document} operation={operation} examples={examples} />
    </div>
  );
}

/** Returns examples for required parameters: those of the catalog, or else those of the document. */
function filledIn({ operation }: Endpoint, examples: CatalogExamples | undefined): Values {
  const values: Record<string, string> = {};
  for (const { name, required, example } of operation.parameters) {
    const value = examples?.parameters[name] ?? example;
    if (required && value !== undefined) values[name] = value;
  }
  return values;
}
