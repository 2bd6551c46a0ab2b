/** Tells that the service does not respond, how old the page is, and when the service is back. */
import { useEffect, useRef } from "preact/hooks";
import { isReachable, lostSince } from "../core/connection.ts";
import { useObservable } from "../core/observable.ts";
import { useFormats, useTexts } from "../core/texts.ts";
import { COMMON } from "./common-texts.ts";
import { toast } from "./toast.tsx";

export function ConnectionNotice() {
  const texts = useTexts(COMMON);
  const formats = useFormats();
  const since = useObservable(lostSince);
  const wasLost = useRef(false);
  useEffect(() => {
    if (wasLost.current && !since) toast(texts.connectionBack);
    wasLost.current = since !== undefined;
    // What is shown is old.
    document.getElementById("content")!.toggleAttribute("data-old", since !== undefined);
  }, [since]);
  return (
    <div class="connection" role="status">
      {since && (
        <p>
          {texts.connectionLost(formats.moment(since.toISOString()))}{" "}
          <button type="button" class="link-button" onClick={isReachable}>
            {texts.retryNow}
          </button>
        </p>
      )}
    </div>
  );
}
