/** Asks for the token, in place of the page. Header and language switch stay usable. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useTitle } from "../core/page.ts";
import { useTexts } from "../core/texts.ts";
import { cleanToken, setToken, type TokenState } from "../core/token.ts";
import { COMMON } from "./common-texts.ts";

export function TokenForm({ state }: { state: TokenState }) {
  const texts = useTexts(COMMON);
  const field = useRef<HTMLInputElement>(null);
  const [isMissing, setIsMissing] = useState(false);
  useTitle(texts.tokenTitle);
  useEffect(() => field.current?.focus(), []);
  const problem = isMissing ? texts.tokenMissing : state.kind === "rejected" ? texts.tokenRejected : "";
  return (
    <section class="token-page">
      <h1>{texts.tokenTitle}</h1>
      <p class="lead">{texts.tokenIntro}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const token = cleanToken(field.current!.value);
          setIsMissing(token === "");
          if (token) setToken(token);
        }}
      >
        <label for="token">{texts.tokenLabel}</label>
        <input
          id="token"
          ref={field}
          type="text"
          class="field field-code"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="token-problem token-help"
          aria-invalid={problem !== ""}
          defaultValue={state.token}
        />
        <p class="field-problem" id="token-problem" role="alert">
          {problem}
        </p>
        <button type="submit" class="button">
          {texts.tokenUse}
        </button>
      </form>
      <p class="muted" id="token-help">
        {texts.tokenHelp}
      </p>
    </section>
  );
}
