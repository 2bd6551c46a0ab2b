/** The response to a request that the page has sent. */

import { useEffect, useState } from "preact/hooks";
import { countText } from "../shared/format/quantities.ts";
import { CodeBlock, JsonBlock } from "./code-block.tsx";
import { fileName, MAX_KEPT_BYTES, MAX_SHOWN_CHARS, type ReceivedResponse } from "./exchange.ts";
import { type ApiRequest, curlCommand } from "./request.ts";

interface ResponseProps {
  /** The path of the endpoint, for the name of the region. */
  readonly path: string;
  readonly request: ApiRequest;
  /** The message of an error when there was no response. */
  readonly response: ReceivedResponse | string | undefined;
}

export function ResponseView({ path, request, response }: ResponseProps) {
  const curl = curlCommand(request);
  return (
    <section class="exchange" aria-label={`Request and response of ${path}`}>
      <div class="block-heading">
        <h4>Request</h4>
        <CopyButton text={curl} label="Copy the curl command" />
      </div>
      <CodeBlock label="The request as a curl command" text={curl} />
      <h4>Response</h4>
      <p class="outcome" role="status">
        {response === undefined ? "Sending …" : <Outcome response={response} />}
      </p>
      {typeof response === "object" && <ReceivedBody url={request.url} response={response} />}
    </section>
  );
}

function Outcome({ response }: { readonly response: ReceivedResponse | string }) {
  if (typeof response === "string") return <strong class="problem">{response}</strong>;
  const { status, statusText, durationMs, bytes, isReading } = response;
  return (
    <>
      <strong class={`status status-${String(status)[0]}xx`}>
        {status} {statusText}
      </strong>{" "}
      in {durationMs} ms, {sizeOf(bytes)}
      {isReading && " so far"}
    </>
  );
}

function ReceivedBody({ url, response }: { readonly url: string; readonly response: ReceivedResponse }) {
  const { start, isCut, type, headers } = response;
  const isJson = /\bjson\b/.test(type) && !type.includes("ndjson");
  return (
    <>
      <div class="block-heading">
        <h5>Body</h5>
        <Download url={url} response={response} />
        {!isCut && start !== "" && <CopyButton text={start} label="Copy the body" />}
      </div>
      {isCut && <p class="notice">{cutNotice(response)}</p>}
      {start === "" ? (
        <p class="muted">The response has no body.</p>
      ) : isJson ? (
        <JsonBlock label="The body of the response" text={start} />
      ) : (
        <CodeBlock label="The body of the response" text={start} />
      )}
      <details class="headers">
        <summary>{headers.length} header fields</summary>
        <dl>
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

function cutNotice({ body, isReading }: ReceivedResponse): string {
  const shown = `The first ${countText(MAX_SHOWN_CHARS, "eng")} characters are shown.`;
  if (isReading) return `${shown} The rest is being read.`;
  if (body) return `${shown} The file has all of them.`;
  return `${shown} The page stopped reading after ${sizeOf(MAX_KEPT_BYTES)}; the curl command reads everything.`;
}

/** A link to the whole body as a file. The browser frees the memory once the response is gone. */
function Download({
  url,
  response: { body, type },
}: {
  readonly url: string;
  readonly response: ReceivedResponse;
}) {
  const [href, setHref] = useState<string>();
  useEffect(() => {
    if (!body || body.size === 0) return setHref(undefined);
    const made = URL.createObjectURL(body);
    setHref(made);
    return () => URL.revokeObjectURL(made);
  }, [body]);
  if (!href) return null;
  const name = fileName(url, type);
  return (
    <a class="button button-quiet" href={href} download={name}>
      Download {name}
    </a>
  );
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [amount, unit] = bytes < 1_000_000 ? [bytes / 1000, "kB"] : [bytes / 1_000_000, "MB"];
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${unit}`;
}

/** How long the button says that it has copied. */
const SHOWN_MS = 2000;

/** A button that copies a text, and says so. */
function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [outcome, setOutcome] = useState<string>();
  const copy = async () => {
    // A browser offers the clipboard to secure origins only.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setOutcome(isCopied ? "Copied" : "The browser does not allow it");
    setTimeout(() => setOutcome(undefined), SHOWN_MS);
  };
  return (
    <button type="button" class="button button-quiet" aria-live="polite" onClick={copy}>
      {outcome ?? label}
    </button>
  );
}
