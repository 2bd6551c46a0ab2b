/** The test page: Swagger UI on our own document, with one field for the token above it. */
const KEY = "colophon.token";
const field = document.getElementById("token");
const state = document.getElementById("token-state");

/** Of an answer's characters. Colouring takes a browser seconds from some hundred thousand on, and it stands still. */
const MOST_COLOURED = 50_000;

/** Swagger UI's own way of showing text without colours, for long answers. */
const plainWhenLong = ({ React, getComponent }) => ({
  wrapComponents: {
    SyntaxHighlighter: (Coloured) => (props) => {
      const { children, renderPlainText } = props;
      if (!renderPlainText || children.length <= MOST_COLOURED) return React.createElement(Coloured, props);
      return renderPlainText({ children, PlainTextViewer: getComponent("PlainTextViewer") });
    },
  },
});

const ui = globalThis.SwaggerUIBundle({
  // Relative, so that the page works behind a path prefix of a reverse proxy.
  url: "openapi.json",
  dom_id: "#ui",
  presets: [globalThis.SwaggerUIBundle.presets.apis],
  plugins: [plainWhenLong],
  layout: "BaseLayout",
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  defaultModelRendering: "example",
  validatorUrl: null,
  onComplete: () => use(localStorage.getItem(KEY) ?? ""),
});

document.getElementById("authorization").addEventListener("submit", (event) => {
  event.preventDefault();
  use(field.value);
});
field.addEventListener("change", () => use(field.value));
document.getElementById("forget").addEventListener("click", () => use(""));

/** From now on, every request carries this token; it stays in this browser until it is forgotten. */
function use(text) {
  // People paste the whole header, or a token that a terminal has wrapped.
  const token = text.replace(/^\s*(authorization:)?\s*(bearer\s)?/i, "").replace(/\s+/g, "");
  field.value = token;
  if (token) {
    localStorage.setItem(KEY, token);
    ui.preauthorizeApiKey("bearer", token);
  } else {
    localStorage.removeItem(KEY);
    if (ui.authSelectors.authorized()?.size) ui.authActions.logout(["bearer"]);
  }
  state.value = token ? describe(token) : "No token yet: requests are answered with 401.";
}

/** Whose token it is and how long it holds, as far as it says so itself. */
function describe(token) {
  try {
    const bytes = Uint8Array.from(atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")), (c) =>
      c.charCodeAt(0),
    );
    const { sub, exp } = JSON.parse(new TextDecoder().decode(bytes));
    const until = new Date(exp * 1000);
    const day = until.toISOString().slice(0, 10);
    return `${sub ?? "Token"}: ${until < new Date() ? "expired on" : "sent with every request, until"} ${day}.`;
  } catch {
    return "This does not look like a token, but it is sent as it is.";
  }
}
