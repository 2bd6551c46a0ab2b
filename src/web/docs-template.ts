/** The frame of a page of the documentation. */

export interface DocsPage {
  readonly title: string;
  /** Leads from the URL of the page to the root of the service. */
  readonly root: string;
  /** The items of the list of pages, as HTML. */
  readonly navigation: readonly string[];
  readonly content: string;
}

export function docsHtml({ title, root, navigation, content }: DocsPage): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Colophon</title>
    <link rel="icon" href="${root}openapi/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${root}docs.css" />
  </head>
  <body>
    <header>
      <a class="name" href="${root}docs"><img src="${root}openapi/icon.svg" alt="" width="28" height="28" />Colophon</a>
      <a href="${root}openapi.html">Try the API</a>
    </header>
    <div class="columns">
      <nav aria-label="Documentation">
        <ul>
${navigation.map((item) => `          ${item}`).join("\n")}
        </ul>
      </nav>
      <main>
${content}
      </main>
    </div>
  </body>
</html>
`;
}
