/** The page for a browser at a path that is nothing. It leads to the page for people. */
import { headerHtml, headerLinks } from "./header.ts";
import { HTML, type Page, pageOf } from "./page-file.ts";

/** `root` leads from the URL of the request to the root of the service, also below a path prefix of a proxy. */
export function notFoundPage(root: string): Page {
  return pageOf(Buffer.from(notFoundHtml(root)), HTML);
}

function notFoundHtml(root: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Not Found · Colophon</title>
    ${headerLinks(root)}
    <link rel="stylesheet" href="${root}docs.css" />
  </head>
  <body>
    ${headerHtml(root, undefined)}
    <main id="content" class="single" tabindex="-1">
      <h1>There is no page at this address</h1>
      <p>The address may be old or mistyped. (404 Not Found)</p>
      <ul>
        <li><a href="${root}">The catalog</a>: look for books</li>
        <li><a href="${root}openapi.html">The API</a>: its endpoints, to try them out</li>
        <li><a href="${root}docs">The documentation</a></li>
      </ul>
    </main>
  </body>
</html>
`;
}
