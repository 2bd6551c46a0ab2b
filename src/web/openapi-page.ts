/** The HTML of the OpenAPI page. `src/web/app/openapi/` draws everything below the header. */
import { headerHtml, headerLinks } from "./header.ts";

export function openApiHtml(): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>API · Colophon</title>
    ${headerLinks("")}
    <link rel="stylesheet" href="page/openapi.css" />
    <script type="module" src="page/openapi.js"></script>
  </head>
  <body>
    ${headerHtml("", "api")}
    <main id="content" tabindex="-1">
      <noscript><p>This page needs JavaScript. The description of the API is at <a href="openapi.json">openapi.json</a>, and the <a href="docs">documentation</a> needs none.</p></noscript>
    </main>
  </body>
</html>
`;
}
