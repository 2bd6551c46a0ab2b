/** The response to a request that the page has sent. */

import { useEffect, useState } from "preact/hooks";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { CodeBlock, JsonBlock } from "./code-block.tsx";
import { fileName, MAX_KEPT_BYTES, MAX_SHOWN_CHARS, type ReceivedResponse } from "./exchange.ts";
import { type ApiRequest, curlCommand } from "./request.ts";
import { OPENAPI } from "./texts.ts";

interface ResponseProps {
  /** The path of the endpoint, for the name of the region. */
  readonly path: string;
  readonly request: ApiRequest;
  /** The message of an error when there was no response. */
  readonly response: ReceivedResponse | string | undefined;
}

export function ResponseView({ path, request, response }: ResponseProps) {
  const texts = useTexts(OPENAPI);
  const curl = curlCommand(request);
  return (
    <section class="exchange" aria-label={texts.exchange(path)}>
      <div class="block-heading">
        <h4>{texts.request}</h4>
        <CopyButton text={curl} label={texts.copyCurl} />
      </div>
      <CodeBlock label={texts.curl} text={curl} />
      <h4>{texts.response}</h4>
      <p class="outcome" role="status">
        {response === undefined ? texts.sending : <Outcome response={response} />}
      </p>
      {typeof response === "object" && <ReceivedBody url={request.url} response={response} />}
    </section>
  );
}

function Outcome({ response }: { readonly response: ReceivedResponse | string }) {
  const texts = useTexts(OPENAPI);
  const formats = useFormats();
  if (typeof response === "string") return <strong class="problem">{response}</strong>;
  const { status, statusText, durationMs, bytes, isReading } = response;
  return (
    <>
      <strong class={`status status-${String(status)[0]}xx`}>
        {status} {statusText}
      </strong>{" "}
      {texts.took(formats.duration(durationMs / 1000), formats.size(bytes))}
      {isReading && ` ${texts.soFar}`}
    </>
  );
}

function ReceivedBody({ url, response }: { readonly url: string; readonly response: ReceivedResponse }) {
  const texts = useTexts(OPENAPI);
  const formats = useFormats();
  const { start, isCut, type, headers, body, isReading } = response;
  const Block = /\bjson\b/.test(type) && !type.includes("ndjson") ? JsonBlock : CodeBlock;
  return (
    <>
      <div class="block-heading">
        <h5>{texts.body}</h5>
        <Download url={url} response={response} />
        {!isCut && start !== "" && <CopyButton text={start} label={texts.copyBody} />}
      </div>
      {isCut && (
        <p class="notice">
          {texts.firstCharacters(formats.number(MAX_SHOWN_CHARS))}{" "}
          {isReading
            ? texts.restIsRead
            : body
              ? texts.fileHasAll
              : texts.stoppedReading(formats.size(MAX_KEPT_BYTES))}
        </p>
      )}
      {start === "" ? <p class="muted">{texts.noBody}</p> : <Block label={texts.bodyLabel} text={start} />}
      <details class="headers">
        <summary>{texts.headerFields(formats.number(headers.length))}</summary>
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

/** A link to the whole body as a file. The browser frees the memory once the response is gone. */
function Download({
  url,
  response: { body, type },
}: {
  readonly url: string;
  readonly response: ReceivedResponse;
}) {
  const texts = useTexts(OPENAPI);
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
      {texts.download(name)}
    </a>
  );
}

/** How long the button says that it has copied. */
const SHOWN_MS = 2000;

/** A button that copies a text, and says so. */
function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const texts = useTexts(OPENAPI);
  const [outcome, setOutcome] = useState<string>();
  const copy = async () => {
    // A browser offers the clipboard to secure origins only.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setOutcome(isCopied ? texts.copied : texts.notCopied);
    setTimeout(() => setOutcome(undefined), SHOWN_MS);
  };
  return (
    <button type="button" class="button button-quiet" aria-live="polite" onClick={copy}>
      {outcome ?? label}
    </button>
  );
}
