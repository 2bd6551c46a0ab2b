/** The field for the bearer token. The token is sent with every request of the page, and kept in this browser. */

import { useEffect, useState } from "preact/hooks";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { cleanToken, setToken } from "../shared/core/token.ts";
import { OPENAPI } from "./texts.ts";

export function Authorization({ token }: { readonly token: string }) {
  const texts = useTexts(OPENAPI);
  const [text, setText] = useState(token);
  const describe = useDescription();
  // Another tab may change the token.
  useEffect(() => setText(token), [token]);
  const use = (value: string) => {
    setToken(value);
    setText(cleanToken(value));
  };
  return (
    <form
      id="authorization"
      class="authorization"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        use(text);
      }}
    >
      <label for="token">{texts.token}</label>
      <input
        id="token"
        class="field field-code"
        name="token"
        type="text"
        spellcheck={false}
        autocapitalize="off"
        placeholder={texts.tokenPlaceholder}
        aria-describedby="token-state"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={(event) => use(event.currentTarget.value)}
      />
      <button type="submit" class="button">
        {texts.use}
      </button>
      <button type="button" class="button button-quiet" id="forget" onClick={() => use("")}>
        {texts.forget}
      </button>
      <output id="token-state" for="token">
        {token ? describe(token) : texts.noToken}
      </output>
    </form>
  );
}

/** Tells the subject and the expiry date in a token. The signature is not checked here. */
function useDescription(): (token: string) => string {
  const texts = useTexts(OPENAPI);
  const formats = useFormats();
  return (token) => {
    try {
      const claims = atob(token.split(".")[1]!.replace(/-/g, "+").replace(/_/g, "/"));
      const bytes = Uint8Array.from(claims, (character) => character.charCodeAt(0));
      const { sub, exp } = JSON.parse(new TextDecoder().decode(bytes));
      const until = new Date(exp * 1000);
      const day = formats.dayOf(until.toISOString());
      return (until < new Date() ? texts.expired : texts.sentUntil)(sub ?? texts.someone, day);
    } catch {
      return texts.strangeToken;
    }
  };
}
