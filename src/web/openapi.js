/** The OpenAPI page: Swagger UI with the document of this service, and one field for the token above it. */
import { readExamples } from "./catalog-examples.js";
import { pageDocument } from "./page-document.js";
import { recordSchema } from "./record-schema.js";

const STORAGE_KEY = "colophon.token";
const field = document.getElementById("token");
const state = document.getElementById("token-state");

/** Highlighting a few hundred thousand characters blocks the browser for seconds. */
const MAX_HIGHLIGHTED_CHARS = 50_000;

/** A plugin of Swagger UI that shows long responses as plain text, without highlighting. */
const plainTextForLongResponses = ({ React, getComponent }) => ({
  wrapComponents: {
    SyntaxHighlighter: (Highlighter) => (props) => {
      const { children, renderPlainText } = props;
      if (!renderPlainText || children.length <= MAX_HIGHLIGHTED_CHARS)
        return React.createElement(Highlighter, props);
      return renderPlainText({ children, PlainTextViewer: getComponent("PlainTextViewer") });
    },
  },
});

/** A plugin of Swagger UI that sends values which the document forbids, so that the errors of the API can be seen. */
const sendInvalidValues = () => ({
  statePlugins: {
    spec: {
      wrapSelectors: {
        validateBeforeExecute: (_, system) => (_state, operation) =>
          system.specSelectors
            .validationErrors(operation)
            .every((error) => !String(error).includes("Required field is not provided")),
      },
    },
  },
});

// Relative, so that the page works behind a path prefix of a reverse proxy.
const base = new URL(".", location.href).href;
const openApi = await (await fetch("openapi.json")).json();
const ui = globalThis.SwaggerUIBundle({
  spec: pageDocument(openApi, base),
  dom_id: "#ui",
  presets: [globalThis.SwaggerUIBundle.presets.apis],
  plugins: [plainTextForLongResponses, sendInvalidValues],
  layout: "BaseLayout",
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  defaultModelRendering: "example",
  validatorUrl: null,
  onComplete: () => useToken(localStorage.getItem(STORAGE_KEY) ?? ""),
});
document.getElementById("record-schema").append(recordSchema(openApi.components.schemas, "Book"));

document.getElementById("authorization").addEventListener("submit", (event) => {
  event.preventDefault();
  useToken(field.value);
});
field.addEventListener("change", () => useToken(field.value));
document.getElementById("forget").addEventListener("click", () => useToken(""));

/** Sends the token with every request from now on, and stores it in this browser. Empty text removes it. */
function useToken(text) {
  // Users paste the whole header, or a token with the line breaks of a terminal.
  const token = text.replace(/^\s*(authorization:)?\s*(bearer\s)?/i, "").replace(/\s+/g, "");
  field.value = token;
  if (token) {
    localStorage.setItem(STORAGE_KEY, token);
    ui.preauthorizeApiKey("bearer", token);
  } else {
    localStorage.removeItem(STORAGE_KEY);
    if (ui.authSelectors.authorized()?.size) ui.authActions.logout(["bearer"]);
  }
  state.value = token ? describeToken(token) : "No token yet: requests get 401.";
  showExamplesOf(token);
}

/** The token whose examples are shown. */
let shownToken = "";

/** Shows examples of the catalog. Without a token, they are those of the document, which the sample catalog has. */
async function showExamplesOf(token) {
  if (token === shownToken) return;
  shownToken = token;
  const examples = token ? await readExamples(token).catch(() => undefined) : undefined;
  if (token !== shownToken) return;
  ui.specActions.updateJsonSpec(pageDocument(openApi, base, examples));
  for (const [path, { get }] of Object.entries(openApi.paths)) {
    const values = ui.specSelectors.parameterValues([path, "get"]);
    for (const { name, in: location, required, example } of get.parameters) {
      const value = examples?.parameters[name] ?? example;
      const shown = values.get(`${location}.${name}`);
      // What a person has typed stays.
      const isExample = shown === undefined || shown === example;
      if (required && isExample) ui.specActions.changeParam([path, "get"], name, location, value);
    }
  }
  document.body.dataset.examples = examples ? "catalog" : "document";
}

/** Returns the subject and expiry date in the token. The signature is not checked here. */
function describeToken(token) {
  try {
    const bytes = Uint8Array.from(atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")), (c) =>
      c.charCodeAt(0),
    );
    const { sub, exp } = JSON.parse(new TextDecoder().decode(bytes));
    const until = new Date(exp * 1000);
    const day = until.toISOString().slice(0, 10);
    return `${sub ?? "Token"}: ${until < new Date() ? "expired on" : "sent with every request, until"} ${day}.`;
  } catch {
    return "This does not look like a token, but it is sent unchanged.";
  }
}
