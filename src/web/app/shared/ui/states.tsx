/** What a page shows while it has nothing else to show. */
import { ColophonError } from "../core/api.ts";
import { isUnavailable } from "../core/connection.ts";
import { useTexts } from "../core/texts.ts";
import { COMMON } from "./common-texts.ts";

const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;
const INTERNAL_ERROR = 500;

interface State {
  /** Whether there is nothing else on the page: its heading is that of the page then. */
  readonly isPage?: boolean;
}

/** Tells what failed, in the words of the page, and offers another attempt. */
export function Failure({ error, retry, isPage }: State & { error: unknown; retry: () => void }) {
  const texts = useTexts(COMMON);
  const Heading = isPage ? "h1" : "h2";
  const isResponse = error instanceof ColophonError;
  return (
    <div class="state" role="alert">
      <Heading>{texts.failedTitle}</Heading>
      <p>{reasonOf(error, texts)}</p>
      {isResponse && error.requestId && (
        <p class="muted">
          {texts.requestId} <code>{error.requestId}</code>
        </p>
      )}
      <button type="button" class="button" onClick={retry}>
        {texts.retry}
      </button>
    </div>
  );
}

function reasonOf(error: unknown, texts: (typeof COMMON)["eng"]): string {
  if (!(error instanceof ColophonError)) return texts.failedNetwork;
  if (error.status === UNAVAILABLE) return texts.failedStore;
  if (isUnavailable(error.status)) return texts.failedNetwork;
  if (error.status === TOO_MANY_REQUESTS) return texts.failedRate;
  return error.status < INTERNAL_ERROR ? texts.failedRequest : texts.failedOther;
}

export function Empty({ title, text, isPage }: State & { title: string; text?: string }) {
  const Heading = isPage ? "h1" : "h2";
  return (
    <div class="state">
      <Heading>{title}</Heading>
      {text && <p>{text}</p>}
    </div>
  );
}

/** A bar at the top of a region. It appears after a moment, so that quick responses do not flicker. */
export function Busy() {
  const texts = useTexts(COMMON);
  return (
    <div class="busy" role="progressbar" aria-label={texts.loading}>
      <span />
    </div>
  );
}
