/** The OpenAPI page: reads the document of the service and renders it. */
import { render } from "preact";
import type { ApiDocument } from "./openapi/document.ts";
import { OpenApiPage } from "./openapi/openapi-page.tsx";
import { BASE } from "./shared/core/base.ts";

const content = document.getElementById("content")!;
try {
  const response = await fetch(new URL("openapi.json", BASE));
  if (!response.ok) throw new Error(`openapi.json: status ${response.status}`);
  const openApi: ApiDocument = await response.json();
  content.replaceChildren();
  render(<OpenApiPage document={openApi} />, content);
} catch (error) {
  content.textContent = `The description of the API cannot be read; reload the page. (${error})`;
}
