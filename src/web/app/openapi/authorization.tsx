/** The field for the bearer token. The token is sent with every request of the page, and kept in this browser. */
import { useEffect, useState } from "preact/hooks";
import { cleanToken, setToken } from "../shared/core/token.ts";

export function Authorization({ token }: { readonly token: string }) {
  const [text, setText] = useState(token);
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
      <label for="token">Bearer token</label>
      <input
        id="token"
        class="field field-code"
        name="token"
        type="text"
        spellcheck={false}
        autocapitalize="off"
        placeholder="Paste a token: it is sent with every request"
        aria-describedby="token-state"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={(event) => use(event.currentTarget.value)}
      />
      <button type="submit" class="button">
        Use
      </button>
      <button type="button" class="button button-quiet" id="forget" onClick={() => use("")}>
        Forget
      </button>
      <output id="token-state" for="token">
        {token ? describeToken(token) : "No token yet: requests get 401."}
      </output>
    </form>
  );
}

/** Returns the subject and expiry date in the token. The signature is not checked here. */
function describeToken(token: string): string {
  try {
    const claims = atob(token.split(".")[1]!.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(claims, (character) => character.charCodeAt(0));
    const { sub, exp } = JSON.parse(new TextDecoder().decode(bytes));
    const until = new Date(exp * 1000);
    const day = until.toISOString().slice(0, 10);
    return `${sub ?? "Token"}: ${until < new Date() ? "expired on" : "sent with every request, until"} ${day}.`;
  } catch {
    return "This does not look like a token, but it is sent unchanged.";
  }
}
